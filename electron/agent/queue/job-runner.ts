import { failureCodes } from '../../../shared/domain/failure.ts';
import { MAX_RETRY_DELAY_MS } from '../core/failures/failure-policy.ts';
import type { JobRow } from '../store/job-rows.ts';
import { createJobClaims } from './job-claims.ts';
import { createRunBatch, type Batch, type BatchDeps, type PoolWorker } from './run-batch.ts';
import type { Clock } from '../ports.ts';
import { policyOf } from '../../../shared/domain/failure-policy.ts';

/** Longest sleep of the runner; other processes may add work (`retry`). */
const LONGEST_NAP_MS = 1000;
/** How long batches run one at a time after too much was in progress at once, milliseconds. */
const SLOW_MS = 5 * 60_000;
/** A batch that has sent nothing for this long no longer holds its slot; a worker may have a few of those. */
const SLOW_AFTER_MS = 10_000;

/** Codes of failures for which a job waits for service or storage. */
const refusalCodes = failureCodes.filter((code) =>
  ['service', 'storage', 'call', 'desk'].includes(policyOf(code).scope),
);

interface RunnerDeps extends BatchDeps {
  /** Name of this process's leases; leases of any other name are freed at the start. */
  readonly leaseName: string;
  /** Knows when bytes of a clip last moved, monotonic. */
  readonly meter?: { movedAtMs(clipId: string): number | undefined };
  /** See `createJobClaims`. */
  readonly isShared?: boolean;
  /** While it is paused nothing starts, as results could not be stored; whoever ends the pause wakes the runner. */
  readonly disk?: { pauses(): readonly unknown[] };
  /** Whether the schedule of the line holds uploads back; whoever ends that wakes the runner. */
  readonly isHeld?: () => boolean;
}

/** Claims jobs and runs them. Call `wake` after work was added. */
export interface JobRunner {
  start(): void;
  wake(): void;
  stop(): Promise<void>;
  /**
   * Stops the uploads that `isMeant` selects and resolves once they are settled: done, or back in the queue without an
   * attempt. Others of the same batch go back with them.
   */
  interrupt(isMeant: (job: JobRow) => boolean): Promise<void>;
  /**
   * For a PC that goes to sleep: nothing is started until `resume`, and everything in progress goes back to the queue
   * without an attempt. Resolves once it is settled. It is not a pause by a person: nothing is stored.
   */
  suspend(): Promise<void>;
  resume(): void;
  /** Starts nothing more; resolves when everything in progress has ended normally. `stop` comes after it. */
  drain(): Promise<void>;
  /** Number of batches running now. */
  active(): number;
}

/** Creates a runner over the given workers. */
export function createJobRunner(deps: RunnerDeps, workers: readonly PoolWorker[]): JobRunner {
  const { tables, circuits, clock, logger } = deps;
  const stopping = new AbortController();
  const inFlight = new Map<Batch, Promise<void>>();
  /** Jobs whose lease nobody holds any more, because not even their release could be stored. */
  const unsettled = new Set<number>();
  let timer: NodeJS.Timeout | undefined;
  let dataVersion = 0;
  let isSuspended = false;
  let slowUntilMs = -Infinity;
  /** Whether something that was closed has opened: jobs that were refused there are due. */
  let hasOpened = false;
  const wallClock = watchWallClock(clock);
  const claims = createJobClaims(deps);
  circuits.onOpened(() => {
    hasOpened = true;
    wake();
  });
  const runBatch = createRunBatch(deps, {
    stopping: stopping.signal,
    onUnsettled: (id) => unsettled.add(id),
    onLeft: wake,
    onTooMuch: () => void (slowUntilMs = clock.monotonic() + SLOW_MS),
  });

  const movedAtMs = ({ movedAtMs: settledMs, open }: Batch): number =>
    Math.max(settledMs, ...[...open].map(({ subject }) => deps.meter?.movedAtMs(subject) ?? -Infinity));
  const isSlow = (batch: Batch): boolean =>
    movedAtMs(batch) < clock.monotonic() - (batch.worker.slowAfterMs ?? SLOW_AFTER_MS);

  /** Answers that drip hold slots, but never all: another batch may replace one that waits for too long. */
  function hasFreeSlot({ pool, slots, spareSlots = 0, moreSlots }: PoolWorker): boolean {
    const busy = [...inFlight.keys()].filter(({ worker, hasLeft }) => worker.pool === pool && !hasLeft);
    const waiting = Math.min(spareSlots, busy.filter(isSlow).length);
    return busy.length - waiting < slots + moreBeside(busy, moreSlots);
  }

  /** Starts one batch of the worker; false when there is nothing to start. */
  function startOne(worker: PoolWorker): boolean {
    const isSlowed = inFlight.size > 0 && clock.monotonic() < slowUntilMs;
    const jobs = hasFreeSlot(worker) && !isSlowed ? claims.batch(worker) : [];
    if (jobs.length > 0) runJobs(worker, jobs);
    return jobs.length > 0;
  }

  function startProbes(allowed: readonly PoolWorker[]): void {
    for (const { worker, job, steps } of claims.probes(allowed, hasFreeSlot))
      runJobs(worker, [job], () => circuits.probeEnded(steps, job.subject));
  }

  function runJobs(worker: PoolWorker, jobs: readonly JobRow[], onEnded?: () => void): void {
    const ending = new AbortController();
    const batch = { worker, open: new Set(jobs), ending, movedAtMs: clock.monotonic(), hasLeft: false };
    const run = runBatch(batch, jobs).finally(() => {
      onEnded?.();
      inFlight.delete(batch);
      wake();
    });
    inFlight.set(batch, run);
  }

  function fill(): void {
    timer = undefined;
    if (stopping.signal.aborted || isSuspended) return;
    if ((deps.disk?.pauses().length ?? 0) > 0) return nap();
    const held = tables.held();
    if (held !== undefined) return void held.then(wake);
    dataVersion = tables.dataVersion();
    releaseUnsettled(deps, unsettled);
    promote(deps, { wasSetBack: wallClock.wasSetBack(), hasOpened });
    wallClock.accept();
    hasOpened = false;
    // The control room keeps seeing incidents while uploads are paused
    const isPaused = tables.desk.isPaused() || deps.isHeld?.() === true;
    const allowed = isPaused ? workers.filter(({ pool }) => pool === 'record') : workers;
    // One batch per worker in each turn of the event loop: a full pool starves neither the others nor the windows
    if (allowed.map(startOne).includes(true)) return wake();
    startProbes(allowed);
    nap();
  }

  function nap(): void {
    timer = setTimeout(guarded(onTimer), napMs(deps));
  }

  /** Most naps end with nothing to do: then not even a claim is attempted. */
  function onTimer(): void {
    const now = clock.now();
    const dueAt = tables.jobs.nextDueAt();
    const isDue = dueAt !== undefined && (dueAt <= now || dueAt > now + MAX_RETRY_DELAY_MS);
    const isProbe = circuits.nextProbeInMs() === 0;
    // A job that waits for a slot is not newly due: it was due before
    const isHeldUp = [...inFlight.keys()].some(isSlow);
    if (isDue || isProbe || isHeldUp || wallClock.wasSetBack() || tables.dataVersion() !== dataVersion)
      fill();
    else nap();
  }

  /** A full disk or another process that holds the database must not bring this one down: it is retried. */
  function guarded(work: () => void): () => void {
    return () => {
      try {
        work();
      } catch (error) {
        logger.error('The queue cannot be read or written right now; this will be retried', { error });
        clearTimeout(timer);
        timer = setTimeout(guarded(fill), LONGEST_NAP_MS);
      }
    };
  }

  let wakePending = false;
  function wake(): void {
    if (wakePending || stopping.signal.aborted) return;
    wakePending = true;
    const wakeUp = guarded(fill);
    setImmediate(() => {
      wakePending = false;
      clearTimeout(timer);
      wakeUp();
    });
  }

  return {
    start() {
      // A start is a fresh start: nobody waits out the delays of the last run
      tables.jobs.capDue(clock.now());
      const freed = tables.write(() => {
        tables.history.lostByOthers(deps.leaseName, clock.now());
        return tables.jobs.freeLeasesOfOthers(deps.leaseName);
      });
      if (freed > 0) logger.info('Jobs from an earlier run continue', { jobs: freed });
      wake();
    },
    wake,
    async stop() {
      const reason = new Error('stopping');
      stopping.abort(reason);
      for (const { ending } of inFlight.keys()) ending.abort(reason);
      clearTimeout(timer);
      await Promise.allSettled(inFlight.values());
    },
    async interrupt(isMeant) {
      const meant = [...inFlight].filter(
        ([{ worker, open }]) => worker.pool !== 'record' && [...open].some(isMeant),
      );
      for (const [{ ending }] of meant) ending.abort(new Error('interrupted by a command'));
      await Promise.allSettled(meant.map(([, run]) => run));
    },
    async drain() {
      isSuspended = true;
      clearTimeout(timer);
      await Promise.allSettled(inFlight.values());
    },
    async suspend() {
      isSuspended = true;
      clearTimeout(timer);
      for (const { ending } of inFlight.keys()) ending.abort(new Error('the PC is going to sleep'));
      await Promise.allSettled(inFlight.values());
    },
    resume() {
      isSuspended = false;
      wake();
    },
    active: () => inFlight.size,
  };
}

/** How many further slots there are beside batches with so few bytes. */
function moreBeside(batches: readonly Batch[], more: PoolWorker['moreSlots']): number {
  const jobs = batches.flatMap(({ open }) => [...open]);
  const bytes = jobs.reduce((sum, { sendBytes }) => sum + sendBytes, 0);
  return more !== undefined && bytes < more.belowBytes ? more.count : 0;
}

/** Makes jobs ready that have waited long enough. */
function promote(
  { tables: { jobs }, clock }: RunnerDeps,
  { wasSetBack, hasOpened }: { readonly wasSetBack: boolean; readonly hasOpened: boolean },
): void {
  if (jobs.nextDueAt() === undefined) return;
  const now = clock.now();
  // A clock that was wrong when rows were written, or was set back since, must not delay them
  jobs.capDue(now + (wasSetBack ? 0 : MAX_RETRY_DELAY_MS));
  if (hasOpened) jobs.readyAfter(refusalCodes, now);
  jobs.promoteDue(now);
}

function napMs({ tables, circuits, clock }: RunnerDeps): number {
  const dueAt = tables.jobs.nextDueAt();
  const dueMs = dueAt === undefined ? LONGEST_NAP_MS : Math.max(0, dueAt - clock.now());
  const probeMs = circuits.nextProbeInMs();
  // A circuit that is due for a probe and got none has no job to send: a wait of 0 ms would be a busy loop
  const probeWaitMs = probeMs === undefined || probeMs === 0 ? LONGEST_NAP_MS : probeMs;
  return Math.min(dueMs, probeWaitMs, LONGEST_NAP_MS);
}

/** Knows whether the wall clock was set back since it was last accepted: it is then less ahead of the monotonic one. */
function watchWallClock(clock: Pick<Clock, 'now' | 'monotonic'>) {
  const aheadMs = (): number => clock.now() - clock.monotonic();
  let acceptedMs = aheadMs();
  return {
    wasSetBack: () => aheadMs() < acceptedMs - LONGEST_NAP_MS,
    accept: () => void (acceptedMs = aheadMs()),
  };
}

function releaseUnsettled({ tables, clock }: RunnerDeps, unsettled: Set<number>): void {
  for (const id of unsettled) {
    tables.write(() => {
      tables.history.lostJob(id, clock.now());
      tables.jobs.release(id);
    });
    unsettled.delete(id);
  }
}
