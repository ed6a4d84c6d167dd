import { UserPlus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { CreatedUser } from '../../../shared/domain/team-user.ts';
import { useCommand } from '../../commands/use-command.ts';
import { useOrder } from '../../queries/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FilterTabs } from '../../ui/filter-tabs.tsx';
import { FailurePanel } from '../../ui/states.tsx';
import { CheckField } from '../../ui/toggle-field.tsx';
import { CreatedDialog } from './created-dialog.tsx';
import { UserFields } from './user-fields.tsx';
import { emptyUserForm, newUserOf, userProblems } from './user-form.ts';
import { useUsersChanged } from './use-users-changed.ts';

/** Creates a user: how it logs in first, then only the fields that belong to it. */
export function CreateUser(): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [created, setCreated] = useState<CreatedUser>();
  useCommand('users.create', () => setOpen(true));
  return (
    <>
      <Button kind="primary" icon={UserPlus} chord="N" onPress={() => setOpen(true)}>
        {t('users.create')}
      </Button>
      {isOpen ? <CreateForm close={() => setOpen(false)} onCreated={setCreated} /> : null}
      {created === undefined ? null : <CreatedDialog created={created} close={() => setCreated(undefined)} />}
    </>
  );
}

function CreateForm({
  close,
  onCreated,
}: {
  readonly close: () => void;
  readonly onCreated: (created: CreatedUser) => void;
}): ReactNode {
  const { t } = useTranslation();
  const usersChanged = useUsersChanged();
  const [form, setForm] = useState(emptyUserForm);
  const [failure, setFailure] = useState<Failure>();
  const [isChecked, setChecked] = useState(false);
  const create = useOrder('users.create', {
    onDone: (created) => {
      // What came back has a password in it: it is handed on once and kept nowhere else
      create.reset();
      usersChanged();
      onCreated(created);
      close();
    },
    onFailed: setFailure,
  });
  const submit = (): void => {
    setChecked(true);
    setFailure(undefined);
    const user = newUserOf(form);
    if (user !== undefined) create.mutate({ user });
  };
  return (
    <Dialog
      title={t('users.createTitle')}
      isOpen
      onClose={close}
      actions={
        <>
          <Button onPress={close}>{t('common.cancel')}</Button>
          <Button kind="primary" isDisabled={create.isPending} onPress={submit}>
            {t('users.createAction')}
          </Button>
        </>
      }
    >
      <FilterTabs
        label={t('users.loginType')}
        value={form.loginType}
        onChange={(loginType) => setForm({ ...form, loginType })}
        filters={[
          { id: 'PHONE_NUMBER', label: t('users.phone') },
          { id: 'DEVICE', label: t('users.device') },
        ]}
      />
      <UserFields
        form={form}
        change={(change) => setForm({ ...form, ...change })}
        problems={isChecked ? userProblems(form) : new Map()}
        failure={failure}
      />
      {form.loginType === 'PHONE_NUMBER' ? (
        <CheckField
          label={t('users.invite')}
          value={form.sendInvitation}
          onChange={(sendInvitation) => setForm({ ...form, sendInvitation })}
        />
      ) : null}
      {failure === undefined ? null : <FailurePanel failure={failure} />}
    </Dialog>
  );
}
