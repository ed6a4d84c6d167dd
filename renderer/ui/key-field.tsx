import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useQueryClient } from '@tanstack/react-query';
import type { KeyState } from '../../shared/ipc/calls/settings.ts';
import { useCallMutation } from '../queries/use-call.ts';
import { useServices } from '../stores/services.ts';
import { Button } from './button.tsx';
import styles from './fields.module.css';
import { TextField } from './fields.tsx';

/** Takes an API key and hands it on at once; it stands nowhere on the page afterwards. */
export function KeyField({
  label,
  action,
  onSet,
}: {
  readonly label: string;
  readonly action: string;
  readonly onSet?: (state: KeyState) => void;
}): ReactNode {
  const { t } = useTranslation();
  const { notices } = useServices();
  const queries = useQueryClient();
  const [key, setKey] = useState('');
  const mutation = useCallMutation('settings.setKey', {
    onDone: (state) => {
      setKey('');
      // The mutation would keep the key
      mutation.reset();
      queries.setQueryData(['settings.key', {}], state);
      notices.show({ level: 'info', text: t('key.stored') });
      onSet?.(state);
    },
  });
  const failure = mutation.error?.failure;
  return (
    <form
      className={styles['keyForm']}
      // What was refused before must not keep another key from being sent
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (key.trim() !== '') mutation.mutate({ key });
      }}
    >
      <TextField
        label={label}
        description={t('key.help')}
        type="password"
        autoComplete="off"
        value={key}
        onChange={setKey}
        error={failure === undefined ? undefined : `${failure.message} ${failure.advice}`}
        isCode
      />
      <Button type="submit" isDisabled={key.trim() === '' || mutation.isPending}>
        {action}
      </Button>
    </form>
  );
}

/** Where the key is kept, and what that protects it from. */
export function KeyPlace({ state }: { readonly state: KeyState }): ReactNode {
  const { t } = useTranslation();
  const { keptIn, keeperName, isGuardedFromPrograms } = state;
  if (keptIn !== 'keyStore') return <p className="dim">{t(`key.kept.${keptIn}`)}</p>;
  const keeper = keeperName ?? t('key.kept.someKeyStore');
  return (
    <p className="dim">
      {t(isGuardedFromPrograms === true ? 'key.kept.keyStoreOfApp' : 'key.kept.keyStore', { keeper })}
    </p>
  );
}
