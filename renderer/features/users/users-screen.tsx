import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useScreenSearch } from '../../stores/screen-search.ts';
import { Screen } from '../../ui/screen.tsx';
import { CreateUser } from './create-user.tsx';
import { ExportUsers } from './export-users.tsx';
import { ImportUsers } from './import/import-users.tsx';
import { UserFilters } from './user-filters.tsx';
import { UserInspector } from './user-inspector.tsx';
import { UserList } from './user-list.tsx';
import { useSettled } from './use-settled.ts';
import { filterOf, usersSearchSchema } from './users-search.ts';

/** The users of the team, page by page as the service gives them. */
export function UsersScreen(): ReactNode {
  const { t } = useTranslation();
  const [search, change] = useScreenSearch(usersSearchSchema);
  const phone = useSettled(search.phone);
  const device = useSettled(search.device);
  const { inactive } = search;
  const filter = useMemo(() => filterOf({ phone, device, inactive }), [phone, device, inactive]);
  return (
    <Screen
      title={t('users.title')}
      filters={<UserFilters search={search} change={change} />}
      actions={
        <>
          <ImportUsers />
          <ExportUsers filter={filter} />
          <CreateUser />
        </>
      }
      inspector={<UserInspector userId={search.user} onDeleted={() => change({ user: undefined })} />}
      inspectorLabel={t('users.inspector')}
    >
      <UserList filter={filter} search={search} change={change} />
    </Screen>
  );
}
