import { useEffect, useMemo, useState } from 'react';
import { z } from 'zod';
import type { Action } from '../../../shared/domain/action.ts';
import { keep, readKept, type TextStorage } from '../../stores/preferences.ts';
import { MAX_FIELD_NAME } from './periods.ts';
import type { TFunction } from 'i18next';

/** The state of a form field in an action. */
export type FormFieldState =
  | { readonly kind: 'values'; readonly text: string }
  /** The action has the field, but it was not filled in. */
  | { readonly kind: 'empty' }
  /** The field was requested, and the service says that the action does not have it. */
  | { readonly kind: 'missing' }
  /** The field was not requested. */
  | { readonly kind: 'untold' };

/** A form field of an action by its name. */
export function fieldState(action: Action, name: string): FormFieldState {
  const field = action.formFields.find((each) => each.name === name);
  if (field === undefined)
    return action.missingFields.includes(name) ? { kind: 'missing' } : { kind: 'untold' };
  const filled = field.values.filter((value) => value !== '');
  return filled.length === 0 ? { kind: 'empty' } : { kind: 'values', text: filled.join(', ') };
}

/** Columns of form fields: the requested ones, then those sent unrequested (service.md gap 19). */
export function fieldNames(actions: readonly Action[], asked: readonly string[]): readonly string[] {
  const came = actions.flatMap(({ formFields }) => formFields.map(({ name }) => name));
  return [...new Set([...asked, ...came])];
}

/** How many of the actions lack a requested field. */
export function countMissing(actions: readonly Action[], name: string): number {
  return actions.filter(({ missingFields }) => missingFields.includes(name)).length;
}

const STORAGE_KEY = 'periods.fields';

/** Limit of remembered names; the oldest are dropped. */
const MOST_NAMES = 200;

const namesSchema = z.array(z.string().min(1).max(MAX_FIELD_NAME)).max(MOST_NAMES);

/** Names of form fields that this desk has seen: the service does not list them. */
export function readSeenFields(storage: TextStorage): readonly string[] {
  return readKept(storage, STORAGE_KEY, namesSchema, []);
}

/** Adds the names that some action actually has, so that misspelt ones are not offered again. */
export function addSeenFields(seen: readonly string[], actions: readonly Action[]): readonly string[] {
  const names = actions.flatMap(({ formFields }) => formFields.map(({ name }) => name));
  const fresh = new Set(
    names.filter((name) => name !== '' && name.length <= MAX_FIELD_NAME && !seen.includes(name)),
  );
  return fresh.size === 0 ? seen : [...seen, ...fresh].slice(-MOST_NAMES);
}

/** The names to offer, kept across page loads. */
export function useSeenFields(actions: readonly Action[]): readonly string[] {
  const [kept] = useState(() => readSeenFields(localStorage));
  const seen = useMemo(() => addSeenFields(kept, actions), [kept, actions]);
  useEffect(() => {
    if (seen !== kept) keep(localStorage, STORAGE_KEY, seen);
  }, [seen, kept]);
  return seen.toSorted((one, other) => one.localeCompare(other));
}

/** The look of a status. Colour marks what is abnormal or in progress; done is quiet. */
type Tone = 'waiting' | 'active' | 'warning' | 'failed' | 'done' | 'canceled' | 'neutral';

interface Look {
  readonly tone: Tone;
  readonly glyph: string;
}

const looks = {
  waiting: { tone: 'waiting', glyph: '○' },
  assigned: { tone: 'waiting', glyph: '◐' },
  active: { tone: 'active', glyph: '▲' },
  held: { tone: 'warning', glyph: '❚❚' },
  raised: { tone: 'warning', glyph: '!' },
  failed: { tone: 'failed', glyph: '✕' },
  done: { tone: 'done', glyph: '✓' },
  canceled: { tone: 'canceled', glyph: '⊘' },
  other: { tone: 'neutral', glyph: '•' },
} as const satisfies Readonly<Record<string, Look>>;

/**
 * Known status words, in the order in which an action goes through them. The service may use others (decisions row 20).
 */
const words: ReadonlyMap<string, Look> = new Map<string, Look>([
  ['new', looks.waiting],
  ['open', looks.waiting],
  ['created', looks.waiting],
  ['pending', looks.waiting],
  ['waiting', looks.waiting],
  ['assigned', looks.assigned],
  ['accepted', looks.assigned],
  ['acknowledged', looks.assigned],
  ['doing', looks.active],
  ['active', looks.active],
  ['ongoing', looks.active],
  ['started', looks.active],
  ['in progress', looks.active],
  ['escalated', looks.raised],
  ['overdue', looks.raised],
  ['late', looks.raised],
  ['on hold', looks.held],
  ['hold', looks.held],
  ['paused', looks.held],
  ['blocked', looks.held],
  ['failed', looks.failed],
  ['rejected', looks.failed],
  ['refused', looks.failed],
  ['done', looks.done],
  ['closed', looks.done],
  ['completed', looks.done],
  ['complete', looks.done],
  ['finished', looks.done],
  ['resolved', looks.done],
  ['canceled', looks.canceled],
  ['cancelled', looks.canceled],
  ['aborted', looks.canceled],
]);
const ranks: ReadonlyMap<string, number> = new Map([...words.keys()].map((word, index) => [word, index]));

/** Treats "in_progress", "In-Progress" and "in progress" as the same word. */
const spaced = (key: string): string => key.replaceAll(/[_\-\s]+/g, ' ');

/** The look of a status by its key (`keyOf`); neutral for an unknown word. */
export function lookOf(key: string): Look {
  return words.get(spaced(key)) ?? looks.other;
}

/** Position of a status in the course of an action; unknown words come last. */
export function statusRank(key: string): number {
  return ranks.get(spaced(key)) ?? ranks.size;
}

/** Separates several values in one cell. */
const SEPARATOR = '; ';
/** Longest part of a file name taken from a period's name, characters. */
const MAX_NAME = 40;

type Column = readonly [heading: string, value: (action: Action) => string | number | undefined];

/**
 * The actions as a table: headings, then a row each. Times stay as the service wrote them, in UTC. `read` is the number
 * of actions read when the service has more: the last row says so.
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
  const utc = (key: string): string => t('common.csvUtc', { column: t(key) });
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

/** File name: the period's name, reduced to characters that every file system accepts, and the day. */
export function csvFileName(periodName: string, day: string): string {
  const plain = periodName
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, MAX_NAME);
  return `${['actions', plain, day].filter(Boolean).join('-')}.csv`;
}

/** An action as lines of text, for a message or a logbook: everything that is known of it, times in UTC. */
export function actionText(action: Action, fields: readonly string[], t: TFunction): string {
  const [names = [], values = []] = actionTable([action], fields, t);
  return names
    .map((name, index) => ({ name, value: values[index] ?? '' }))
    .filter(({ value }) => value !== '')
    .map(({ name, value }) => `${name}: ${value}`)
    .join('\n');
}
