import { execFile } from 'node:child_process';
import { networkInterfaces } from 'node:os';
import { limitAt, managedLimits, type ScheduledLimit } from './core/times/line-schedule.ts';
import type { SignalHub } from './calls/signals.ts';
import type { Clock, Logger, Ports } from './ports.ts';
import type { JobRunner } from './queue/job-runner.ts';
import type { RateLimit } from './service/rate-limit.ts';
import { windowsProgram } from './settings/guarded-path.ts';
import type { Policy } from './settings/policy/policy.ts';
import { systemZone } from './system-clock.ts';
import type { Failure } from '../../shared/domain/failure.ts';
import type { Health } from '../../shared/domain/health.ts';
import { err, ok, type Result } from '../../shared/lib/result.ts';
import { stricterOf, type ScheduleLimit } from '../../shared/domain/line-schedule.ts';
import type { Settings } from '../../shared/domain/settings.ts';

/** Longest time between two looks at the clock, milliseconds: somebody may set it, or the PC may have slept. */
const LONGEST_LOOK_MS = 10_000;
/** For how long a person lifts the limits, milliseconds: lifting them until further notice would be forgotten. */
const LIFTED_MS = 60 * 60_000;

interface Deps {
  readonly upload: Pick<Settings['upload'], 'maxBytesPerSecond' | 'schedule' | 'onBattery' | 'onMetered'>;
  readonly ports?: Pick<Ports, 'isOnBattery'>;
  /** Limits that the organisation sets cannot be lifted at the desk. */
  readonly config?: { readonly policy?: Pick<Policy, 'managed'> };
  /** How to ask whether the connection is metered; default: the way that this system has. */
  readonly metered?: MeteredQuestion | undefined;
  /** Time zone of the schedule; default: that of this PC. */
  readonly timeZone?: string;
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'sleep'>;
  readonly limiter: Pick<RateLimit, 'setLimit'>;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Notified of each switch. */
  readonly signals: Pick<SignalHub, 'changed'>;
  readonly stopping: AbortSignal;
}

/** The limit at a moment; `untilMs`: when it may change next; `because`: what overrides the schedule. */
interface Look {
  readonly limit: ScheduleLimit;
  readonly untilMs: number | undefined;
  readonly because?: 'isOnBattery' | 'isMetered' | 'isLifted';
}

/** The current limit of the line, which follows the clock. */
export interface ScheduleFollower {
  /** Whether nothing is sent now, because the limit is `pause`. */
  isHeld(): boolean;
  /** The current limit of the line. */
  limitNow(): ScheduleLimit;
  readonly timeZone: string;
  /** Lifts all limits for an hour, or restores them; a restart restores them too. Errors: SETTING_MANAGED. */
  lift(isLifted: boolean): Result<{ readonly isLifted: boolean }, Failure>;
  /** Undefined: nothing limits the line. */
  state(): Health['line'];
  /** Follows each switch from here on: what is on the line stops for a pause, and continues after it. */
  start(runner: Pick<JobRunner, 'interrupt' | 'wake'>): void;
}

/**
 * Keeps the line to its schedule, and to its limits on battery and on a metered connection. The current limit is set
 * immediately; nothing is stored.
 */
export function createScheduleFollower(deps: Deps): ScheduleFollower {
  const { upload, ports, config, timeZone = systemZone(), clock, limiter, logger, signals, stopping } = deps;
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
  const managed = managedLimits(config?.policy?.managed ?? {});
  let liftedUntilMs = -Infinity;
  let byClock: (ScheduledLimit & { readonly fromMs: number }) | undefined;
  let now: Look = look();
  let runner: Pick<JobRunner, 'interrupt' | 'wake'> | undefined;
  set();

  /** The limit by the schedule, read again when its time is over or when somebody set the clock back. */
  function scheduled(): ScheduledLimit {
    const nowMs = clock.now();
    const { fromMs = Infinity, untilMs = Infinity } = byClock ?? {};
    if (byClock === undefined || nowMs < fromMs || nowMs >= untilMs)
      byClock = { ...limitAt(schedule, nowMs, timeZone), fromMs: nowMs };
    return byClock;
  }

  function look(): Look {
    const liftedMs = liftedUntilMs - clock.monotonic();
    if (liftedMs > 0) return { limit: 'full', untilMs: clock.now() + liftedMs, because: 'isLifted' };
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
    // A pause holds back whole jobs; those that still end meanwhile must not be slowed until they time out
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
    lift(isLifted) {
      if (managed !== undefined) return err(managed);
      liftedUntilMs = isLifted ? clock.monotonic() + LIFTED_MS : -Infinity;
      follow();
      if (isLifted) clock.sleep(LIFTED_MS, stopping).then(follow, () => undefined);
      return ok({ isLifted });
    },
    state: () =>
      !isFollowed && maxBytesPerSecond === null
        ? undefined
        : {
            limit: now.limit,
            ...(now.because !== undefined && { [now.because]: true }),
            ...(managed !== undefined && { isManaged: true }),
            // Nobody knows when the PC will be plugged in again, or on another connection
            ...((now.because === undefined || now.because === 'isLifted') &&
              now.untilMs !== undefined && { until: new Date(now.untilMs).toISOString() }),
          },
    start(started) {
      runner = started;
      // The sleep rejects when the agent stops
      if (isFollowed) keepFollowing().catch(() => undefined);
    },
  };
}

/** Time limit, milliseconds: the bus answers in milliseconds, PowerShell in a second or two on an old PC. */
const ANSWER_MS = 10_000;
/** Starting PowerShell takes a third of a second of CPU: negligible at this interval, milliseconds. */
const POWERSHELL_EVERY_MS = 5 * 60_000;
const BUS_EVERY_MS = 60_000;

/** A program of the system that reports whether the connection in use is metered. */
export interface MeteredQuestion {
  readonly program: string;
  readonly args: readonly string[];
  /** Parses what the program printed; undefined: the system does not know. */
  readonly read: (printed: string) => boolean | undefined;
  /** Milliseconds between two questions while the network stays as it is. */
  readonly everyMs: number;
}

/**
 * How to ask; undefined: the system does not tell. NetworkManager reports on the connection with the default route: 1
 * is yes and 3 its guess, as behind a phone; 2 and 4 are no, 0 is unknown. macOS only tells programs that watch a path
 * through Network.framework, which neither Node nor Electron does.
 */
export function meteredQuestion(
  platform: NodeJS.Platform,
  environment: Readonly<NodeJS.ProcessEnv>,
): MeteredQuestion | undefined {
  if (platform === 'linux') {
    const name = 'org.freedesktop.NetworkManager';
    return {
      program: '/usr/bin/busctl',
      args: ['--system', 'get-property', name, '/org/freedesktop/NetworkManager', name, 'Metered'],
      read: (printed) => answerOf(/^u ([1-4])\s*$/.exec(printed)?.[1], ['1', '3']),
      everyMs: BUS_EVERY_MS,
    };
  }
  if (platform !== 'win32') return undefined;
  return {
    program: windowsProgram('WindowsPowerShell\\v1.0\\powershell.exe', environment),
    args: ['-NoProfile', '-NonInteractive', '-Command', COST_TYPE],
    read: (printed) =>
      answerOf(/^(Unrestricted|Fixed|Variable)\s*$/.exec(printed)?.[1], ['Fixed', 'Variable']),
    everyMs: POWERSHELL_EVERY_MS,
  };
}

/** Prints the cost type of the internet connection; fails if there is none. */
const COST_TYPE =
  "$ErrorActionPreference='Stop'; [string][Windows.Networking.Connectivity.NetworkInformation,Windows.Networking.Connectivity,ContentType=WindowsRuntime]::GetInternetConnectionProfile().GetConnectionCost().NetworkCostType";

const answerOf = (word: string | undefined, yes: readonly string[]): boolean | undefined =>
  word === undefined ? undefined : yes.includes(word);

/** Whether the connection of this PC is metered, as last reported. */
export interface MeteredConnection {
  isMetered(): boolean;
  /** Asks the system again when it is time or the network has changed. Returns immediately, never throws. */
  look(): void;
}

interface MeteredDeps {
  readonly question: MeteredQuestion | undefined;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly stopping: AbortSignal;
  /** Called when an answer differs from the one before. */
  readonly onChange: () => void;
  /** How the network looks now; any text that differs when it changed. */
  readonly network?: () => string;
}

const networkNow = (): string =>
  JSON.stringify(
    Object.entries(networkInterfaces()).map(([name, addresses]) => [
      name,
      addresses?.filter(({ internal }) => !internal).map(({ address }) => address),
    ]),
  );

/** An unknown answer counts as not metered, and is logged once. One question at a time, with a time limit. */
export function createMeteredConnection(deps: MeteredDeps): MeteredConnection {
  const { question, clock, logger, stopping, onChange, network = networkNow } = deps;
  let isMetered = false;
  let isAsking = false;
  let asked: { readonly atMs: number; readonly network: string } | undefined;
  let isUnknownSaid = false;

  function hear(answer: boolean | undefined): void {
    if (answer === undefined && !isUnknownSaid) {
      isUnknownSaid = true;
      logger.warn(
        'The system does not report whether the connection is metered, so upload.onMetered has no effect',
      );
    }
    const before = isMetered;
    isMetered = answer ?? false;
    if (isMetered !== before) onChange();
  }

  return {
    isMetered: () => isMetered,
    look() {
      if (isAsking || stopping.aborted) return;
      const now = { atMs: clock.monotonic(), network: network() };
      if (question === undefined) {
        if (asked === undefined) hear(undefined);
        asked = now;
        return;
      }
      const isTime = asked === undefined || now.atMs - asked.atMs >= question.everyMs;
      if (!isTime && asked?.network === now.network) return;
      asked = now;
      isAsking = true;
      const options = {
        timeout: ANSWER_MS,
        killSignal: 'SIGKILL',
        signal: stopping,
        windowsHide: true,
      } as const;
      execFile(question.program, [...question.args], options, (error, printed) => {
        isAsking = false;
        if (!stopping.aborted) hear(error === null ? question.read(printed) : undefined);
      });
    },
  };
}
