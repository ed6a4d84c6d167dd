import type { Action } from '../../../shared/domain/action.ts';
import type { OrderWords } from '../../ui/select-field.tsx';
import { timeOf } from './periods.ts';
import { statusRank } from './form-field.ts';

/** Which actions are shown. */
export interface ActionFilter {
  /** Key of a classification; undefined for all. */
  readonly kind: string | undefined;
  readonly status: string | undefined;
  /** Only those that were dispatched by the AI. */
  readonly ai: boolean;
  readonly search: string;
}

const noFilter: ActionFilter = { kind: undefined, status: undefined, ai: false, search: '' };

/** One value of a filter with the number of actions that it would show. */
export interface Facet {
  readonly key: string;
  /** As the service writes it; empty where it says nothing. */
  readonly word: string;
  readonly count: number;
}

/** What the filters offer. */
export interface Facets {
  readonly total: number;
  readonly kinds: readonly Facet[];
  readonly statuses: readonly Facet[];
  readonly ai: number;
}

/** The kinds that are always offered, in the order in which they are. */
export const knownKinds = ['task', 'incident', 'request', 'checklist'] as const;

/** Words of the service that differ in case and spaces only are the same. */
export function keyOf(word: string | undefined): string {
  return (word ?? '').trim().toLowerCase();
}

/** An action with what the filters look at, made once for all key strokes of a search. */
export interface IndexedAction {
  readonly action: Action;
  readonly kind: string;
  readonly status: string;
  readonly text: string;
}

/** Makes actions ready for the filters. */
export function indexActions(actions: readonly Action[]): readonly IndexedAction[] {
  return actions.map((action) => ({
    action,
    kind: keyOf(action.classification),
    status: keyOf(action.status),
    text: searchText(action),
  }));
}

/** Counts for each filter what it would show while the others stay as they are. */
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
    // A status stays where it is while others are chosen
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
  // What says nothing stands last
  if (one.key === '' || other.key === '') return one.key === '' ? 1 : -1;
  return one.key.localeCompare(other.key);
}

/** The actions that fit, in their order. */
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

/** Without case and accents: who types "jurgen" finds Jürgen. */
function foldText(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** By which column actions stand; columns of form fields are `field:` and their name. */
export interface ActionSort {
  readonly columnId: string;
  readonly order: 'ascending' | 'descending';
}

const FIELD_PREFIX = 'field:';

/** Column of a form field. */
export function fieldColumn(name: string): string {
  return FIELD_PREFIX + name;
}

/** Actions without a value stand last in either order; equal ones keep theirs. */
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

/** Times stand newest first when their column is chosen, words and numbers from the beginning. */
export function firstOrder(columnId: string): ActionSort['order'] {
  return timeColumns.has(columnId) ? 'descending' : 'ascending';
}

/** What the order of a column does: "newest first" says more than "falling". */
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
