import { UserPlus } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { CreatedUser } from '../../../shared/domain/team-user.ts';
import { useCommand } from '../../commands/use-command.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FilterTabs } from '../../ui/filter-tabs.tsx';
import { FailurePanel } from '../../ui/states.tsx';
import { CheckField } from '../../ui/toggle-field.tsx';
import { useFocusAfter } from '../../ui/use-focus-after.ts';
import { CreatedDialog } from './created-dialog.tsx';
import { useAttempt } from './use-attempt.ts';
import { UserFields } from './user-fields.tsx';
import { UserFormBody } from './user-form-body.tsx';
import { emptyUserForm, newUserOf, userProblems } from './user-form.ts';
import { useUsersChanged } from './use-users-changed.ts';

/** Creates a user: how it logs in first, then only the fields that belong to it. */
export function CreateUser(): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [created, setCreated] = useState<CreatedUser>();
  const button = useFocusAfter<HTMLButtonElement>(created, created === undefined);
  useCommand('users.create', () => setOpen(true));
  return (
    <>
      <Button
        ref={button}
        kind="primary"
        icon={UserPlus}
        command="users.create"
        onPress={() => setOpen(true)}
      >
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
  const [isSending, setSending] = useState(false);
  // What comes back has a password in it: the cache of answers would keep it for minutes
  const attempt = useAttempt();
  const formId = useId();
  const submit = async (): Promise<void> => {
    setChecked(true);
    setFailure(undefined);
    const user = newUserOf(form);
    if (user === undefined || isSending) return;
    setSending(true);
    const created = await attempt('users.create', { user });
    setSending(false);
    if (!created.ok) return setFailure(created.error);
    usersChanged();
    onCreated(created.value);
    close();
  };
  return (
    <Dialog
      title={t('users.createTitle')}
      isOpen
      onClose={close}
      actions={
        <>
          <Button onPress={close}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" form={formId} isDisabled={isSending}>
            {t('users.createAction')}
          </Button>
        </>
      }
    >
      <UserFormBody id={formId} onSubmit={() => void submit()}>
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
      </UserFormBody>
    </Dialog>
  );
}
