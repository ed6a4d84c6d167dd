import { Download, UserPlus } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useTeam, useCaller, useCallMutation, useReadAgain } from '../../queries/use-call.ts';
import { useScreenSearch } from '../../stores/preferences.ts';
import { useCommand, useLocale, useServices } from '../../stores/services.ts';
import { Button, CopyButton } from '../../ui/button.tsx';
import { useSaveCsv } from '../../ui/save-file.ts';
import { CheckField, FormBody, SearchBox, ToggleField } from '../../ui/fields.tsx';
import { Screen } from '../../ui/screen.tsx';
import { ImportUsers } from './import/import-users.tsx';
import { UserInspector } from './user-inspector.tsx';
import { UserList } from './user-list.tsx';
import { userTable, keptText } from './user-words.ts';
import { selectUsers, usersSearchSchema, type UsersSearch } from './users-search.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { userChangesSchema, userName, type CreatedUser } from '../../../shared/domain/team-user.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { Dialog, useFocusAfter } from '../../ui/dialog.tsx';
import { FilterTabs } from '../../ui/select-field.tsx';
import { FailurePanel } from '../../ui/states.tsx';
import { UserFields } from './user-fields.tsx';
import { emptyUserForm, newUserOf, userProblems } from './user-form.ts';
import styles from './users.module.css';

/** All users of the team in one list, filtered and sorted in the page. */
export function UsersScreen(): ReactNode {
  const { t } = useTranslation();
  const [search, change] = useScreenSearch(usersSearchSchema);
  const team = useTeam();
  const choose = (user: UsersSearch['user']): void => change({ user });
  return (
    <Screen
      title={t('users.title')}
      filters={
        <>
          <SearchBox
            label={t('users.search')}
            value={search.search}
            onChange={(text) => change({ search: text })}
            isWide
          />
          <ToggleField
            label={t('users.inactive')}
            value={search.inactive}
            onChange={(inactive) => change({ inactive })}
          />
        </>
      }
      actions={
        <>
          <ImportUsers />
          <ExportUsers search={search} />
          <CreateUser />
        </>
      }
      inspector={
        search.user === undefined ? undefined : (
          <UserInspector userId={search.user} onDeleted={() => choose(undefined)} />
        )
      }
      inspectorLabel={t('users.inspector')}
      onCloseInspector={() => choose(undefined)}
    >
      <UserList team={team} search={search} change={change} />
    </Screen>
  );
}

/** Exports the listed users, with fresh data from the service. */
function ExportUsers({ search }: { readonly search: UsersSearch }): ReactNode {
  const { t } = useTranslation();
  const { notices } = useServices();
  const locale = useLocale();
  const saveCsv = useSaveCsv();
  const { refetch } = useTeam();
  const [isReading, setReading] = useState(false);
  const isGone = useIsGone();
  const save = async (): Promise<void> => {
    setReading(true);
    const { data: team, error } = await refetch();
    // After leaving the screen, nobody wants the file
    if (isGone()) return;
    setReading(false);
    if (error !== null) return notices.failed(error.failure);
    if (team === undefined) return;
    const users = selectUsers(team.users, search, t, locale);
    const saved = await saveCsv((day) => `users-${day}.csv`, userTable(users, t));
    if (saved === 'left') return;
    notices.show({ level: 'info', text: t('users.exported', { count: users.length }) });
  };
  useCommand('users.export', () => void save(), !isReading);
  return (
    <Button icon={Download} isDisabled={isReading} onPress={() => void save()}>
      {t(isReading ? 'users.exporting' : 'users.export')}
    </Button>
  );
}

/** Returns a function that tells whether the component has been unmounted. */
function useIsGone(): () => boolean {
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  return () => isGone.current;
}

/** Creates a user: the login type first, then only the fields that belong to it. */
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
  const usersChanged = useReadAgain('users.');
  const [form, setForm] = useState(emptyUserForm);
  const [failure, setFailure] = useState<Failure>();
  const [isChecked, setChecked] = useState(false);
  const [isSending, setSending] = useState(false);
  // The answer contains a password, which the query cache would keep for minutes
  const { call } = useCaller();
  const formId = useId();
  const submit = async (): Promise<void> => {
    setChecked(true);
    setFailure(undefined);
    const user = newUserOf(form);
    if (user === undefined || isSending) return;
    setSending(true);
    const created = await call('users.create', { user });
    setSending(false);
    // The user may have been created although the response was lost; the advice is then to look for them
    usersChanged();
    if (!created.ok) return setFailure(created.error);
    onCreated(created.value);
    close();
  };
  return (
    <Dialog
      title={t('users.createTitle')}
      isOpen
      onClose={close}
      isDirty={JSON.stringify(form) !== JSON.stringify(emptyUserForm)}
      actions={
        <>
          <Button onPress={close}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" form={formId} isDisabled={isSending}>
            {t('users.createAction')}
          </Button>
        </>
      }
    >
      <FormBody id={formId} onSubmit={() => void submit()}>
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
        <FailurePanel failure={failure} isAlert />
      </FormBody>
    </Dialog>
  );
}

/** The result of creating a user: a password that is shown once, a user who already existed, what was not applied. */
function CreatedDialog({
  created,
  close,
}: {
  readonly created: CreatedUser;
  readonly close: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const name = visibleName(userName(created.user));
  return (
    <Dialog
      title={created.wasExisting ? t('users.existingTitle', { name }) : t('users.createdTitle', { name })}
      isOpen
      // Closing loses the password, so an accidental key press does not close it
      onClose={created.temporaryPassword === undefined ? close : () => undefined}
      isAlert={created.temporaryPassword !== undefined}
      actions={<Button onPress={close}>{t('common.close')}</Button>}
    >
      {created.wasExisting || created.keptFields.length > 0 ? (
        // While a password is shown, the dialog stays open after the change
        <Existing created={created} onChanged={created.temporaryPassword === undefined ? close : undefined} />
      ) : null}
      {created.temporaryPassword === undefined ? null : <Password text={created.temporaryPassword} />}
      {created.wasExisting || created.temporaryPassword !== undefined || !created.user.isActive ? null : (
        <p>{t('users.deviceReady')}</p>
      )}
    </Dialog>
  );
}

function Password({ text }: { readonly text: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <h3>{t('users.passwordTitle')}</h3>
      <p className={styles['password']}>
        <code className="ltr">{text}</code>
      </p>
      <p>{t('users.passwordText')}</p>
      <div className="buttons">
        <CopyButton text={text} label={t('common.copy')} />
      </div>
    </>
  );
}

function Existing({
  created,
  onChanged,
}: {
  readonly created: CreatedUser;
  readonly onChanged: (() => void) | undefined;
}): ReactNode {
  const { t } = useTranslation();
  const usersChanged = useReadAgain('users.');
  const update = useCallMutation('users.update', {
    onDone: () => {
      usersChanged();
      onChanged?.();
    },
  });
  const changes = userChangesSchema.safeParse(
    Object.fromEntries(
      created.keptFields.map(({ name, asked }) => [name, name === 'isActive' ? asked === 'true' : asked]),
    ),
  ).data;
  return (
    <>
      {created.wasExisting ? <p>{t('users.existingText')}</p> : null}
      <ul>
        {created.keptFields.map((field) => (
          <li key={field.name}>{keptText(field, t)}</li>
        ))}
      </ul>
      {update.isSuccess ? <p role="status">{t('users.keptChanged')}</p> : null}
      {changes === undefined || created.keptFields.length === 0 || update.isSuccess ? null : (
        <div className="buttons">
          <Button
            isDisabled={update.isPending}
            onPress={() => update.mutate({ userId: created.user.id, changes })}
          >
            {t('users.updateKept')}
          </Button>
        </div>
      )}
      <FailurePanel failure={update.error?.failure} isAlert />
    </>
  );
}
