import { useTranslation } from 'react-i18next';
import { userChangesSchema, type TeamUser, type UserChanges } from '../../../shared/domain/team-user.ts';
import { useServices } from '../../stores/services.ts';
import { countOutcomes, type Outcome } from './run-each.ts';
import { useAttempt } from './use-attempt.ts';
import { useBatch, type Batch } from './use-batch.ts';
import type { Marks } from './use-marks.ts';
import { useUsersChanged } from './use-users-changed.ts';

/** A change that is asked for one of the marked users. */
export interface BulkItem {
  readonly user: TeamUser;
  readonly changes: UserChanges;
}
type BulkOutcome = Outcome<BulkItem, TeamUser>;

/**
 * Changes users one after another. What went well is said in a notice, which takes it back; users with whom it did not
 * go well stay marked.
 */
export function useBulk(marks: Marks): Batch<BulkItem, TeamUser> {
  const { t } = useTranslation();
  const { notices } = useServices();
  const attempt = useAttempt();
  const usersChanged = useUsersChanged();
  return useBatch<BulkItem, TeamUser>(
    ({ user, changes }) => attempt('users.update', { userId: user.id, changes }),
    (outcomes, again) => {
      usersChanged();
      const { done, failed, left } = countOutcomes(outcomes);
      const rest = outcomes.filter(({ kind }) => kind !== 'done');
      marks.set(rest.map(({ item }) => item.user));
      const items = reversed(outcomes);
      const trouble = failed + left === 0 ? '' : ` ${t('users.bulk.notDone', { count: failed + left })}`;
      notices.show({
        level: failed > 0 ? 'failure' : 'info',
        text: t('users.bulk.done', { count: done }) + trouble,
        ...(items.length === 0 ? {} : { undo: () => again(items) }),
      });
    },
  );
}

/** What takes the done changes back; a value that was not known, or no other one, stays. */
function reversed(outcomes: readonly BulkOutcome[]): readonly BulkItem[] {
  return outcomes.flatMap((outcome) => {
    if (outcome.kind !== 'done') return [];
    const { user, changes } = outcome.item;
    const before = {
      ...(changes.isActive === undefined ? {} : { isActive: user.isActive !== false }),
      ...(changes.role === undefined ? {} : { role: user.role }),
    };
    const isSame = before.isActive === changes.isActive && before.role === changes.role;
    const back = userChangesSchema.safeParse(before);
    return isSame || !back.success ? [] : [{ user: outcome.output, changes: back.data }];
  });
}
