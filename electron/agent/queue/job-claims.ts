import type { Clock } from '../ports.ts';
import {
  jobKinds,
  type ClaimFilter,
  type ClaimOrder,
  type JobKind,
  type JobPool,
  type JobRow,
} from '../store/job-rows.ts';
import type { Tables } from '../store/tables.ts';
import type { Circuits } from './circuits.ts';
import type { Step } from './outcome.ts';
import type { PoolWorker } from './run-batch.ts';

/** Jobs per batch where other desks send the same clips: few, so that desks see sooner what was sent. */
const SHARED_BATCH = 10;

interface Deps {
  readonly tables: Pick<Tables, 'jobs'>;
  readonly circuits: Circuits;
  readonly clock: Pick<Clock, 'now'>;
  readonly leaseName: string;
  /** Other desks of the site have the same jobs: each takes them in an order of its own. */
  readonly isShared?: boolean;
}

/** One in this many batches of a pool goes by age alone. */
const BY_AGE_EVERY = 8;

/** A job that tests whether what is closed works again. */
interface Probe {
  readonly worker: PoolWorker;
  readonly job: JobRow;
  readonly steps: readonly Step[];
}

/**
 * Claims jobs that may start now: batches where the circuits are open, single jobs where a circuit is due for a probe.
 */
export interface JobClaims {
  /** The next jobs of one incident; none when nothing is ready, or everything that is ready is closed. */
  batch(worker: PoolWorker): readonly JobRow[];
  /** One job per circuit due for a probe: of the kind that has waited longest, preferably not the one refused last. */
  probes(workers: readonly PoolWorker[], hasFreeSlot: (worker: PoolWorker) => boolean): Generator<Probe>;
}

/** Creates the job claims. */
export function createJobClaims({ tables, circuits, clock, leaseName, isShared = false }: Deps): JobClaims {
  /** When a kind of job last probed, as a count, so that each kind gets its turn. */
  const probed = new Map<JobKind, number>();

  const kindsOf = ({ steps }: PoolWorker, wanted: 'one' | 'all'): readonly JobKind[] =>
    jobKinds.filter((kind) => steps[kind] !== undefined && circuits.allowance(steps[kind]) === wanted);

  /** Batches of each pool since the last one that went by age. */
  const sinceOldest = new Map<JobPool, number>();

  /** The newest incident goes first, but nothing waits forever: one batch in eight goes by age alone. */
  function orderOf(pool: JobPool): ClaimOrder {
    if ((sinceOldest.get(pool) ?? 0) >= BY_AGE_EVERY - 1) return 'age';
    return isShared ? 'any' : 'rule';
  }

  function claim({ pool, batchBytes }: PoolWorker, limit: number, which: ClaimFilter): readonly JobRow[] {
    const most = isShared ? Math.min(limit, SHARED_BATCH) : limit;
    const order = orderOf(pool);
    const jobs = tables.jobs.claim(pool, most, leaseName, clock.now(), {
      ...which,
      order,
      ...(batchBytes !== undefined && { mostBytes: batchBytes }),
    });
    if (jobs.length > 0) sinceOldest.set(pool, order === 'age' ? 0 : (sinceOldest.get(pool) ?? 0) + 1);
    return jobs;
  }

  return {
    batch(worker) {
      const kinds = kindsOf(worker, 'all');
      if (kinds.length === 0) return [];
      const isOpen = kinds.length === Object.keys(worker.steps).length;
      return claim(worker, worker.batchSize, isOpen ? {} : { kinds });
    },
    *probes(workers, hasFreeSlot) {
      const candidates = workers
        .flatMap((worker) => kindsOf(worker, 'one').map((kind) => ({ worker, kind })))
        .toSorted((a, b) => (probed.get(a.kind) ?? 0) - (probed.get(b.kind) ?? 0));
      for (const { worker, kind } of candidates) {
        const steps = worker.steps[kind] ?? [];
        // A job that was just started may have been the probe
        if (circuits.allowance(steps) !== 'one' || !hasFreeSlot(worker)) continue;
        const last = circuits.lastRefused(steps);
        const others = last === undefined ? [] : claim(worker, 1, { kinds: [kind], but: last });
        const [job] = others.length > 0 ? others : claim(worker, 1, { kinds: [kind] });
        if (job === undefined) continue;
        probed.set(kind, Math.max(0, ...probed.values()) + 1);
        circuits.probeStarted(steps, job.subject);
        yield { worker, job, steps };
      }
    },
  };
}
