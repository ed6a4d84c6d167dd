import type { CreatedUser, NewUser } from '../../../../shared/domain/team-user.ts';
import { useAttempt } from '../use-attempt.ts';
import { useBatch, type Batch } from '../use-batch.ts';
import { useUsersChanged } from '../use-users-changed.ts';
import type { ImportRow } from './check-rows.ts';

/** A row in which nothing is wrong. */
export type ReadyRow = ImportRow & { readonly user: NewUser };

/** Creates the users of rows, one after another. Temporary passwords stand in the outcomes and nowhere else. */
export function useImport(): Batch<ReadyRow, CreatedUser> {
  const attempt = useAttempt();
  const usersChanged = useUsersChanged();
  return useBatch<ReadyRow, CreatedUser>(({ user }) => attempt('users.create', { user }), usersChanged);
}

/** Whether nothing is wrong in a row. */
export function isReady(row: ImportRow): row is ReadyRow {
  return row.user !== undefined;
}
