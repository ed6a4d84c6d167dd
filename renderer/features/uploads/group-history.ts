import type { TFunction } from 'i18next';
import {
  MOST_AHEAD,
  type History,
  type HistoryEvent,
  type HistoryFacts,
} from '../../../shared/domain/upload-history.ts';

/** How an attempt ended, or that it is running. */
export type TryEnd = 'failed' | 'given-up' | 'stopped' | 'lost' | 'sent' | 'running';

interface Item {
  readonly key: string;
  /** ISO 8601 UTC; of an attempt its end, or its start while it is running. */
  readonly at: string;
  /** Milliseconds since the previous item ended; undefined for the first. */
  readonly sinceLastMs: number | undefined;
}

/** An attempt, with the uploads opened and parts acknowledged in it. */
export interface TryItem extends Item {
  readonly kind: 'try';
  readonly end: TryEnd;
  /** Counted from 1, including merged attempts. */
  readonly number: number;
  readonly tookMs: number | undefined;
  readonly startedAt: string | undefined;
  readonly steps: readonly HistoryEvent[];
  /** The event that ended it; undefined while it is running. */
  readonly event: HistoryEvent | undefined;
}

/** Anything else that happened. */
export interface EventItem extends Item {
  readonly kind: 'event';
  readonly event: HistoryEvent;
  readonly tookMs: number | undefined;
}

/** An item of the timeline. */
export type TimelineItem = TryItem | EventItem;

/** The contents of a timeline. */
export interface Timeline {
  /** Newest first. */
  readonly items: readonly TimelineItem[];
  /** Attempts so far, including merged ones and the running one. */
  readonly tries: number;
}

/** Groups the events of each attempt, numbers the attempts, and adds how long each took and the pause before it. */
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

/** A step of an attempt whose end is not in the history, as an item of its own. */
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

/** Why a clip that could be sent is not sent yet. */
export function turnText(
  turn: NonNullable<History['turn']>,
  t: TFunction,
  show: (time: string) => string,
): string {
  if (turn.isMoved) return t('uploads.history.turn.moved');
  if (turn.goneAt) return t('uploads.history.turn.goneAt', { time: show(turn.goneAt) });
  const words = turn.leaving > 0 ? 'leaving' : 'newer';
  const count = turn[words];
  if (count === 0) return t('uploads.history.turn.first');
  return t(`uploads.history.turn.${words}${count < MOST_AHEAD ? '' : 'Most'}`, { count });
}
