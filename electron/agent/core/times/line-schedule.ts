/**
 * The upload line over the week: its limit at any instant, and which incidents will be gone from a watched folder
 * before they are sent. For that, the time at which each is sent in turn is compared with how long exports stay in the
 * folder. Pure; times are milliseconds since 1970.
 */
import {
  type CalendarDate,
  fromAbsolute,
  getDayOfWeek,
  Time,
  toCalendarDate,
  toCalendarDateTime,
  toZoned,
} from '@internationalized/date';
import {
  DAY_MINUTES,
  minutesOf,
  weekdays,
  type ScheduleLimit,
  type ScheduleLine,
} from '../../../../shared/domain/line-schedule.ts';
import type { Failure } from '../../../../shared/domain/failure.ts';
import { type SettingsGroup, valueAt } from '../settings/layer-settings.ts';

/** What applies at a given time: the last matching schedule entry, and when it ends. */
export interface ScheduledLimit {
  /** Undefined: no entry matches, so the usual limit applies. */
  readonly limit: ScheduleLimit | undefined;
  /** When an entry next begins or ends, milliseconds since 1970; undefined: never. */
  readonly untilMs: number | undefined;
}

const limits = ['maxBytesPerSecond', 'schedule', 'onBattery', 'onMetered'] as const;

/** The failure if nobody at this desk can lift the upload limits because `managed` sets one of them. */
export function managedLimits(managed: SettingsGroup): Failure | undefined {
  if (limits.every((name) => valueAt(managed, ['upload', name]) === undefined)) return undefined;
  return {
    code: 'SETTING_MANAGED',
    message: "The upload limits cannot be lifted here: your organisation's policy sets them.",
    advice: 'Ask whoever manages this PC to change them.',
    retryable: false,
  };
}

/** Days to look ahead, in which every entry begins or ends at least once. */
const AHEAD_DAYS = 8;

/**
 * The limit of the schedule at an instant. An entry applies without a break from the first instant at which the clocks
 * of the zone show or have passed its start, until they show or have passed its end. So an hour that the clocks repeat
 * or skip neither interrupts it nor starts it twice. `timeZone` must be a known zone.
 */
export function limitAt(schedule: readonly ScheduleLine[], nowMs: number, timeZone: string): ScheduledLimit {
  const [first = { limit: undefined, untilMs: undefined }] = limitsFrom(schedule, nowMs, timeZone);
  return first;
}

/** The limit as in `limitAt`, and those that follow, one after the other, for at least a week. */
function* limitsFrom(
  schedule: readonly ScheduleLine[],
  nowMs: number,
  timeZone: string,
): Generator<ScheduledLimit> {
  const today = toCalendarDate(fromAbsolute(nowMs, timeZone));
  const runs = schedule.flatMap((line) =>
    [...runsOf(line, today, timeZone)].map((edges) => ({ limit: line.limit, edges })),
  );
  const ahead = new Set(runs.flatMap(({ edges }) => edges).filter((edgeMs) => edgeMs > nowMs));
  let fromMs = nowMs;
  for (const untilMs of [...[...ahead].toSorted((a, b) => a - b), undefined]) {
    const run = runs.findLast(({ edges: [startMs, endMs] }) => startMs <= fromMs && fromMs < endMs);
    yield { limit: run?.limit, untilMs };
    fromMs = untilMs ?? fromMs;
  }
}

/** When the entry begins and ends, from the day before, which may still be running, to the days ahead. */
function* runsOf(
  { days, from, to }: ScheduleLine,
  today: CalendarDate,
  timeZone: string,
): Generator<readonly [number, number]> {
  const [start, end] = [minutesOf(from), minutesOf(to)];
  for (let ahead = -1; ahead <= AHEAD_DAYS; ahead += 1) {
    const day = today.add({ days: ahead });
    const name = weekdays[getDayOfWeek(day, 'en-US', 'mon')];
    if (name === undefined || !days.includes(name)) continue;
    const startMs = firstAt(day, start, timeZone);
    const endMs = firstAt(day, end > start ? end : end + DAY_MINUTES, timeZone);
    // A day that a zone skips, as when it crosses the date line, has no run
    if (startMs < endMs) yield [startMs, endMs];
  }
}

/** The first instant at which the clocks show this many minutes into the day, or later; milliseconds since 1970. */
function firstAt(day: CalendarDate, minutes: number, timeZone: string): number {
  const date = day.add({ days: Math.floor(minutes / DAY_MINUTES) });
  const rest = minutes % DAY_MINUTES;
  const wall = toCalendarDateTime(date, new Time(Math.floor(rest / 60), rest % 60));
  const earlierMs = toZoned(wall, timeZone, 'earlier').toDate().getTime();
  const shown = toCalendarDateTime(fromAbsolute(earlierMs, timeZone));
  if (shown.compare(wall) === 0) return earlierMs;
  // The clocks skipped it: `earlier` has the offset from after the change, `later` the one from before
  let before = earlierMs;
  let after = toZoned(wall, timeZone, 'later').toDate().getTime();
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (toCalendarDateTime(fromAbsolute(middle, timeZone)).compare(wall) < 0) before = middle;
    else after = middle;
  }
  return after;
}

const HOUR_MS = 60 * 60_000;
/**
 * How long before a deadline it is reported, but no longer than `NOTICE_SHARE` of the time that the export is kept: a
 * day, and the time that may pass until the queue is looked at, which is every five minutes.
 */
const NOTICE_MS = 24 * HOUR_MS + 10 * 60_000;
const NOTICE_SHARE = 2 / 3;
/**
 * An incident that goes first continues to do so until its turn would come this much sooner, milliseconds: speeds vary.
 */
const STAYS_MS = 6 * HOUR_MS;

/** Fewest removals that show how long a folder keeps its exports. */
const LEAST_SEEN = 5;
/** The share of exports that may disappear sooner: people delete some by hand. */
const GONE_SOONER = 0.2;

/** How long a folder keeps its exports, by the ages (youngest first) of those that disappeared; undefined: too few. */
export function keptForMs(agesMs: readonly number[]): number | undefined {
  return agesMs.length < LEAST_SEEN ? undefined : agesMs[Math.floor((agesMs.length - 1) * GONE_SOONER)];
}

/** The speed of the line under a limit of its schedule, bytes per second; undefined until measured. */
export type LineSpeed = (limit: ScheduleLimit) => number | undefined;

/** When this many bytes will have been sent if they go first; undefined if never or unknown. */
export type LineForecast = (bytes: number) => number | undefined;

const WEEK_MS = 7 * 24 * HOUR_MS;

interface LineFacts {
  readonly schedule: readonly ScheduleLine[];
  /** The limit when no entry of the schedule matches. */
  readonly usual: ScheduleLimit;
  readonly timeZone: string;
  readonly nowMs: number;
  readonly speed: LineSpeed;
}

/** Forecasts the line from now on: the coming week by its schedule, repeated week after week. */
export function forecastLine({ schedule, usual, timeZone, nowMs, speed }: LineFacts): LineForecast {
  /** Each has one limit; `sentBy` is the number of bytes sent by its end. */
  const stretches: { readonly fromMs: number; readonly rate: number; readonly sentBy: number }[] = [];
  const endMs = nowMs + WEEK_MS;
  let fromMs = nowMs;
  let sent = 0;
  for (const { limit = usual, untilMs = endMs } of limitsFrom(schedule, nowMs, timeZone)) {
    const rate = speed(limit);
    if (rate === undefined) return () => undefined;
    const toMs = Math.min(untilMs, endMs);
    sent += (rate * (toMs - fromMs)) / 1000;
    stretches.push({ fromMs, rate, sentBy: sent });
    if (toMs === endMs) break;
    fromMs = toMs;
  }
  return (bytes) => {
    if (sent === 0) return undefined;
    // Bytes that exactly fill a week are sent by the end of its last busy stretch, not after the rest of the week
    const weeks = Math.max(0, Math.ceil(bytes / sent) - 1);
    const rest = Math.min(sent, bytes - weeks * sent);
    const index = stretches.findIndex(({ sentBy }) => sentBy >= rest);
    const stretch = stretches[index];
    if (stretch === undefined) return undefined;
    const before = stretches[index - 1]?.sentBy ?? 0;
    const inMs = stretch.rate === 0 ? 0 : ((rest - before) * 1000) / stretch.rate;
    return weeks * WEEK_MS + stretch.fromMs + inMs;
  };
}

/** Measured throughput of the line under each limit; halved now and then, so that recent measurements count more. */
export interface MeasuredLine {
  /** Adds bytes that were sent in `ms` milliseconds while more were waiting. */
  add(limit: ScheduleLimit, bytes: number, ms: number): void;
  readonly speed: LineSpeed;
}

/** Measured time after which older speeds count half, milliseconds. */
const MEASURED_MS = 2 * HOUR_MS;

/** Creates the measured line, with nothing measured yet. */
export function createMeasuredLine(): MeasuredLine {
  const byLimit = new Map<ScheduleLimit, { readonly bytes: number; readonly ms: number }>();
  const ratesOf = () => new Map([...byLimit].map(([limit, { bytes, ms }]) => [limit, (bytes * 1000) / ms]));
  return {
    add(limit, bytes, ms) {
      const before = byLimit.get(limit) ?? { bytes: 0, ms: 0 };
      const keep = before.ms >= MEASURED_MS ? 0.5 : 1;
      byLimit.set(limit, { bytes: before.bytes * keep + bytes, ms: before.ms * keep + ms });
    },
    speed(limit) {
      if (limit === 'pause') return 0;
      const rates = ratesOf();
      const own = rates.get(limit);
      if (own !== undefined) return own;
      if (rates.size === 0) return undefined;
      // It has carried at least this much under another limit
      const most = Math.max(...rates.values());
      return limit === 'full' ? most : Math.min(limit, most);
    },
  };
}

/** An incident with waiting clips, in the order of the queue. */
export interface WaitingIncident {
  readonly id: string;
  readonly waitingBytes: number;
  /** Of clips that a person paused, and that therefore have no turn. */
  readonly heldBytes: number;
  /** Set if it is known how long its folder keeps it. */
  readonly deadline?: { readonly atMs: number; readonly lifeMs: number } | undefined;
  /** It goes first because of its deadline. */
  readonly isMarked: boolean;
  readonly isMoved: boolean;
}

/** An incident whose files will be gone before it is sent in its turn, or too soon after that. */
export interface Leaving {
  readonly id: string;
  readonly goneAtMs: number;
  /** When it would be fully sent without going first; undefined: never or unknown. */
  readonly sentInTurnMs: number | undefined;
  readonly bytes: number;
  /** It will not be sent in time even though it goes first. */
  readonly isLate: boolean;
}

/** Finds incidents whose files will be gone too soon, the soonest first. */
export function findLeaving(
  waiting: readonly WaitingIncident[],
  sentBy: LineForecast,
  nowMs: number,
): readonly Leaving[] {
  let ahead = 0;
  const leaving = waiting.flatMap((incident) => {
    const { deadline, waitingBytes, heldBytes } = incident;
    ahead += waitingBytes;
    const sentInTurnMs = heldBytes > 0 ? undefined : sentBy(ahead);
    if (deadline === undefined || !isTooLate(incident, deadline, sentInTurnMs, nowMs)) return [];
    const { isMoved, id } = incident;
    return [{ id, isMoved, goneAtMs: deadline.atMs, sentInTurnMs, heldBytes, waitingBytes }];
  });
  const isLeaving = new Set(leaving.map(({ id }) => id));
  // Incidents that a person moved go before them
  let first = sum(waiting.filter(({ id, isMoved }) => isMoved && !isLeaving.has(id)));
  return leaving
    .toSorted((a, b) => Number(b.isMoved) - Number(a.isMoved) || a.goneAtMs - b.goneAtMs)
    .map(({ id, goneAtMs, sentInTurnMs, heldBytes, waitingBytes }) => {
      first += waitingBytes;
      const sentMs = heldBytes > 0 ? Infinity : (sentBy(first) ?? nowMs);
      const isLate = goneAtMs <= nowMs || sentMs > goneAtMs;
      return { id, goneAtMs, sentInTurnMs, bytes: waitingBytes + heldBytes, isLate };
    })
    .toSorted((a, b) => a.goneAtMs - b.goneAtMs);
}

function isTooLate(
  { isMarked }: WaitingIncident,
  { atMs, lifeMs }: NonNullable<WaitingIncident['deadline']>,
  sentInTurnMs: number | undefined,
  nowMs: number,
): boolean {
  const lastMs = atMs - Math.min(NOTICE_MS, lifeMs * NOTICE_SHARE) - (isMarked ? STAYS_MS : 0);
  return Math.max(nowMs, sentInTurnMs ?? 0) >= lastMs;
}

const sum = (waiting: readonly WaitingIncident[]): number =>
  waiting.reduce((total, { waitingBytes }) => total + waitingBytes, 0);
