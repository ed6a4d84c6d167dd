import type { LoggedRequest } from '../request-log.ts';
import {
  faultRuleSchema,
  type FaultAction,
  type FaultMatch,
  type FaultRule,
  type KnownFaultRule,
} from './fault-rule.ts';
import { createHolds, type Hold, type Holds } from './holds.ts';
import { matchRequest } from './match-request.ts';

/** A rule with its counts. */
export type FaultState = KnownFaultRule & { readonly seen: number; readonly applied: number };

/** The active fault rules. */
export interface FaultBook {
  /** Adds a rule and returns its id; throws when the rule is invalid. */
  add(rule: FaultRule): string;
  remove(id: string): boolean;
  clear(): void;
  list(): readonly FaultState[];
  /** Holds matching requests before (or after) their effect until released. */
  hold(match: FaultMatch, when?: 'before' | 'after'): Hold;
}

export interface ActiveFaultBook extends FaultBook {
  readonly holds: Holds;
  /** The actions for this request: delays, then at most one other. */
  take(request: LoggedRequest): readonly FaultAction[];
}

interface Entry {
  readonly rule: KnownFaultRule;
  seen: number;
  applied: number;
}

export function createFaultBook(random: () => number): ActiveFaultBook {
  let entries: Entry[] = [];
  let count = 0;
  const holds = createHolds();
  return {
    holds,
    hold: holds.hold,
    add(rule) {
      const known = faultRuleSchema.parse(rule);
      count += 1;
      const id = known.id ?? `fault-${count}`;
      entries = [
        ...entries.filter((entry) => entry.rule.id !== id),
        { rule: { ...known, id }, seen: 0, applied: 0 },
      ];
      return id;
    },
    remove(id) {
      const before = entries.length;
      entries = entries.filter((entry) => entry.rule.id !== id);
      return entries.length < before;
    },
    clear() {
      entries = [];
      holds.releaseAll();
    },
    list: () => entries.map(({ rule, seen, applied }) => ({ ...rule, seen, applied })),
    take: (request) => takeActions(entries, request, random),
  };
}

function takeActions(entries: readonly Entry[], request: LoggedRequest, random: () => number): FaultAction[] {
  const actions: FaultAction[] = [];
  for (const entry of entries) {
    if (!applies(entry, request, random)) continue;
    request.faultId = entry.rule.id;
    actions.push(entry.rule.action);
    if (entry.rule.action.kind !== 'delay') break;
  }
  return actions;
}

function applies(entry: Entry, request: LoggedRequest, random: () => number): boolean {
  const { rule } = entry;
  if (!matchRequest(rule.match, request)) return false;
  if (rule.times !== undefined && entry.applied >= rule.times) return false;
  entry.seen += 1;
  if (entry.seen <= rule.skip) return false;
  if (rule.probability < 1 && random() >= rule.probability) return false;
  entry.applied += 1;
  return true;
}
