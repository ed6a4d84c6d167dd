import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SortFields } from '../../ui/select-field.tsx';
import { firstOrder, sortedBy, userSorts, type ChangeUsers, type UsersSearch } from './users-search.ts';
import styles from './users.module.css';

/** The heading of each sortable column. */
export const headings = {
  access: 'users.columnActive',
  name: 'users.columnName',
  contact: 'users.columnContact',
  email: 'users.email',
  role: 'users.columnRole',
  login: 'users.columnLogin',
  updated: 'users.columnUpdated',
} as const;

/** Sort controls that work without the list's headings, which only a pointer can reach. */
export function SortUsers({
  search: { sort, order },
  change,
}: {
  readonly search: UsersSearch;
  readonly change: ChangeUsers;
}): ReactNode {
  const { t } = useTranslation();
  const way = order === 'ascending' ? 'Up' : 'Down';
  return (
    <div className={styles['tools']}>
      <SortFields
        choices={userSorts.map((id) => ({ id, label: t(headings[id]) }))}
        value={sort}
        words={`${sort === 'updated' ? 'Time' : 'Word'}${way}`}
        onChange={(id) => change({ sort: id, order: firstOrder(id) })}
        onTurn={() => change(sortedBy(sort, { sort, order }))}
      />
    </div>
  );
}
