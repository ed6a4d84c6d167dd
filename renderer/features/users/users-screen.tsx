import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_USERS_PER_PAGE, type TeamUser, type UserPage } from '../../../shared/domain/team-user.ts';
import { SERVICE_REFRESH_MS, useRead } from '../../queries/use-call.ts';
import { useScreenSearch } from '../../stores/screen-search.ts';
import { Button } from '../../ui/button.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import { Screen } from '../../ui/screen.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { EmptyState, FailurePanel, LoadingState } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { ToggleField } from '../../ui/toggle-field.tsx';
import { CreateUser } from './create-user.tsx';
import { userColumns } from './user-columns.tsx';
import { UserInspector } from './user-inspector.tsx';
import {
  filterOf,
  isBadPhone,
  usersSearchSchema,
  type ChangeUsers,
  type UsersSearch,
} from './users-search.ts';
import styles from './users.module.css';

/** The users of the team, page by page as the service gives them. */
export function UsersScreen(): ReactNode {
  const { t } = useTranslation();
  const [search, change] = useScreenSearch(usersSearchSchema);
  return (
    <Screen
      title={t('users.title')}
      filters={<UserFilters search={search} change={change} />}
      actions={<CreateUser />}
      inspector={<UserInspector userId={search.user} />}
      inspectorLabel={t('users.inspector')}
    >
      <UserList search={search} change={change} />
    </Screen>
  );
}

function UserFilters({
  search,
  change,
}: {
  readonly search: UsersSearch;
  readonly change: ChangeUsers;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <SearchBox
        label={t('users.phoneFilter')}
        value={search.phone}
        onChange={(phone) => change({ phone, page: 1 })}
      />
      {isBadPhone(search.phone) ? <span className={styles['hint']}>{t('users.badPhone')}</span> : null}
      <div className={styles['filter']}>
        <TextField
          aria-label={t('users.deviceFilter')}
          placeholder={t('users.deviceFilter')}
          value={search.device}
          onChange={(device) => change({ device, page: 1 })}
        />
      </div>
      <ToggleField
        label={t('users.inactive')}
        value={search.inactive}
        onChange={(inactive) => change({ inactive, page: 1 })}
      />
    </>
  );
}

function UserList({
  search,
  change,
}: {
  readonly search: UsersSearch;
  readonly change: ChangeUsers;
}): ReactNode {
  const { t } = useTranslation();
  const { data, error, refetch } = useRead(
    'users.list',
    { filter: filterOf(search), page: search.page, perPage: MAX_USERS_PER_PAGE },
    { refreshMs: SERVICE_REFRESH_MS },
  );
  if (error !== null) return <FailurePanel failure={error.failure} onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingState />;
  if (data.users.length === 0) {
    const isFiltered = search.phone !== '' || search.device !== '';
    return isFiltered ? (
      <EmptyState
        title={t('users.emptyFiltered')}
        action={
          <Button onPress={() => change({ phone: '', device: '', page: 1 })}>{t('users.showAll')}</Button>
        }
      />
    ) : (
      <EmptyState title={t('users.emptyTitle')}>{t('users.emptyText')}</EmptyState>
    );
  }
  return (
    <div className={styles['list']}>
      <UserGrid page={data} chosen={search.user} change={change} />
      <Pager page={data} change={change} />
    </div>
  );
}

function UserGrid({
  page,
  chosen,
  change,
}: {
  readonly page: UserPage;
  readonly chosen: UsersSearch['user'];
  readonly change: ChangeUsers;
}): ReactNode {
  const { t } = useTranslation();
  const columns = useMemo(() => userColumns(t), [t]);
  return (
    <DataGrid
      label={t('users.list')}
      columns={columns}
      rowCount={page.users.length}
      rowAt={(index) => page.users[index]}
      rowId={rowId}
      cursorId={chosen === undefined ? undefined : String(chosen)}
      onCursor={(user) => change({ user: user.id })}
    />
  );
}

const rowId = ({ id }: TeamUser): string => String(id);

function Pager({ page, change }: { readonly page: UserPage; readonly change: ChangeUsers }): ReactNode {
  const { t } = useTranslation();
  const { page: number, totalPages, totalCount } = page;
  return (
    <nav aria-label={t('users.page', { page: number, pages: totalPages })} className={styles['pager']}>
      <span>{t('users.count', { count: totalCount })}</span>
      <Button
        kind="quiet"
        icon={ChevronLeft}
        aria-label={t('users.previous')}
        isDisabled={number <= 1}
        onPress={() => change({ page: number - 1 })}
      />
      <span>{t('users.page', { page: number, pages: totalPages })}</span>
      <Button
        kind="quiet"
        icon={ChevronRight}
        aria-label={t('users.next')}
        isDisabled={number >= totalPages}
        onPress={() => change({ page: number + 1 })}
      />
    </nav>
  );
}
