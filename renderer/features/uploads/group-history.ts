import type { History, HistoryEvent, HistoryFacts } from '../../../shared/domain/upload-history.ts';

/** How a try ended, or that it is under way. */
export type TryEnd = 'failed' | 'given-up' | 'stopped' | 'lost' | 'sent' | 'running';

interface Item {
  readonly key: string;
  /** ISO 8601 UTC; of a try when it ended, or when it began while it is under way. */
  readonly at: string;
  /** Since what stands before it ended, milliseconds; undefined for the first. */
  readonly sinceLastMs: number | undefined;
}

/** A try with what was opened and acknowledged in it. */
export interface TryItem extends Item {
  readonly kind: 'try';
  readonly end: TryEnd;
  /** From 1 on, those that were merged included. */
  readonly number: number;
  readonly tookMs: number | undefined;
  readonly startedAt: string | undefined;
  readonly steps: readonly HistoryEvent[];
  /** How it ended; undefined while it is under way. */
  readonly event: HistoryEvent | undefined;
}

/** Anything else that happened. */
export interface EventItem extends Item {
  readonly kind: 'event';
  readonly event: HistoryEvent;
  readonly tookMs: number | undefined;
}

/** A line of the time line. */
export type TimelineItem = TryItem | EventItem;

/** What a time line shows. */
export interface Timeline {
  /** Newest first. */
  readonly items: readonly TimelineItem[];
  /** Tries so far, the merged ones and the one under way included. */
  readonly tries: number;
}

/** Groups what belongs to one try, numbers the tries, and says how long each took and how long nothing happened before it. */
export function groupHistory({ events, runningSince }: History): Timeline {
  const items: TimelineItem[] = [];
  let steps: HistoryEvent[] = [];
  let tries = 0;
  let lastAt: string | undefined;
  const place = (key: string, from: string, at: string): Item => {
    const sinceLastMs = lastAt === undefined ? undefined : Math.max(0, Date.parse(from) - Date.parse(lastAt));
    lastAt = at;
    return { key, at, sinceLastMs };
  };
  const addTry = (key: string, startedAt: string | undefined, event: HistoryEvent | undefined): void => {
    const at = event?.at ?? startedAt ?? '';
    tries += 1;
    items.push({
      ...place(key, startedAt ?? at, at),
      kind: 'try',
      end: event === undefined ? 'running' : endOf(event.facts),
      number: tries,
      tookMs: event && tookMs(event),
      startedAt,
      steps,
      event,
    });
    steps = [];
  };
  for (const event of events) {
    const { facts, at, startedAt } = event;
    const key = `${event.sequence} ${at}`;
    if (facts.kind === 'opened' || facts.kind === 'parts') steps.push(event);
    else if (facts.kind === 'tried' || facts.kind === 'uploaded') addTry(key, startedAt, event);
    else {
      if (facts.kind === 'merged') tries += facts.tries;
      items.push({ ...place(key, startedAt ?? at, at), kind: 'event', event, tookMs: tookMs(event) });
    }
  }
  if (runningSince !== undefined) addTry(`running ${runningSince}`, runningSince, undefined);
  else items.push(...steps.map((event) => leftStep(event, place)));
  return { items: items.toReversed(), tries };
}

/** A step whose try has no end in the history: shown by itself. */
function leftStep(event: HistoryEvent, place: (key: string, from: string, at: string) => Item): EventItem {
  const { at, sequence } = event;
  return { ...place(`${sequence} ${at}`, at, at), kind: 'event', event, tookMs: undefined };
}

function endOf(facts: HistoryFacts): TryEnd {
  return facts.kind === 'tried' ? facts.end : 'sent';
}

function tookMs({ at, startedAt }: HistoryEvent): number | undefined {
  return startedAt === undefined ? undefined : Math.max(0, Date.parse(at) - Date.parse(startedAt));
}
