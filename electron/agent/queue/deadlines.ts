/**
 * The recorder's deadline: exports are deleted from their folder when the recorder needs the space. Those that would be
 * sent too late in their normal order are reported at least a day ahead and go first. How long a folder keeps its
 * exports comes from its settings, or is learned from exports that disappeared.
 */
import type { Health } from '../../../shared/domain/health.ts';
import type { ScheduleLimit } from '../../../shared/domain/line-schedule.ts';
import type { Settings, WatchSettings } from '../../../shared/domain/settings.ts';
import { formatBytes } from '../../../shared/lib/readable-amounts.ts';
import { utcMinute } from '../core/times/zoned-time.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import {
  createMeasuredLine,
  findLeaving,
  forecastLine,
  keptForMs,
  type Leaving,
  type WaitingIncident,
} from '../core/times/line-schedule.ts';
import type { AgentEvents } from '../events.ts';
import type { Clock, Logger } from '../ports.ts';
import type { WaitingIncidentRow } from '../store/deadline-rows.ts';
import type { Tables } from '../store/tables.ts';

const DAY_MS = 24 * 60 * 60_000;
const HOUR_MS = 60 * 60_000;
/** Time between two measurements of the line, milliseconds. */
const MEASURE_MS = 60_000;
/** Measurements between two looks at the queue. */
const MEASURES_PER_LOOK = 5;
/** Removals longer ago than this no longer count, milliseconds. */
const LEARNED_MS = 90 * DAY_MS;
/** Incidents whose position changes in one transaction, and the pause between two, milliseconds: uploads come first. */
const MARKED_AT_ONCE = 20;
const REST_MS = 20;

type WatchedFolder = Pick<WatchSettings, 'path' | 'keepsDays'>;

interface Deps {
  readonly tables: Pick<Tables, 'deadlines' | 'write'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly events: Pick<AgentEvents, 'emit'>;
  readonly signals: { changed(subject: 'uploads' | 'health'): void };
  readonly trail: { note(action: string, detail: Readonly<Record<string, string | number>>): unknown };
  readonly meter: { totalSentBytes(): number; inFlightBytes(): number };
  /** What the line may carry now, and over the week. */
  readonly line: {
    limitNow(): ScheduleLimit;
    readonly timeZone: string;
    readonly upload: Pick<Settings['upload'], 'schedule' | 'maxBytesPerSecond'>;
  };
  readonly roots: readonly { readonly settings: WatchedFolder }[];
  readonly rootIdFor: (rootPath: string) => string;
  readonly stopping: AbortSignal;
}

/** How long a folder keeps its exports. */
export type Keeps = NonNullable<Health['roots'][number]['keeps']>;

/** Finds exports that may be deleted before they are sent, and moves them to the front of the queue. */
export interface Deadlines {
  start(): void;
  /** Looks once. Rejects with the signal's reason when it is stopped. */
  look(signal: AbortSignal): Promise<void>;
  /** By the path of the watched folder; undefined when unknown. */
  keeps(rootPath: string): Keeps | undefined;
  /** The incidents that may be deleted before they are sent; undefined when there are none. */
  leaving(): Health['leaving'];
}

/** Creates the deadlines; nothing is known before the first look. */
export function createDeadlines(deps: Deps): Deadlines {
  const { tables, clock, logger, signals, meter, line, roots, stopping } = deps;
  const measured = createMeasuredLine();
  let measuredFrom = { bytes: meter.totalSentBytes(), ms: clock.monotonic(), limit: line.limitNow() };
  let state: Health['leaving'];

  function measure(): void {
    const now = { bytes: meter.totalSentBytes(), ms: clock.monotonic(), limit: line.limitNow() };
    const { bytes, ms, limit } = measuredFrom;
    measuredFrom = now;
    // A line that was idle, or whose limit changed meanwhile, says nothing
    if (now.bytes === bytes || meter.inFlightBytes() === 0 || now.limit !== limit) return;
    measured.add(limit, now.bytes - bytes, now.ms - ms);
  }

  function keepsOf({ path, keepsDays }: WatchedFolder): Keeps | undefined {
    if (keepsDays !== undefined) return { hours: keepsDays * 24, isLearned: false };
    const ages = tables.deadlines.agesOf(deps.rootIdFor(path), clock.now() - LEARNED_MS);
    const life = keptForMs(ages);
    return life === undefined ? undefined : { hours: life / HOUR_MS, isLearned: true, seen: ages.length };
  }

  async function mark(found: ReadonlyMap<string, number>, signal: AbortSignal): Promise<void> {
    const changes = new Map<string, number | null>(found);
    for (const id of tables.deadlines.marked()) {
      if (!found.has(id)) changes.set(id, null);
      else if (tables.deadlines.of(id) === found.get(id)) changes.delete(id);
    }
    const all = [...changes];
    if (all.length > 0) signals.changed('uploads');
    for (let next = 0; next < all.length; next += MARKED_AT_ONCE) {
      if (next > 0) await clock.sleep(REST_MS, signal);
      tables.write(() => {
        for (const [id, at] of all.slice(next, next + MARKED_AT_ONCE)) tables.deadlines.set(id, at);
      });
    }
  }

  async function look(signal: AbortSignal): Promise<void> {
    const nowMs = clock.now();
    const lives = new Map(roots.map(({ settings }) => [deps.rootIdFor(settings.path), keepsOf(settings)]));
    const rows = tables.deadlines.waiting();
    const { schedule, maxBytesPerSecond } = line.upload;
    const usual = maxBytesPerSecond ?? 'full';
    const { timeZone } = line;
    const sentBy = forecastLine({ schedule, usual, timeZone, nowMs, speed: measured.speed });
    const waiting = rows.map((row) => waitingOf(row, lives.get(row.rootId)));
    const leaving = findLeaving(waiting, sentBy, nowMs);
    await mark(new Map(leaving.map(({ id, goneAtMs }) => [id, goneAtMs])), signal);
    const byId = new Map(rows.map((row) => [row.id, row]));
    const before = JSON.stringify(state);
    state = stateOf(leaving, byId, measured.speed(line.limitNow()));
    const isNews = leaving.some(({ id }) => byId.get(id)?.deadlineAt === null);
    if (isNews && state !== undefined) say(deps, state);
    if (JSON.stringify(state) !== before) signals.changed('health');
  }

  async function run(): Promise<void> {
    for (let count = 0; ; count += 1) {
      try {
        if (count % MEASURES_PER_LOOK === 0) await look(stopping);
      } catch (error) {
        if (stopping.aborted) throw error;
        logger.warn('Could not determine which exports will soon be deleted; this will be retried', {
          error,
        });
      }
      await clock.sleep(MEASURE_MS, stopping);
      measure();
    }
  }

  return {
    start: () => void run().catch(() => undefined),
    look,
    keeps(rootPath) {
      const root = roots.find(({ settings }) => settings.path === rootPath);
      return root && keepsOf(root.settings);
    },
    leaving: () => state,
  };
}

function waitingOf(row: WaitingIncidentRow, keeps: Keeps | undefined): WaitingIncident {
  const { id, waitingBytes, heldBytes, birthMs, createdAt, deadlineAt, isMoved } = row;
  // A folder that was copied here may be younger than its clips, but it is at least as old as its incident's row
  const bornMs = birthMs > 0 ? Math.min(birthMs, createdAt) : createdAt;
  const lifeMs = (keeps?.hours ?? 0) * HOUR_MS;
  return {
    id,
    waitingBytes,
    heldBytes,
    isMoved: isMoved === 1,
    isMarked: deadlineAt !== null,
    deadline: keeps && { atMs: Math.round(bornMs + lifeMs), lifeMs },
  };
}

/** The figures about incidents that may be deleted before they are sent. */
type Figures = Omit<NonNullable<Health['leaving']>, 'message'>;

function stateOf(
  leaving: readonly Leaving[],
  rows: ReadonlyMap<string, WaitingIncidentRow>,
  speed: number | undefined,
): Health['leaving'] {
  const [first] = leaving;
  if (first === undefined) return undefined;
  const late = leaving.filter(({ isLate }) => isLate);
  const figures: Figures = {
    incidents: leaving.length,
    clips: leaving.reduce((sum, { id }) => sum + (rows.get(id)?.clips ?? 0), 0),
    bytes: bytesOf(leaving),
    firstId: first.id,
    firstGoneAt: new Date(first.goneAtMs).toISOString(),
    late: { incidents: late.length, bytes: bytesOf(late) },
    ...knownFields<Pick<Figures, 'firstSentInTurnAt' | 'bytesPerSecond'>>({
      firstSentInTurnAt:
        first.sentInTurnMs === undefined ? undefined : new Date(first.sentInTurnMs).toISOString(),
      bytesPerSecond: speed === undefined ? undefined : Math.round(speed),
    }),
  };
  return { ...figures, message: leavingText(figures, rows.get(first.id)?.title ?? '') };
}

const bytesOf = (leaving: readonly Leaving[]): number => leaving.reduce((sum, { bytes }) => sum + bytes, 0);

/** Reports each incident once: from then on it has its deadline, and goes first. */
function say({ events, trail }: Deps, leaving: NonNullable<Health['leaving']>): void {
  const { incidents, bytes, firstGoneAt, firstSentInTurnAt = '', late, message } = leaving;
  trail.note('deadline.said', { incidents, bytes, firstGoneAt, firstSentInTurnAt, lateBytes: late.bytes });
  events.emit({ event: 'warning', code: 'EXPORTS_LEAVING', message });
}

/** The message about incidents that may be deleted too early, with the figures, and what is done about it. */
export function leavingText(
  { incidents, bytes, firstGoneAt, firstSentInTurnAt, late, bytesPerSecond }: Figures,
  title: string,
): string {
  const size = formatBytes(bytes);
  const one = incidents === 1;
  const turn =
    firstSentInTurnAt === undefined
      ? ''
      : ` In its normal order, it would not be fully sent until ${utcMinute(firstSentInTurnAt)}.`;
  const what = one
    ? `"${visibleName(title)}" (${size}) is expected to be deleted from its folder at ${utcMinute(firstGoneAt)} and might not be sent in time.${turn} It now goes first.`
    : `${incidents} incidents (${size}) might not be sent before they are deleted from their folders. The first, "${visibleName(title)}", is expected to be deleted at ${utcMinute(firstGoneAt)}.${turn} They now go first.`;
  if (late.incidents === 0) return what;
  const speed = bytesPerSecond === undefined ? '' : ` at ${formatBytes(bytesPerSecond)}/s`;
  const rest = one ? 'Even so, it cannot' : `${late.incidents} of them (${formatBytes(late.bytes)}) cannot`;
  return `${what} ${rest} be sent in time${speed}: resume paused clips, raise any upload limit, or copy the ${one ? 'export' : 'exports'} to another place.`;
}
