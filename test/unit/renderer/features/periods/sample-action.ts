import type { Action } from '../../../../../shared/domain/action.ts';

/** An action with only the given fields. */
export function action(fields: Partial<Action> & Pick<Action, 'id'>): Action {
  return { assignedUsers: [], formFields: [], missingFields: [], notes: [], otherFields: [], ...fields };
}
