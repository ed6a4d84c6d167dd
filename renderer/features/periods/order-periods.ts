import type { Period } from '../../../shared/domain/period.ts';
import type { ServiceId } from '../../../shared/domain/ids.ts';

/** How a period stands to a moment. */
export type Phase = 'now' | 'coming' | 'past' | 'undated';

/** A period of the list. */
export interface ListedPeriod {
  readonly period: Period;
  readonly phase: Phase;
}

/** A time of the service in milliseconds; NaN when it gave none, or none that can be read. */
export function timeOf(text: string | undefined): number {
  return text === undefined ? Number.NaN : Date.parse(text);
}

/** A period without an end goes on; one without any time is undated. */
export function phaseOf({ startAt, endAt }: Period, nowMs: number): Phase {
  const [startMs, endMs] = [timeOf(startAt), timeOf(endAt)];
  if (Number.isNaN(startMs) && Number.isNaN(endMs)) return 'undated';
  if (startMs > nowMs) return 'coming';
  return endMs <= nowMs ? 'past' : 'now';
}

const ranks: Readonly<Record<Phase, number>> = { now: 0, coming: 1, past: 2, undated: 3 };

/** What goes on stands first; then what comes, the next one first; then what was, the latest first. */
export function orderPeriods(periods: readonly Period[], nowMs: number): readonly ListedPeriod[] {
  return periods
    .map((period) => ({ period, phase: phaseOf(period, nowMs) }))
    .toSorted((one, other) => ranks[one.phase] - ranks[other.phase] || byStart(one, other));
}

function byStart(one: ListedPeriod, other: ListedPeriod): number {
  const sooner = startOf(one) - startOf(other);
  if (Number.isNaN(sooner)) return 0;
  return one.phase === 'coming' ? sooner : -sooner;
}

/** A period that tells only its end is placed by that. */
function startOf({ period }: ListedPeriod): number {
  const startMs = timeOf(period.startAt);
  return Number.isNaN(startMs) ? timeOf(period.endAt) : startMs;
}

/** Ids of the service as keys: 7 and "7" are two. */
export function idKey(id: ServiceId): string {
  return JSON.stringify(id);
}
