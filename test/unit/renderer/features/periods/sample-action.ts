import type { Action } from '../../../../../shared/domain/action.ts';

/** An action with nothing but what is told of it. */
export function action(fields: Partial<Action> & Pick<Action, 'id'>): Action {
  return { assignedUsers: [], formFields: [], missingFields: [], notes: [], otherFields: [], ...fields };
}
