import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useQueryClient } from '@tanstack/react-query';
import type { KeyState } from '../../shared/ipc/calls/settings.ts';
import { useCallMutation } from '../queries/use-call.ts';
import { useServices } from '../stores/services.ts';
import { Button } from './button.tsx';
import styles from './fields.module.css';
import { TextField } from './fields.tsx';

/** A key while it is typed, and the way to hand it on; it stands nowhere on the page afterwards. */
export interface TypedKey {
  readonly key: string;
  readonly setKey: (key: string) => void;
  readonly isEmpty: boolean;
  readonly isStoring: boolean;
  readonly error: string | undefined;
  readonly store: () => void;
}

/** Takes an API key and stores it when it is asked to. */
export function useTypedKey(onSet?: (state: KeyState) => void): TypedKey {
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
      // What was found with the key before says nothing about this one
      queries.removeQueries({ queryKey: ['connection.check'] });
      notices.show({ level: 'info', text: t('key.stored') });
      onSet?.(state);
    },
  });
  const failure = mutation.error?.failure;
  return {
    key,
    setKey,
    isEmpty: key.trim() === '',
    isStoring: mutation.isPending,
    error: failure === undefined ? undefined : `${failure.message} ${failure.advice}`,
    store: () => mutation.mutate({ key }),
  };
}

/** The field of a key. */
export function KeyInput({ label, typed }: { readonly label: string; readonly typed: TypedKey }): ReactNode {
  const { t } = useTranslation();
  return (
    <TextField
      label={label}
      description={t('key.help')}
      type="password"
      autoComplete="off"
      value={typed.key}
      onChange={typed.setKey}
      error={typed.error}
      isCode
    />
  );
}

/** Takes an API key and hands it on at once. */
export function KeyField({
  label,
  action,
  onSet,
}: {
  readonly label: string;
  readonly action: string;
  readonly onSet?: (state: KeyState) => void;
}): ReactNode {
  const typed = useTypedKey(onSet);
  return (
    <form
      className={styles['keyForm']}
      // What was refused before must not keep another key from being sent
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!typed.isEmpty) typed.store();
      }}
    >
      <KeyInput label={label} typed={typed} />
      <Button type="submit" isDisabled={typed.isEmpty || typed.isStoring}>
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
