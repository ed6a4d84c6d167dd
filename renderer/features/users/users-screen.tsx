import { Download } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useTeam } from '../../queries/use-team.ts';
import { useScreenSearch } from '../../stores/preferences.ts';
import { useCommand, useLocale, useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { useSaveCsv } from '../../ui/save-file.ts';
import { SearchBox, ToggleField } from '../../ui/fields.tsx';
import { Screen } from '../../ui/screen.tsx';
import { CreateUser } from './create-user.tsx';
import { ImportUsers } from './import/import-users.tsx';
import { UserInspector } from './user-inspector.tsx';
import { UserList } from './user-list.tsx';
import { userTable } from './user-words.ts';
import { selectUsers, usersSearchSchema, type UsersSearch } from './users-search.ts';

/** The users of the team: all of them in one list, narrowed and sorted here. */
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

/** Saves the users that are listed, as they are at the service now. */
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
    // Who left the screen wants no file any more
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

/** Whether the component that asks has left the page by then. */
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
