import type { Action } from '../../../shared/domain/action.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { shortTime } from '../short-time.ts';
import type { Column } from '../table.ts';
import { counted } from '../counted.ts';
import { fieldText, foundFields } from './form-fields.ts';
import { tableLines } from './table-lines.ts';

/** Stands for a form field that an action does not have. */
const MISSING = '–';
/** Most ids that stand behind one note; `--json` has each note with its action. */
const MAX_IDS = 8;

const columns: readonly Column[] = [
  { heading: 'ID' },
  { heading: 'KIND', widest: 24, least: 8 },
  { heading: 'STATUS', widest: 24, least: 8 },
  { heading: 'CREATED (UTC)' },
  { heading: 'ASSIGNED TO', widest: 40, least: 12, cut: 'end', optional: true },
  { heading: 'CHANNEL', widest: 32, least: 12, optional: true },
];

/** Actions as a table, with their notes and a last line that counts them. */
export function actionLines(
  actions: readonly Action[],
  asked: readonly string[],
  width: number | undefined,
): readonly string[] {
  if (actions.length === 0) return ['No actions in this period.'];
  const fields = foundFields(actions, asked);
  const fieldColumns = fields.map((name) => fieldColumn(name, asked.includes(name)));
  const rows = actions.map((action) => [
    ...ownCells(action),
    ...fields.map((name) => fieldText(action, name, ', ') ?? MISSING),
  ]);
  const table = tableLines([...columns, ...fieldColumns], rows, width);
  return [...table, ...noteLines(actions), ...absentLines(asked, fields), totalLine(actions)];
}

/** What was asked for by name has its place before channel and people. */
const fieldColumn = (heading: string, isAsked: boolean): Column => ({
  heading,
  widest: 32,
  least: 8,
  cut: 'end',
  optional: !isAsked,
});

const ownCells = (action: Action): readonly string[] => [
  String(action.id),
  action.classification ?? '',
  action.status ?? '',
  shortTime(action.createdAt),
  action.assignedUsers.join(', '),
  action.channel ?? '',
];

/** Each note once, with the actions that have it: a missing field is noted at hundreds of them. */
function noteLines(actions: readonly Action[]): readonly string[] {
  const idsOf = Map.groupBy(
    actions.flatMap(({ id, notes }) => notes.map((note) => ({ id, note }))),
    ({ note }) => note,
  );
  const lines = [...idsOf].map(([note, found]) => {
    const ids = found.slice(0, MAX_IDS).map(({ id }) => String(id));
    const more = found.length > MAX_IDS ? `, and ${found.length - MAX_IDS} more` : '';
    return visibleName(`  ${note}  (${ids.join(', ')}${more})`);
  });
  return lines.length === 0
    ? []
    : ['Notes of the service, with the actions that they belong to:', ...lines, ''];
}

function absentLines(asked: readonly string[], found: readonly string[]): readonly string[] {
  const absent = asked.filter((name) => !found.includes(name));
  return absent.map((name) => `No action has a form field "${visibleName(name)}".`);
}

function totalLine(actions: readonly Action[]): string {
  const canceled = actions.filter(({ status }) => /^cancell?ed$/i.test(status ?? '')).length;
  return `${counted(actions.length, 'action')}, ${canceled} canceled.`;
}
