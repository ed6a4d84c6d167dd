import type { UseQueryResult } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { Check, CheckCheck } from 'lucide-react';
import { useDeferredValue, useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FailureError } from '../../../shared/domain/failure.ts';
import { MAX_USERS_PER_PAGE, userName, type TeamUser } from '../../../shared/domain/team-user.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { formatCount, zoneName } from '../../format/format.ts';
import { MOST_TEAM_PAGES, type Team } from '../../queries/use-call.ts';
import { useLocale, usePreference, useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { useFocusKept } from '../../ui/dialog.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import type { GridColumn } from '../../ui/grid-head.tsx';
import { SafeName } from '../../ui/safe-name.tsx';
import { EmptyState, FailurePanel, LoadingState } from '../../ui/states.tsx';
import { ShortTime } from '../../ui/time-text.tsx';
import { BulkBar, useMarks, type Marks } from './bulk-bar.tsx';
import { headings, SortUsers } from './sort-users.tsx';
import { loginName, roleName } from './user-words.ts';
import { selectUsers, sortedBy, type ChangeUsers, type UsersSearch } from './users-search.ts';
import styles from './users.module.css';

interface ListProps {
  readonly search: UsersSearch;
  readonly change: ChangeUsers;
}

/** The users that match, and the commands for marked ones. */
export function UserList({
  team,
  search,
  change,
}: ListProps & {
  readonly team: Pick<UseQueryResult<Team, FailureError>, 'data' | 'error' | 'refetch'>;
}): ReactNode {
  const { t } = useTranslation();
  const locale = useLocale();
  const { data, error, refetch } = team;
  const asked = useDeferredValue(search);
  const all = data?.users;
  const shown = useMemo(
    () => (all === undefined ? [] : selectUsers(all, asked, t, locale)),
    [all, asked, t, locale],
  );
  const marks = useMarks(JSON.stringify([search.search, search.inactive]), shown);
  const list = useFocusKept<HTMLDivElement>(marks.users.length === 0);
  const failure =
    error === null ? null : <FailurePanel failure={error.failure} onRetry={() => void refetch()} />;
  if (data === undefined) return failure ?? <LoadingState />;
  return (
    <div ref={list} className={styles['list']}>
      {/* Earlier data stays visible */}
      <div>
        {failure}
        <SortUsers search={search} change={change} />
      </div>
      {shown.length === 0 ? (
        <NoUsers search={search} change={change} areHidden={data.users.length > 0} />
      ) : (
        <UserGrid users={shown} marks={marks} search={search} change={change} />
      )}
      <BulkBar marks={marks} />
      <Foot team={data} shown={shown} marks={marks} />
    </div>
  );
}

function NoUsers({
  search,
  change,
  areHidden,
}: ListProps & {
  /** The team has users, but all of them are inactive. */
  readonly areHidden: boolean;
}): ReactNode {
  const { t } = useTranslation();
  if (search.search.trim() === '')
    return (
      <EmptyState title={t('users.emptyTitle')}>
        {t(areHidden ? 'users.emptyActive' : 'users.emptyText')}
      </EmptyState>
    );
  const showAll = (): void => change({ search: '' });
  return (
    <EmptyState
      title={t('users.emptyFiltered')}
      action={<Button onPress={showAll}>{t('users.showAll')}</Button>}
    >
      {search.inactive ? null : t('users.emptyActive')}
    </EmptyState>
  );
}

function UserGrid({
  users,
  marks,
  search,
  change,
}: ListProps & { readonly users: readonly TeamUser[]; readonly marks: Marks }): ReactNode {
  const { t } = useTranslation();
  const { clock } = useServices();
  const times = usePreference((preferences) => preferences.times);
  const zone = zoneName(clock.now(), times, useLocale());
  const columns = useMemo(() => userColumns(t, zone, marks), [t, zone, marks]);
  const { user: chosen, sort, order } = search;
  return (
    <DataGrid
      label={t('users.list')}
      listKey={JSON.stringify(['users', { ...search, user: undefined }])}
      columns={columns}
      rowCount={users.length}
      rowAt={(index) => users[index]}
      rowId={rowId}
      cursorId={chosen === undefined ? undefined : String(chosen)}
      onCursor={(user) => change({ user: user.id })}
      placeOf={(id) => {
        const index = users.findIndex((user) => rowId(user) === id);
        return Promise.resolve(index < 0 ? undefined : index);
      }}
      sort={{ columnId: sort, order }}
      onSort={(column) => change(sortedBy(column, search))}
      marked={marks.ids}
      onMark={marks.toggle}
    />
  );
}

const rowId = ({ id }: TeamUser): string => String(id);

/** The columns of the user grid: all but the marks are sortable. */
function userColumns(t: TFunction, zone: string, marks: Marks): readonly GridColumn<TeamUser>[] {
  const sorted: readonly Omit<GridColumn<TeamUser>, 'isSortable'>[] = [
    {
      id: 'access',
      heading: t(headings.access),
      minWidth: 90,
      cell: (user) => <AccessMark isActive={user.isActive} />,
    },
    {
      id: 'name',
      heading: t(headings.name),
      minWidth: 150,
      share: 1,
      cell: (user) => <SafeName name={userName(user)} tip />,
    },
    {
      id: 'contact',
      heading: t(headings.contact),
      minWidth: 140,
      share: 0.6,
      cell: ({ phoneNumber, deviceId }) => (
        <span className="ltr" title={phoneNumber || deviceId}>
          {phoneNumber || deviceId}
        </span>
      ),
    },
    {
      id: 'email',
      heading: t(headings.email),
      minWidth: 110,
      share: 0.9,
      cell: ({ email = '' }) => <SafeName name={email} tip />,
    },
    {
      id: 'role',
      heading: t(headings.role),
      minWidth: 96,
      cell: ({ role }) => roleName(t, role),
    },
    {
      id: 'login',
      heading: t(headings.login),
      minWidth: 110,
      cell: ({ loginType }) => loginName(t, loginType),
    },
    {
      id: 'updated',
      heading: t('users.columnUpdatedIn', { zone }),
      // Fits a year, and the zone of the other season
      minWidth: 226,
      cell: ({ updatedAt }) => <ShortTime value={updatedAt} isZoneKnown room={29} />,
    },
  ];
  return [
    {
      id: 'mark',
      heading: t('users.columnMark'),
      isSilent: true,
      minWidth: 36,
      cell: (user) => <MarkBox user={user} marks={marks} />,
    },
    ...sorted.map((column) => ({ ...column, isSortable: true })),
  ];
}

/** A button to mark a user with the pointer; keyboard users mark rows in the grid. */
function MarkBox({ user, marks }: { readonly user: TeamUser; readonly marks: Marks }): ReactNode {
  const { t } = useTranslation();
  const isMarked = marks.ids.has(String(user.id));
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-pressed={isMarked}
      aria-label={t('common.mark', { name: visibleName(userName(user)) })}
      className={styles['mark']}
      // Keeps the focus in the grid; marking a row does not select it
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

/** How many users there are and how many were read, with a button to mark them all. */
function Foot({
  team,
  shown,
  marks,
}: {
  readonly team: Team;
  readonly shown: readonly TeamUser[];
  readonly marks: Marks;
}): ReactNode {
  const { t } = useTranslation();
  const locale = useLocale();
  const { pages, pagesRead } = team;
  const isCut = pages > pagesRead && pagesRead >= MOST_TEAM_PAGES;
  const areAllMarked = shown.length > 0 && shown.every(({ id }) => marks.ids.has(String(id)));
  return (
    <section aria-label={t('users.foot')} className={styles['pager']}>
      <span role="status">{t('users.count', { count: shown.length })}</span>
      {pages === pagesRead ? null : isCut ? (
        <span className="warning">
          {t('users.cut', { most: formatCount(MOST_TEAM_PAGES * MAX_USERS_PER_PAGE, locale) })}
        </span>
      ) : (
        <span className="dim">{t('users.reading', { page: pagesRead, pages })}</span>
      )}
      <Button
        kind="quiet"
        icon={CheckCheck}
        isDisabled={shown.length === 0}
        onPress={() => marks.toggleAll(shown)}
      >
        {areAllMarked ? t('common.unmark') : t('users.markAll', { count: shown.length })}
      </Button>
    </section>
  );
}

/** Whether a user can sign in, as glyph and word. */
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
