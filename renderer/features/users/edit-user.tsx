import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TeamUser } from '../../../shared/domain/team-user.ts';
import { useOrder } from '../../queries/use-call.ts';
import { useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailurePanel } from '../../ui/states.tsx';
import { UserFields } from './user-fields.tsx';
import { UserFormBody } from './user-form-body.tsx';
import { changesOfUser, formOfUser, userProblems } from './user-form.ts';
import { useUsersChanged } from './use-users-changed.ts';

/** Changes a user; only what differs is asked of the service. */
export function EditUser({
  user,
  name,
  close,
}: {
  readonly user: TeamUser;
  readonly name: string;
  readonly close: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const { notices } = useServices();
  const usersChanged = useUsersChanged();
  const [form, setForm] = useState(() => formOfUser(user));
  const update = useOrder('users.update', {
    onDone: () => {
      usersChanged();
      notices.show({ level: 'info', text: t('users.updated', { name }) });
      close();
    },
  });
  const problems = userProblems(form, user);
  const formId = useId();
  const save = (): void => {
    const changes = changesOfUser(user, form);
    if (problems.size > 0 || update.isPending) return;
    if (changes === undefined) close();
    else update.mutate({ userId: user.id, changes });
  };
  return (
    <Dialog
      title={t('users.editTitle', { name })}
      isOpen
      onClose={close}
      actions={
        <>
          <Button onPress={close}>{t('common.cancel')}</Button>
          <Button
            kind="primary"
            type="submit"
            form={formId}
            isDisabled={problems.size > 0 || update.isPending}
          >
            {t('common.save')}
          </Button>
        </>
      }
    >
      <UserFormBody id={formId} onSubmit={save}>
        <UserFields
          form={form}
          change={(change) => setForm({ ...form, ...change })}
          problems={problems}
          failure={update.error?.failure}
          roleNow={user.role}
        />
        {update.error === null ? null : <FailurePanel failure={update.error.failure} />}
      </UserFormBody>
    </Dialog>
  );
}
