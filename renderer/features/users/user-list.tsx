import type { TFunction } from 'i18next';
import { Check, CheckCheck, ChevronLeft, ChevronRight } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  MAX_USERS_PER_PAGE,
  userName,
  type TeamUser,
  type UserFilter,
  type UserPage,
} from '../../../shared/domain/team-user.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { SERVICE_REFRESH_MS, useRead } from '../../queries/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import type { GridColumn } from '../../ui/grid-head.tsx';
import { SafeName } from '../../ui/safe-name.tsx';
import { EmptyState, FailurePanel, LoadingState } from '../../ui/states.tsx';
import { ShortTime } from '../../ui/time-text.tsx';
import { BulkBar, useMarks, type Marks } from './bulk-bar.tsx';
import { loginName, roleName } from './user-words.ts';
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

/** The columns of the user grid. */
function userColumns(t: TFunction, marks: Marks): readonly GridColumn<TeamUser>[] {
  return [
    {
      id: 'mark',
      heading: t('users.columnMark'),
      minWidth: 60,
      cell: (user) => <MarkBox user={user} marks={marks} />,
    },
    {
      id: 'active',
      heading: t('users.columnActive'),
      minWidth: 98,
      cell: (user) => <AccessMark isActive={user.isActive} />,
    },
    {
      id: 'name',
      heading: t('users.columnName'),
      minWidth: 150,
      share: 1,
      cell: (user) => <SafeName name={userName(user)} tip />,
    },
    {
      id: 'login',
      heading: t('users.columnLogin'),
      minWidth: 92,
      cell: ({ loginType }) => loginName(t, loginType),
    },
    {
      id: 'contact',
      heading: t('users.columnContact'),
      minWidth: 150,
      share: 0.7,
      cell: ({ phoneNumber, deviceId }) => (
        <span className="ltr" title={phoneNumber || deviceId}>
          {phoneNumber || deviceId}
        </span>
      ),
    },
    {
      id: 'role',
      heading: t('users.columnRole'),
      minWidth: 96,
      cell: ({ role }) => roleName(t, role),
    },
    {
      id: 'updated',
      heading: t('users.columnUpdated'),
      // A year, and a zone like "GMT+10:30"
      minWidth: 208,
      cell: ({ updatedAt }) => <ShortTime value={updatedAt} />,
    },
  ];
}

/** Marks a user with the pointer; the keyboard does it on the grid. */
function MarkBox({ user, marks }: { readonly user: TeamUser; readonly marks: Marks }): ReactNode {
  const { t } = useTranslation();
  const isMarked = marks.ids.has(String(user.id));
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-pressed={isMarked}
      aria-label={t('users.mark', { name: visibleName(userName(user)) })}
      className={styles['mark']}
      // The focus stays in the grid, and the row is not chosen by being marked
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => {
        event.stopPropagation();
        marks.toggle(user);
      }}
    >
      <span aria-hidden>{isMarked ? <Check size={12} /> : null}</span>
    </button>
  );
}

/** How many users there are, and the way to the other pages. */
function Pager({
  page,
  marks,
  change,
}: {
  readonly page: UserPage;
  readonly marks: Marks;
  readonly change: ChangeUsers;
}): ReactNode {
  const { t } = useTranslation();
  const { page: number, totalPages, totalCount, users } = page;
  const where = t('users.page', { page: number, pages: totalPages });
  return (
    <section aria-label={t('users.pages')} className={styles['pager']}>
      <span>{t('users.count', { count: totalCount })}</span>
      <Button
        kind="quiet"
        icon={CheckCheck}
        isDisabled={users.length === 0}
        onPress={() => marks.toggleAll(users)}
      >
        {t('users.markPage')}
      </Button>
      <Button
        kind="quiet"
        pointsOn
        icon={ChevronLeft}
        aria-label={t('users.previous')}
        isDisabled={number <= 1}
        onPress={() => change({ page: number - 1 })}
      />
      <span role="status">{where}</span>
      <Button
        kind="quiet"
        pointsOn
        icon={ChevronRight}
        aria-label={t('users.next')}
        isDisabled={number >= totalPages}
        onPress={() => change({ page: number + 1 })}
      />
    </section>
  );
}

/** Whether a user can log in: glyph and word. */
export function AccessMark({ isActive }: { readonly isActive: boolean | undefined }): ReactNode {
  const { t } = useTranslation();
  if (isActive === undefined) return <span className="dim">{t('users.unknown')}</span>;
  return isActive ? (
    <span>
      <span aria-hidden>● </span>
      {t('users.active')}
    </span>
  ) : (
    <span className="dim">
      <span aria-hidden>○ </span>
      {t('users.noAccess')}
    </span>
  );
}
