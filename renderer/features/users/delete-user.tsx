import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TeamUser } from '../../../shared/domain/team-user.ts';
import { useOrder } from '../../queries/use-call.ts';
import { useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailurePanel } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { isSameName } from './is-same-name.ts';
import { useUsersChanged } from './use-users-changed.ts';

/** Deleting cannot be taken back: the name is typed first, and the better way is named. */
export function DeleteUser({
  user,
  name,
  close,
  onDeleted,
}: {
  readonly user: TeamUser;
  readonly name: string;
  readonly close: () => void;
  readonly onDeleted: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const { notices } = useServices();
  const usersChanged = useUsersChanged();
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  const remove = useOrder('users.remove', {
    onDone: () => {
      // First of all nobody looks at the user any more, who would be asked for again
      onDeleted();
      queries.removeQueries({ queryKey: ['users.get', { userId: user.id }] });
      usersChanged();
      notices.show({ level: 'info', text: t('users.deleted', { name }) });
      close();
    },
  });
  return (
    <Dialog
      title={t('users.deleteTitle', { name })}
      isOpen
      onClose={close}
      isAlert
      actions={
        <>
          <Button onPress={close}>{t('common.cancel')}</Button>
          <Button
            kind="danger"
            isDisabled={!isSameName(typed, name) || remove.isPending}
            onPress={() => remove.mutate({ userId: user.id })}
          >
            {t('users.delete')}
          </Button>
        </>
      }
    >
      <p>{t('users.deleteText')}</p>
      <TextField label={t('users.deleteConfirm', { name })} value={typed} onChange={setTyped} autoFocus />
      {remove.error === null ? null : <FailurePanel failure={remove.error.failure} />}
    </Dialog>
  );
}
