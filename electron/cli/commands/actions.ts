import type { Action } from '../../../shared/domain/action.ts';
import { err } from '../../../shared/lib/result.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { defineCommand, UsageError, parseId } from '../command.ts';
import { counted } from '../output.ts';
import {
  shortTime,
  tableLines,
  type Column,
  listOptions,
  parseFormat,
  writeList,
  type Sheet,
} from '../table.ts';
import { runTeamWork } from '../report-failure.ts';

/** Most form fields per request, and longest field name in characters: they are sent in a URL. */
const MAX_FORM_FIELDS = 50;
const MAX_FIELD_NAME_LENGTH = 200;
/** Placeholder for a form field that an action does not have. */
const MISSING = '–';
/** Most IDs after one note; `--json` has each note with its action. */
const MAX_IDS = 8;
/** Separator of values in a spreadsheet cell. */
const SEPARATOR = '; ';

/** Lists the actions of a period. */
export const actions = defineCommand({
  name: 'actions',
  usage: ['actions PERIOD [--form-field NAME]... [--json|--csv]'],
  purpose: `Lists the actions of a period. "–" marks a form field that an action does
not have.`,
  operands: { PERIOD: 'ID of the period, as shown by periods' },
  options: {
    'form-field': { value: 'NAME', help: 'also lists this form field; can be repeated', repeatable: true },
    ...listOptions,
  },
  parse(line) {
    const format = parseFormat(line);
    const periodId = parseId(line, 'period');
    const formFields = [...new Set(line.texts('form-field'))];
    if (formFields.length > MAX_FORM_FIELDS)
      throw new UsageError(`--form-field can be given at most ${MAX_FORM_FIELDS} times.`);
    if (formFields.some((name) => name.length > MAX_FIELD_NAME_LENGTH))
      throw new UsageError(`--form-field can have at most ${MAX_FIELD_NAME_LENGTH} characters.`);
    return { config: line.text('config'), periodId, formFields, format };
  },
  run: (input, deps) =>
    runTeamWork({ config: input.config, json: input.format === 'json' }, deps, async (team, signal) => {
      const { periodId, formFields } = input;
      const read = await team.periods.readActions(periodId, formFields, signal);
      if (!read.ok) return read;
      const { items, problem } = read.value;
      if (problem !== undefined && signal.aborted) return err(problem);
      writeList(input.format, deps.output, {
        records: items,
        sheet: () => actionSheet(items, formFields),
        lines: (width) => actionLines(items, formFields, width),
      });
      return problem === undefined ? read : { ...err(problem), isListed: true };
    }),
});

const columns: readonly Column[] = [
  { heading: 'ID' },
  { heading: 'TYPE', widest: 24, least: 8 },
  { heading: 'STATUS', widest: 24, least: 8 },
  { heading: 'CREATED (UTC)' },
  { heading: 'ASSIGNED TO', widest: 40, least: 12, cut: 'end', optional: true },
  { heading: 'CHANNEL', widest: 32, least: 12, optional: true },
];

/** Actions as a table, with their notes and a final line with the count. */
function actionLines(
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

/** A form field requested by name takes priority over channel and people. */
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

/** Each note once, with the actions that have it: a missing field may be noted on hundreds of them. */
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
  return lines.length === 0 ? [] : ['Notes from the service, with the actions they belong to:', ...lines, ''];
}

function absentLines(asked: readonly string[], found: readonly string[]): readonly string[] {
  const absent = asked.filter((name) => !found.includes(name));
  return absent.map((name) => `No action has a form field "${visibleName(name)}".`);
}

function totalLine(actions: readonly Action[]): string {
  const canceled = actions.filter(({ status }) => /^cancell?ed$/i.test(status ?? '')).length;
  return `${counted(actions.length, 'action')}, ${canceled} cancelled.`;
}

const sheetColumns = [
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

const sheetNames: readonly string[] = sheetColumns.map(([name]) => name);

/** Actions with all their columns, followed by form fields. */
function actionSheet(actions: readonly Action[], asked: readonly string[]): Sheet {
  const fields = foundFields(actions, asked);
  return {
    // A form field may have the name of a column
    headings: [
      ...sheetNames,
      ...fields.map((name) => (sheetNames.includes(name) ? `${name} (form field)` : name)),
    ],
    rows: actions.map((action) => [
      ...sheetColumns.map(([, text]) => text(action)),
      ...fields.map((name) => fieldText(action, name, SEPARATOR) ?? ''),
    ]),
  };
}

/** Names of the form fields that were found: requested ones first, in the order requested. */
function foundFields(actions: readonly Action[], asked: readonly string[]): readonly string[] {
  const found = new Set(actions.flatMap(({ formFields }) => formFields.map(({ name }) => name)));
  return [...asked.filter((name) => found.has(name)), ...[...found].filter((name) => !asked.includes(name))];
}

/** The values of a form field, or undefined if the action does not have it. */
function fieldText({ formFields }: Action, name: string, separator: string): string | undefined {
  return formFields.find((field) => field.name === name)?.values.join(separator);
}
