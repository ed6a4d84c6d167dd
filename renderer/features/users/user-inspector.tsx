import { useQueryClient } from '@tanstack/react-query';
import { Pencil, Trash2, UserCheck, UserX } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServiceId } from '../../../shared/domain/ids.ts';
import { userName, type TeamUser } from '../../../shared/domain/team-user.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { useAsk, useCaller, useCallMutation, useRead, useReadAgain } from '../../queries/use-call.ts';
import { useCommand, useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { fact, Facts } from '../../ui/facts.tsx';
import { FormBody, TextField } from '../../ui/fields.tsx';
import { SafeName } from '../../ui/safe-name.tsx';
import { FailurePanel, Loaded } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { UserFields } from './user-fields.tsx';
import { changesOfUser, formOfUser, isSameName, userProblems } from './user-form.ts';
import { AccessMark } from './user-list.tsx';
import { loginName, roleName } from './user-words.ts';

/** The selected user, read again from the service. */
export function UserInspector(props: InspectorProps): ReactNode {
  // Remounted per user, so that no action applies to the previous one
  return <OfUser key={props.userId} {...props} />;
}

interface InspectorProps {
  readonly userId: ServiceId;
  readonly onDeleted: () => void;
}

function OfUser({ userId, onDeleted }: InspectorProps): ReactNode {
  const user = useRead('users.get', { userId });
  return <Loaded read={user}>{(data) => <UserDetail user={data} onDeleted={onDeleted} />}</Loaded>;
}

interface OfUserProps {
  readonly user: TeamUser;
  readonly onDeleted: () => void;
}

function UserDetail({ user, onDeleted }: OfUserProps): ReactNode {
  const { t } = useTranslation();
  const login = loginName(t, user.loginType);
  return (
    <div className="stack">
      <h2>
        <SafeName name={userName(user)} />
      </h2>
      <AccessMark isActive={user.isActive} />
      <UserCommands user={user} onDeleted={onDeleted} />
      <Facts
        facts={[
          fact(t('users.columnLogin'), login),
          fact(t('users.phoneNumber'), user.phoneNumber && <span className="ltr">{user.phoneNumber}</span>),
          fact(t('users.deviceId'), user.deviceId && <span className="ltr">{user.deviceId}</span>),
          fact(t('users.email'), user.email && <SafeName name={user.email} />),
          fact(t('users.role'), roleName(t, user.role)),
          fact(t('users.createdAt'), user.createdAt && <TimeText value={user.createdAt} both />),
          fact(t('users.updatedAt'), user.updatedAt && <TimeText value={user.updatedAt} both />),
          fact(t('users.id'), <code className="ltr">{user.id}</code>),
        ]}
      />
    </div>
  );
}

function UserCommands({ user, onDeleted }: OfUserProps): ReactNode {
  const { t } = useTranslation();
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const setAccess = useAccess();
  const name = visibleName(userName(user));
  const isActive = user.isActive !== false;
  useCommand('users.deactivate', () => setAccess(user, false), isActive);
  const close = (): void => setOpen(undefined);
  return (
    <div className="buttons">
      <Button icon={Pencil} onPress={() => setOpen('edit')}>
        {t('users.edit')}
      </Button>
      {isActive ? (
        <Button icon={UserX} onPress={() => setAccess(user, false)}>
          {t('users.deactivate')}
        </Button>
      ) : (
        <Button icon={UserCheck} onPress={() => setAccess(user, true)}>
          {t('users.activate')}
        </Button>
      )}
      <Button kind="danger" icon={Trash2} onPress={() => setOpen('delete')}>
        {t('users.delete')}
      </Button>
      {open === 'edit' ? <EditUser user={user} name={name} close={close} /> : null}
      {open === 'delete' ? <DeleteUser user={user} name={name} close={close} onDeleted={onDeleted} /> : null}
    </div>
  );
}

/** Grants or revokes access immediately; the notice can undo it if it was known whether the user had access. */
function useAccess(): (user: TeamUser, isActive: boolean) => void {
  const { t } = useTranslation();
  const { notices } = useServices();
  const { call } = useCaller();
  const usersChanged = useReadAgain('users.');
  const setAccess = async ({ id, isActive: before }: TeamUser, isActive: boolean): Promise<void> => {
    const answer = await call('users.update', { userId: id, changes: { isActive } });
    usersChanged();
    if (!answer.ok) return notices.failed(answer.error);
    const user = answer.value;
    const name = visibleName(userName(user));
    // If the service does not state the new access, all that is known is that it accepted the change
    const done = user.isActive === undefined ? 'updated' : user.isActive ? 'activated' : 'deactivated';
    notices.show({
      level: 'info',
      text: t(`users.${done}`, { name }),
      ...(before !== undefined && { undo: () => void setAccess({ ...user, isActive }, before) }),
    });
  };
  return (user, isActive) => void setAccess(user, isActive);
}

/**
 * Edits a user: only the fields that were edited are sent. If somebody else changed the user since the form was opened,
 * the first attempt says so, and the next one builds on their change.
 */
function EditUser({
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
  const usersChanged = useReadAgain('users.');
  const ask = useAsk();
  // The user may be read again while the form is open: it keeps its initial values
  const [before] = useState(user);
  /** Undefined while it is read again. */
  const [seen, setSeen] = useState<TeamUser | undefined>(user);
  const [form, setForm] = useState(() => formOfUser(user));
  const update = useCallMutation('users.update', {
    onFailed: ({ fields = [] }, { userId }) => {
      usersChanged();
      // Without an answer the service has changed nothing, and rereading would delay the next attempt
      if (fields.length === 0) return;
      setSeen(undefined);
      ask('users.get', { userId }).then(setSeen, () => setSeen(user));
    },
    onDone: () => {
      usersChanged();
      notices.show({ level: 'info', text: t('users.updated', { name }) });
      close();
    },
  });
  const problems = userProblems(form, before);
  const formId = useId();
  const canSave = problems.size === 0 && !update.isPending && seen !== undefined;
  const save = (): void => {
    const changes = changesOfUser(before, form);
    if (!canSave || seen === undefined) return;
    if (changes === undefined) close();
    else update.mutate({ userId: before.id, changes, seen });
  };
  return (
    <Dialog
      title={t('users.editTitle', { name })}
      isOpen
      onClose={close}
      isDirty={changesOfUser(before, form) !== undefined}
      actions={
        <>
          <Button onPress={close}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" form={formId} isDisabled={!canSave}>
            {t('common.save')}
          </Button>
        </>
      }
    >
      <FormBody id={formId} onSubmit={save}>
        <UserFields
          form={form}
          change={(change) => setForm({ ...form, ...change })}
          problems={problems}
          failure={update.error?.failure}
          roleNow={before.role}
        />
        <FailurePanel failure={update.error?.failure} isAlert />
      </FormBody>
    </Dialog>
  );
}

/** Deletion cannot be undone: the name must be typed first, and the better alternative is mentioned. */
function DeleteUser({
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
  const usersChanged = useReadAgain('users.');
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  const remove = useCallMutation('users.remove', {
    // Somebody else may have deleted the user, or the response was lost
    onFailed: usersChanged,
    onDone: () => {
      // First closes the inspector, which would otherwise read the user again
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
      <FailurePanel failure={remove.error?.failure} isAlert />
    </Dialog>
  );
}
