import type { Action } from '../../../shared/domain/action.ts';
import type { OrderWords } from '../../ui/select-field.tsx';
import { timeOf } from './periods.ts';
import { statusRank } from './form-field.ts';

/** Which actions to show. */
export interface ActionFilter {
  /** Key of a classification; undefined for all. */
  readonly kind: string | undefined;
  readonly status: string | undefined;
  /** Only actions dispatched by the AI. */
  readonly ai: boolean;
  readonly search: string;
}

const noFilter: ActionFilter = { kind: undefined, status: undefined, ai: false, search: '' };

/** A value of a filter, with the number of actions it would show. */
export interface Facet {
  readonly key: string;
  /** As the service writes it; empty if it gives none. */
  readonly word: string;
  readonly count: number;
}

/** The values that the filters offer. */
export interface Facets {
  readonly total: number;
  readonly kinds: readonly Facet[];
  readonly statuses: readonly Facet[];
  readonly ai: number;
}

/** The kinds that are always offered, in this order. */
export const knownKinds = ['task', 'incident', 'request', 'checklist'] as const;

/** Normalises a word of the service: case and surrounding spaces do not matter. */
export function keyOf(word: string | undefined): string {
  return (word ?? '').trim().toLowerCase();
}

/** An action with the values the filters compare, computed once for all keystrokes of a search. */
export interface IndexedAction {
  readonly action: Action;
  readonly kind: string;
  readonly status: string;
  readonly text: string;
}

/** Prepares actions for filtering. */
export function indexActions(actions: readonly Action[]): readonly IndexedAction[] {
  return actions.map((action) => ({
    action,
    kind: keyOf(action.classification),
    status: keyOf(action.status),
    text: searchText(action),
  }));
}

/** Counts what each filter value would show while the other filters stay as they are. */
export function countFacets(actions: readonly IndexedAction[], filter: ActionFilter): Facets {
  const found = filterActions(actions, { ...noFilter, search: filter.search });
  const rest = (change: Partial<ActionFilter>): readonly IndexedAction[] =>
    filterActions(found, { ...filter, search: '', ...change });
  const anyKind = rest({ kind: undefined });
  const kinds = countWords(anyKind.map(({ action }) => action.classification));
  const always = knownKinds.map((key) => kinds.get(key) ?? { key, word: key, count: 0 });
  const others = [...kinds.values()].filter(({ key }) => !knownKinds.some((known) => known === key));
  const statuses = countWords(actions.map(({ action }) => action.status));
  const shown = countWords(rest({ status: undefined }).map(({ action }) => action.status));
  return {
    total: anyKind.length,
    kinds: [...always, ...others.toSorted(byWord)],
    // A status keeps its position while others are chosen
    statuses: [...statuses.values()]
      .map((facet) => ({ ...facet, count: shown.get(facet.key)?.count ?? 0 }))
      .toSorted((one, other) => statusRank(one.key) - statusRank(other.key) || byWord(one, other)),
    ai: rest({ ai: true }).length,
  };
}

function countWords(words: readonly (string | undefined)[]): ReadonlyMap<string, Facet> {
  const facets = new Map<string, Facet>();
  for (const word of words) {
    const key = keyOf(word);
    const { count = 0 } = facets.get(key) ?? {};
    facets.set(key, { key, word: facets.get(key)?.word ?? (word ?? '').trim(), count: count + 1 });
  }
  return facets;
}

function byWord(one: Facet, other: Facet): number {
  // Empty words come last
  if (one.key === '' || other.key === '') return one.key === '' ? 1 : -1;
  return one.key.localeCompare(other.key);
}

/** The matching actions, in their original order. */
export function filterActions(
  actions: readonly IndexedAction[],
  { kind, status, ai, search }: ActionFilter,
): readonly IndexedAction[] {
  const words = foldText(search).split(/\s+/).filter(Boolean);
  return actions.filter(
    (each) =>
      (kind === undefined || each.kind === kind) &&
      (status === undefined || each.status === status) &&
      (!ai || each.action.aiDispatched === true) &&
      words.every((word) => each.text.includes(word)),
  );
}

function searchText(action: Action): string {
  return foldText(
    [
      action.classification,
      action.subClassification,
      action.status,
      action.channel,
      action.latestChannel,
      action.formType,
      action.periodMarker,
      action.createdBy,
      ...action.assignedUsers,
      ...action.formFields.flatMap(({ values }) => values),
      String(action.id),
      String(action.actionId ?? ''),
    ].join('\n'),
  );
}

/** Removes case and accents, so that "jurgen" finds Jürgen. */
function foldText(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** The column that actions are sorted by; for a form field, `field:` and its name. */
export interface ActionSort {
  readonly columnId: string;
  readonly order: 'ascending' | 'descending';
}

const FIELD_PREFIX = 'field:';

/** Column ID of a form field. */
export function fieldColumn(name: string): string {
  return FIELD_PREFIX + name;
}

/** Sorts actions; those without a value come last in either order, and equal ones keep their order. */
export function sortActions(
  actions: readonly IndexedAction[],
  { columnId, order }: ActionSort,
  language: string,
): readonly Action[] {
  const { compare } = new Intl.Collator(language, { numeric: true });
  const keyed = actions.map(({ action }) => ({ action, value: sortValue(action, columnId) }));
  const sign = order === 'ascending' ? 1 : -1;
  return keyed
    .toSorted(({ value: one }, { value: other }) => {
      if (one === undefined || other === undefined)
        return Number(one === undefined) - Number(other === undefined);
      const difference =
        typeof one === 'number' && typeof other === 'number'
          ? one - other
          : compare(String(one), String(other));
      return sign * difference;
    })
    .map(({ action }) => action);
}

const timeColumns = new Set(['createdAt', 'assignedAt', 'doingAt', 'closedAt']);

/** The order when a column is first chosen: times newest first, words and numbers ascending. */
export function firstOrder(columnId: string): ActionSort['order'] {
  return timeColumns.has(columnId) ? 'descending' : 'ascending';
}

/** Describes the order of a column: "newest first" is clearer than "descending". */
export function orderWords({ columnId, order }: ActionSort): OrderWords {
  const way = order === 'ascending' ? 'Up' : 'Down';
  if (timeColumns.has(columnId)) return `Time${way}`;
  if (columnId === 'status') return `Status${way}`;
  return columnId === 'ai' ? `Ai${way}` : `Word${way}`;
}

function sortValue(action: Action, columnId: string): string | number | undefined {
  if (columnId.startsWith(FIELD_PREFIX)) {
    const name = columnId.slice(FIELD_PREFIX.length);
    return wordOrNone(action.formFields.find((field) => field.name === name)?.values.join(', '));
  }
  switch (columnId) {
    case 'createdAt':
    case 'assignedAt':
    case 'doingAt':
    case 'closedAt':
      return timeOrNone(action[columnId]);
    case 'status':
      return action.status === undefined ? undefined : statusRank(keyOf(action.status));
    case 'kind':
      return wordOrNone(action.classification);
    case 'sub':
      return wordOrNone(action.subClassification);
    case 'users':
      return wordOrNone(action.assignedUsers.join(', '));
    case 'channel':
      return wordOrNone(action.latestChannel ?? action.channel);
    case 'marker':
      return wordOrNone(action.periodMarker);
    case 'createdBy':
      return wordOrNone(action.createdBy);
    case 'ai':
      return action.aiDispatched === true ? 0 : 1;
    default:
      return undefined;
  }
}

function wordOrNone(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text;
}

function timeOrNone(text: string | undefined): number | undefined {
  const timeMs = timeOf(text);
  return Number.isNaN(timeMs) ? undefined : timeMs;
}
