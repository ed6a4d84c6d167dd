import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeyState } from '../../shared/ipc/calls/settings.ts';
import { useOrder } from '../queries/use-call.ts';
import { useServices } from '../stores/services.ts';
import { Button } from './button.tsx';
import styles from './key-field.module.css';
import { TextField } from './text-field.tsx';

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
  const order = useOrder('settings.setKey', {
    onDone: (state) => {
      setKey('');
      // The order holds what was sent as long as it is kept
      order.reset();
      queries.setQueryData(['settings.key', {}], state);
      notices.show({ level: 'info', text: t('key.stored') });
      onSet?.(state);
    },
  });
  const failure = order.error?.failure;
  return (
    <form
      className={styles['form']}
      // What was refused before must not keep another key from being sent
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (key.trim() !== '') order.mutate({ key });
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
      <Button type="submit" isDisabled={key.trim() === '' || order.isPending}>
        {action}
      </Button>
    </form>
  );
}
