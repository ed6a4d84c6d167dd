import { limitAt, type ScheduledLimit } from './core/times/line-schedule.ts';
import type { SignalHub } from './calls/signals.ts';
import { systemZone } from './files/watched-root.ts';
import { createMeteredConnection, meteredQuestion, type MeteredQuestion } from './metered-connection.ts';
import type { Clock, Logger, Ports } from './ports.ts';
import type { JobRunner } from './queue/job-runner.ts';
import type { RateLimit } from './service/rate-limit.ts';
import type { Health } from '../../shared/domain/health.ts';
import { stricterOf, type ScheduleLimit } from '../../shared/domain/line-schedule.ts';
import type { Settings } from '../../shared/domain/settings.ts';

/** Longest time between two looks at the clock, milliseconds: somebody may set it, or the PC may have slept. */
const LONGEST_LOOK_MS = 10_000;

interface Deps {
  readonly upload: Pick<Settings['upload'], 'maxBytesPerSecond' | 'schedule' | 'onBattery' | 'onMetered'>;
  readonly ports?: Pick<Ports, 'isOnBattery'>;
  /** Whom to ask whether the connection is metered; default: what this system has for it. */
  readonly metered?: MeteredQuestion | undefined;
  /** Whose clock counts; default: that of this PC. */
  readonly timeZone?: string;
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'sleep'>;
  readonly limiter: Pick<RateLimit, 'setLimit'>;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Told of each switch. */
  readonly signals: Pick<SignalHub, 'changed'>;
  readonly stopping: AbortSignal;
}

/** The limit of a moment; `untilMs`: when the schedule changes next; `because`: what limits it more than the schedule. */
interface Look {
  readonly limit: ScheduleLimit;
  readonly untilMs: number | undefined;
  readonly because?: 'isOnBattery' | 'isMetered';
}

/** What the line may take now, by the clock. */
export interface ScheduleFollower {
  /** Nothing is sent now: the schedule says `pause`. */
  isHeld(): boolean;
  /** What the line may take now. */
  limitNow(): ScheduleLimit;
  readonly timeZone: string;
  /** Missing: there is no schedule. */
  state(): Health['line'];
  /** From here on each switch is followed: what is on the line stops for a pause, and goes on after it. */
  start(runner: Pick<JobRunner, 'interrupt' | 'wake'>): void;
}

/**
 * Holds the line to its schedule, and to its limits on the battery and on a metered connection. The limit of this moment
 * is set at once; nothing is stored.
 */
export function createScheduleFollower(deps: Deps): ScheduleFollower {
  const { upload, ports, timeZone = systemZone(), clock, limiter, logger, signals, stopping } = deps;
  const { schedule, maxBytesPerSecond, onBattery, onMetered } = upload;
  const metered =
    onMetered === undefined
      ? undefined
      : createMeteredConnection({
          question: 'metered' in deps ? deps.metered : meteredQuestion(process.platform, process.env),
          clock,
          logger,
          stopping,
          onChange: follow,
        });
  const isFollowed =
    schedule.length > 0 ||
    metered !== undefined ||
    (onBattery !== undefined && ports?.isOnBattery !== undefined);
  let byClock: (ScheduledLimit & { readonly fromMs: number }) | undefined;
  let now: Look = look();
  let runner: Pick<JobRunner, 'interrupt' | 'wake'> | undefined;
  set();

  /** Asked of the zone again when its time is over, or when somebody set the clock back. */
  function scheduled(): ScheduledLimit {
    const nowMs = clock.now();
    const { fromMs = Infinity, untilMs = Infinity } = byClock ?? {};
    if (byClock === undefined || nowMs < fromMs || nowMs >= untilMs)
      byClock = { ...limitAt(schedule, nowMs, timeZone), fromMs: nowMs };
    return byClock;
  }

  function look(): Look {
    const { limit = maxBytesPerSecond ?? 'full', untilMs } = scheduled();
    let looked: Look = { limit, untilMs };
    const limitBy = (
      own: ScheduleLimit | undefined,
      holds: boolean,
      because: Look['because'] & string,
    ): void => {
      if (own === undefined || !holds) return;
      const stricter = stricterOf(looked.limit, own);
      if (stricter !== looked.limit) looked = { limit: stricter, untilMs, because };
    };
    limitBy(onBattery, ports?.isOnBattery?.() === true, 'isOnBattery');
    limitBy(onMetered, metered?.isMetered() === true, 'isMetered');
    return looked;
  }

  function set(): void {
    // A pause holds back whole jobs; what still ends meanwhile is not stretched until it times out
    if (now.limit !== 'pause') limiter.setLimit(now.limit === 'full' ? null : now.limit);
  }

  function follow(): void {
    const before = now.limit;
    now = look();
    if (now.limit === before) return;
    set();
    logger.info('The upload limit changed', { before, now: now.limit });
    if (now.limit === 'pause') {
      runner
        ?.interrupt(() => true)
        .catch((error: unknown) => logger.error('Uploads could not be paused by the schedule', { error }));
    } else if (before === 'pause') runner?.wake();
    signals.changed('health');
  }

  async function keepFollowing(): Promise<void> {
    for (;;) {
      const ms = now.untilMs === undefined ? LONGEST_LOOK_MS : Math.max(1, now.untilMs - clock.now());
      metered?.look();
      await clock.sleep(Math.min(ms, LONGEST_LOOK_MS), stopping);
      follow();
    }
  }

  return {
    isHeld: () => now.limit === 'pause',
    limitNow: () => now.limit,
    timeZone,
    state: () =>
      !isFollowed
        ? undefined
        : {
            limit: now.limit,
            ...(now.because !== undefined && { [now.because]: true }),
            // Nobody knows when the PC is plugged in, or on another connection, again
            ...(now.because === undefined &&
              now.untilMs !== undefined && { until: new Date(now.untilMs).toISOString() }),
          },
    start(started) {
      runner = started;
      // The sleep rejects at the end
      if (isFollowed) keepFollowing().catch(() => undefined);
    },
  };
}
