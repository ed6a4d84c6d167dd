import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  MAX_USERS_PER_PAGE,
  type TeamUser,
  type UserFilter,
  type UserPage,
} from '../../../shared/domain/team-user.ts';
import { SERVICE_REFRESH_MS, useRead } from '../../queries/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import { EmptyState, FailurePanel, LoadingState } from '../../ui/states.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { Pager } from './pager.tsx';
import { useMarks, type Marks } from './use-marks.ts';
import { userColumns } from './user-columns.tsx';
import type { ChangeUsers, UsersSearch } from './users-search.ts';
import styles from './users.module.css';

/** One page of users, what can be done with the marked ones, and the way to the other pages. */
export function UserList({
  filter,
  search,
  change,
}: {
  readonly filter: UserFilter;
  readonly search: UsersSearch;
  readonly change: ChangeUsers;
}): ReactNode {
  const marks = useMarks(JSON.stringify(filter));
  const { data, error, refetch } = useRead(
    'users.list',
    { filter, page: search.page, perPage: MAX_USERS_PER_PAGE },
    { refreshMs: SERVICE_REFRESH_MS },
  );
  const failure =
    error === null ? null : <FailurePanel failure={error.failure} onRetry={() => void refetch()} />;
  if (data === undefined) return failure ?? <LoadingState />;
  return (
    <div className={styles['list']}>
      {/* What was read before stays in sight */}
      <div>{failure}</div>
      {data.users.length === 0 ? (
        <NoUsers page={data} search={search} change={change} />
      ) : (
        <UserGrid page={data} marks={marks} chosen={search.user} change={change} />
      )}
      <BulkBar marks={marks} />
      <Pager page={data} marks={marks} change={change} />
    </div>
  );
}

function NoUsers({
  page,
  search,
  change,
}: {
  readonly page: UserPage;
  readonly search: UsersSearch;
  readonly change: ChangeUsers;
}): ReactNode {
  const { t } = useTranslation();
  if (page.totalCount > 0)
    return (
      <EmptyState
        title={t('users.emptyPage')}
        action={<Button onPress={() => change({ page: 1 })}>{t('users.firstPage')}</Button>}
      />
    );
  if (search.phone === '' && search.device === '')
    return <EmptyState title={t('users.emptyTitle')}>{t('users.emptyText')}</EmptyState>;
  const showAll = (): void => change({ phone: '', device: '', page: 1 });
  return (
    <EmptyState
      title={t('users.emptyFiltered')}
      action={<Button onPress={showAll}>{t('users.showAll')}</Button>}
    />
  );
}

function UserGrid({
  page,
  marks,
  chosen,
  change,
}: {
  readonly page: UserPage;
  readonly marks: Marks;
  readonly chosen: UsersSearch['user'];
  readonly change: ChangeUsers;
}): ReactNode {
  const { t } = useTranslation();
  const columns = useMemo(() => userColumns(t, marks), [t, marks]);
  return (
    <DataGrid
      label={t('users.list')}
      columns={columns}
      rowCount={page.users.length}
      rowAt={(index) => page.users[index]}
      rowId={rowId}
      cursorId={chosen === undefined ? undefined : String(chosen)}
      onCursor={(user) => change({ user: user.id })}
      marked={marks.ids}
      onMark={marks.toggle}
    />
  );
}

const rowId = ({ id }: TeamUser): string => String(id);
