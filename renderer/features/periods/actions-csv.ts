import type { TFunction } from 'i18next';
import type { Action } from '../../../shared/domain/action.ts';

/** Between several values in one cell. */
const SEPARATOR = '; ';
/** Longest name of a period in a file name, characters. */
const MAX_NAME = 40;

type Column = readonly [heading: string, value: (action: Action) => string | number | undefined];

/**
 * The actions as a table: headings, then a row each. Times stay as the service wrote them, in UTC. `read` is how many
 * could be read where the service has more: the last row says so.
 */
export function actionTable(
  actions: readonly Action[],
  fields: readonly string[],
  t: TFunction,
  read?: number,
): readonly (readonly (string | number)[])[] {
  const columns = [...actionColumns(t), ...fields.map((name) => fieldColumn(name, t)), ...lastColumns(t)];
  return [
    columns.map(([heading]) => heading),
    ...actions.map((action) => columns.map(([, value]) => value(action) ?? '')),
    ...(read === undefined ? [] : [[t('periods.incomplete', { count: read })]]),
  ];
}

function actionColumns(t: TFunction): readonly Column[] {
  const utc = (key: string): string => t('periods.csvUtc', { column: t(key) });
  return [
    [t('periods.periodActionId'), (action) => action.periodActionId],
    [t('periods.actionId'), (action) => action.actionId],
    [t('periods.periodId'), (action) => action.periodId],
    [t('periods.period'), (action) => action.periodName],
    [t('periods.csvKind'), (action) => action.classification],
    [t('periods.csvSub'), (action) => action.subClassification],
    [t('periods.columnStatus'), (action) => action.status],
    [utc('periods.columnCreated'), (action) => action.createdAt],
    [utc('periods.columnAssigned'), (action) => action.assignedAt],
    [utc('periods.columnDoing'), (action) => action.doingAt],
    [utc('periods.columnClosed'), (action) => action.closedAt],
    [t('periods.columnCreatedBy'), (action) => action.createdBy],
    [t('periods.columnUsers'), (action) => action.assignedUsers.join(SEPARATOR)],
    [t('periods.columnChannel'), (action) => action.channel],
    [t('periods.latestChannel'), (action) => action.latestChannel],
    [t('periods.columnMarker'), (action) => action.periodMarker],
    [t('periods.formType'), (action) => action.formType],
    [t('periods.ai'), ({ aiDispatched }) => yesNo(aiDispatched, t)],
  ];
}

function yesNo(value: boolean | undefined, t: TFunction): string | undefined {
  return value === undefined ? undefined : t(value ? 'common.yes' : 'common.no');
}

function fieldColumn(name: string, t: TFunction): Column {
  return [
    t('periods.csvField', { name }),
    (action) => action.formFields.find((field) => field.name === name)?.values.join(SEPARATOR),
  ];
}

function lastColumns(t: TFunction): readonly Column[] {
  return [
    [t('periods.csvMissing'), ({ missingFields }) => missingFields.join(SEPARATOR)],
    [t('periods.csvNotes'), ({ notes }) => notes.join(SEPARATOR)],
  ];
}

/** Name of the file: what every file system takes of the period's name, and the day. */
export function csvFileName(periodName: string, day: string): string {
  const plain = periodName
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, MAX_NAME);
  return `${['actions', plain, day].filter(Boolean).join('-')}.csv`;
}

/** An action as lines of text, for a message or a log book: everything that is known of it, times in UTC. */
export function actionText(action: Action, fields: readonly string[], t: TFunction): string {
  const [names = [], values = []] = actionTable([action], fields, t);
  return names
    .map((name, index) => ({ name, value: values[index] ?? '' }))
    .filter(({ value }) => value !== '')
    .map(({ name, value }) => `${name}: ${value}`)
    .join('\n');
}
