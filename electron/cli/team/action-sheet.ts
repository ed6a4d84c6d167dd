import type { Action } from '../../../shared/domain/action.ts';
import { fieldText, foundFields } from './form-fields.ts';
import type { Sheet } from '../write-list.ts';

const SEPARATOR = '; ';

const columns = [
  ['id', ({ id }) => String(id)],
  ['actionId', ({ actionId }) => String(actionId ?? '')],
  ['periodActionId', ({ periodActionId }) => String(periodActionId ?? '')],
  ['periodId', ({ periodId }) => String(periodId ?? '')],
  ['periodName', ({ periodName }) => periodName ?? ''],
  ['classification', ({ classification }) => classification ?? ''],
  ['subClassification', ({ subClassification }) => subClassification ?? ''],
  ['status', ({ status }) => status ?? ''],
  ['createdAt', ({ createdAt }) => createdAt ?? ''],
  ['assignedAt', ({ assignedAt }) => assignedAt ?? ''],
  ['doingAt', ({ doingAt }) => doingAt ?? ''],
  ['closedAt', ({ closedAt }) => closedAt ?? ''],
  ['createdBy', ({ createdBy }) => createdBy ?? ''],
  ['periodMarker', ({ periodMarker }) => periodMarker ?? ''],
  ['assignedUsers', ({ assignedUsers }) => assignedUsers.join(SEPARATOR)],
  ['channel', ({ channel }) => channel ?? ''],
  ['formType', ({ formType }) => formType ?? ''],
  ['latestChannel', ({ latestChannel }) => latestChannel ?? ''],
  ['aiDispatched', ({ aiDispatched }) => String(aiDispatched ?? '')],
  ['missingFields', ({ missingFields }) => missingFields.join(SEPARATOR)],
  ['notes', ({ notes }) => notes.join(SEPARATOR)],
] as const satisfies readonly (readonly [string, (action: Action) => string])[];

const names: readonly string[] = columns.map(([name]) => name);

/** Actions with everything but what is in no table; form fields stand behind the rest. */
export function actionSheet(actions: readonly Action[], asked: readonly string[]): Sheet {
  const fields = foundFields(actions, asked);
  return {
    // A form field may be called as a column of the table is
    headings: [...names, ...fields.map((name) => (names.includes(name) ? `${name} (form field)` : name))],
    rows: actions.map((action) => [
      ...columns.map(([, text]) => text(action)),
      ...fields.map((name) => fieldText(action, name, SEPARATOR) ?? ''),
    ]),
  };
}
