import { type Failure, failureCodes, FailureError } from '../../shared/domain/failure.ts';
import type { Settings } from '../../shared/domain/settings.ts';
import { err } from '../../shared/lib/result.ts';
import { type Agent, type BuiltAgent, type Progress, noProgress } from './agent.ts';
import { notRunning } from './calls/call.ts';
import { createSignals, type SignalHub } from './calls/signals.ts';
import { AgentEvents } from './events.ts';
import type { Ports, Clock } from './ports.ts';
import type { AgentConfig } from './settings/load-settings.ts';
import type { Policy } from './settings/policy/policy.ts';
import { policyOf } from '../../shared/domain/failure-policy.ts';
import { agentPolicyOf, isFileWaitedFor } from './core/failures/failure-policy.ts';
import { parseFailure } from './store/json-columns.ts';
import type { Tables } from './store/tables.ts';
import type { Intake } from './intake/intake.ts';
import type { JobRunner } from './queue/job-runner.ts';
import type { CircuitPause, Circuits } from './queue/circuits.ts';
import type { Watcher } from './watch/watcher.ts';

/** Totals are recounted at most this often, milliseconds: with 100,000 rows a count takes several. */
const TOTALS_AGE_MS = 500;

/** A database that fails this often in a row is not reopened. */
const MOST_FAULTS = 3;
/** Failures less than this apart count as in a row, milliseconds. */
const IN_A_ROW_MS = 10 * 60_000;
/** Wait after a database could not be reopened, before the next attempt, milliseconds. */
const REOPEN_MS = 1_000;

const notStarted: Failure = {
  code: 'CALL_FAULT',
  message: 'The agent could not be started again because of an internal error.',
  advice: 'Restart it. If this happens again, send the diagnostics bundle to support.',
  retryable: true,
};

/** What survives a restart with other settings. */
export interface AgentHost {
  readonly events: AgentEvents;
  readonly signals: SignalHub;
  /** Restarts the agent with these settings, after the caller's reply; without a policy under the previous one. */
  readonly applySettings: (settings: Settings, policy?: Policy) => void;
  /**
   * Closes and reopens the queue, because its connection cannot be trusted any more; a function gives the reason once
   * it is closed.
   */
  readonly reopen: (failure: Failure | (() => Failure)) => void;
}

/** Locks the data directory and builds an agent in it. Rejects with `FailureError` and releases the directory again. */
export type BuildAgent = (config: AgentConfig, ports: Ports, host: AgentHost) => Promise<BuiltAgent>;

/** Starts, stops and restarts what `build` creates; events and signals stay the same over a restart. */
export function createAgentLifecycle(firstConfig: AgentConfig, ports: Ports, build: BuildAgent): Agent {
  const events = new AgentEvents();
  let config = firstConfig;
  let running: BuiltAgent | undefined;
  /** The restart that is under way, for a stop to wait for. */
  let restart: Promise<void> = Promise.resolve();
  /** The latest restart that applies new settings: calls from windows wait for it. */
  let applying: Promise<void> = Promise.resolve();
  /** When the database failed recently, monotonic milliseconds. */
  let faults: readonly number[] = [];
  /** Why the agent stopped on its own. */
  let reason: Failure | undefined;
  const ended = Promise.withResolvers<Failure>();
  let totals: { readonly atMs: number; readonly progress: Progress } | undefined;

  function current(): BuiltAgent {
    if (running === undefined) throw new Error('The agent has not been started');
    return running;
  }

  function progress(): Progress {
    const now = ports.clock.monotonic();
    if (running !== undefined && (totals === undefined || now - totals.atMs > TOTALS_AGE_MS)) {
      totals = { atMs: now, progress: running.progress() };
    }
    const base = totals?.progress ?? noProgress;
    return running === undefined ? base : { ...base, bytesInFlight: running.meter.inFlightBytes() };
  }

  function readTransfer({ meter }: BuiltAgent) {
    const { bytesTotal, bytesUploaded, bytesInFlight } = progress();
    // A clip is counted twice from its commit until it is announced
    const bytesDone = Math.min(bytesTotal, bytesUploaded + bytesInFlight);
    return { bytesTotal, bytesDone, clips: meter.inFlight() };
  }

  const signals = createSignals({
    clock: ports.clock,
    logger: ports.logger,
    events,
    transfer: {
      sentBytes: () => running?.meter.totalSentBytes() ?? 0,
      read: () => running && readTransfer(running),
    },
  });
  // With the old totals, a clip's bytes, no longer in flight, or new clips would be missing for a moment
  events.on(({ event }) => {
    if (event === 'clip.uploaded' || event === 'incident.found') totals = undefined;
  });

  const host: AgentHost = {
    events,
    signals,
    reopen(failure) {
      restart = restart.then(() => reopenAfter(failure));
    },
    applySettings(settings, policy) {
      // After the caller's reply: the stop cancels calls that have not been answered yet
      setImmediate(() => {
        restart = restart.then(() => restartWith({ ...config, settings, ...(policy && { policy }) }));
        applying = restart.catch(() => undefined);
      });
    },
  };

  /** Stops what runs and starts it with other settings, or with the previous ones when that fails. */
  async function restartWith(next: AgentConfig): Promise<void> {
    if (!(await stopRunning())) return;
    const refused = await buildWith(next);
    if (refused === undefined) config = next;
    else {
      await buildAgain(await buildWith(config));
      const message = `The new settings cannot be used, so the previous ones stay in effect. ${refused.message}`;
      if (running !== undefined) events.emit({ event: 'warning', code: refused.code, message });
    }
    for (const subject of ['settings', 'health', 'uploads'] as const) signals.changed(subject);
  }

  /** The failed operation did not advance any state, so it is read again as it was last stored. */
  async function reopenAfter(failure: Failure | (() => Failure)): Promise<void> {
    if (!(await stopRunning())) return;
    await buildAgain(typeof failure === 'function' ? failure() : failure);
    for (const subject of ['health', 'uploads'] as const) signals.changed(subject);
  }

  /** Stops what runs; false when nothing does. */
  async function stopRunning(): Promise<boolean> {
    const ending = running;
    running = undefined;
    await ending
      ?.stop()
      .catch((error: unknown) => ports.logger.error('The agent did not stop cleanly', { error }));
    return ending !== undefined;
  }

  /** Builds with the current settings until the agent runs or has failed too often. `first`: why it does not run. */
  async function buildAgain(first: Failure | undefined): Promise<void> {
    for (let last = first; last !== undefined;) {
      const now = ports.clock.monotonic();
      faults = [...faults.filter((atMs) => now - atMs < IN_A_ROW_MS), now];
      const { code, message } = last;
      if (faults.length >= MOST_FAULTS) return giveUp(last);
      events.emit({ event: 'warning', code, message: `${message} The queue is being reopened.` });
      last = await buildWith(config);
      if (last !== undefined) await ports.clock.sleep(REOPEN_MS);
    }
  }

  /** Builds the agent. Returns why it could not be built; undefined: it runs. */
  async function buildWith(wanted: AgentConfig): Promise<Failure | undefined> {
    try {
      running = await build(wanted, ports, host);
      return undefined;
    } catch (error) {
      if (error instanceof FailureError) return error.failure;
      ports.logger.error('The agent could not be started again', { error });
      return notStarted;
    }
  }

  function giveUp(failure: Failure): void {
    const message = `${failure.message} The queue failed ${MOST_FAULTS} times in a row, so the agent has stopped.`;
    reason = { ...failure, message, retryable: false };
    events.emit({ event: 'warning', code: failure.code, message: `${message} ${failure.advice}` });
    ended.resolve(reason);
  }

  return {
    events,
    signals,
    progress,
    ended: ended.promise,
    async call(request, signal) {
      if (running === undefined) await applying;
      return running?.call(request, signal) ?? err(reason ?? notRunning);
    },
    async start() {
      running = await build(config, ports, host);
    },
    async stop() {
      const ending = running;
      running = undefined;
      await restart.catch(() => undefined);
      // A restart that was under way has finished meanwhile
      for (const each of [ending, running]) await each?.stop();
      running = undefined;
      signals.stop();
    },
    push: (requests) => current().push(requests),
    async untilIdle(signal) {
      for (;;) {
        await restart;
        if (reason !== undefined) return reason;
        const asked = current();
        try {
          const failure = await asked.untilIdle(signal);
          if (running === asked) return failure;
        } catch (error) {
          // The agent that was asked may have been stopped for a restart
          if (running === asked || signal?.aborted === true) throw error;
        } finally {
          // The caller asks for the final progress next
          totals = undefined;
        }
      }
    },
    drain: async () => running?.drain(),
    suspend: async () => running?.suspend(),
    resume: async () => running?.resume(),
    locateClip: async (clipId) => running?.locateClip(clipId) ?? err(notRunning),
    noteSignIn: () => running?.noteSignIn(),
    playClip: async (request, signal) => running?.playClip(request, signal) ?? { status: 404, headers: {} },
  };
}

/** How often a one-shot run checks whether it may end, milliseconds. */
const IDLE_LOOK_MS = 100;

/** Pauses in a row after which a circuit counts as unreachable for a one-shot run: some ten seconds. */
const UNREACHABLE_AFTER_PAUSES = 4;

/** Why a one-shot run should not wait any longer; undefined while waiting makes sense. */
function hopeless(pauses: readonly CircuitPause[]): Failure | undefined {
  const refused = pauses.find((pause) => policyOf(pause.failure.code).recovery === 'manual');
  if (refused !== undefined) return refused.failure;
  return pauses.find((pause) => pause.times >= UNREACHABLE_AFTER_PAUSES)?.failure;
}

/** A clip with one of these waits until somebody changes the settings. */
const settingsCodes = failureCodes.filter(
  (code) => isFileWaitedFor(code) && agentPolicyOf(code).exit === 'configuration',
);

interface Deps {
  readonly clock: Clock;
  readonly events: AgentEvents;
  readonly circuits: Pick<Circuits, 'pauses'>;
  readonly runner: Pick<JobRunner, 'active'>;
  readonly watchers: readonly Watcher[];
  /** Jobs to be run, now or later, without action by a person. */
  readonly openJobs: () => number;
  readonly tables: { readonly jobs: Pick<Tables['jobs'], 'openWith'> };
  readonly intake: Pick<Intake, 'hasDue'>;
}

/** Resolves when all is done, or with the reason why waiting makes no sense; rejects with the signal's reason. */
export async function untilIdle(
  { clock, events, circuits, runner, watchers, openJobs, tables, intake }: Deps,
  signal: AbortSignal | undefined,
): Promise<Failure | undefined> {
  let rootTrouble: Failure | undefined;
  const unsubscribe = events.on((event) => {
    if (event.event !== 'root.offline') return;
    const { code, message, advice } = event;
    rootTrouble = { code, message, advice, retryable: true };
  });
  try {
    for (;;) {
      const isBusy = runner.active() > 0;
      const failure = hopeless(circuits.pauses().filter(({ isWhole }) => isWhole || !isBusy));
      if (failure !== undefined) return failure;
      const isOffline = watchers.some((watcher) => !watcher.state().online);
      if (isOffline && rootTrouble !== undefined) return rootTrouble;
      const isQuiet = watchers.every((watcher) => watcher.state().idle);
      if (isQuiet && runner.active() === 0 && !intake.hasDue()) {
        const open = openJobs();
        if (open === 0) return undefined;
        const stuck = tables.jobs.openWith(settingsCodes);
        if (stuck?.count === open) return parseFailure(stuck.failure);
      }
      await clock.sleep(IDLE_LOOK_MS, signal);
    }
  } finally {
    unsubscribe();
  }
}
