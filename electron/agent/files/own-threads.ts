import { Worker } from 'node:worker_threads';
import type { WorkerThreads } from '../ports.ts';
import { IN_FLIGHT_LIMIT } from './root-gate.ts';

/** Worker threads of this agent alone: the default of `Ports.threads`. */
export const ownThreads: WorkerThreads = {
  take: (entry, options) => new Worker(entry, options),
  async giveBack(worker) {
    await worker.terminate();
  },
};

/** Default size of libuv's thread pool. */
const DEFAULT_THREADS = 4;
/** Threads beyond those of the gates: the database's checkpoints, name look-ups, other files. */
const SPARE_THREADS = 8;
/** Largest pool that libuv accepts. */
const MOST_THREADS = 1024;

/**
 * Enlarges libuv's thread pool, so that every watched root may hang with all that its gate admits while the rest of the
 * program still reads files. Hosts call it before anything else: the size is read once, at the pool's first use. A
 * larger size in the environment is kept. Returns the size.
 */
export function enlargeThreadPool(environment: NodeJS.ProcessEnv, rootCount: number): number {
  const wanted = DEFAULT_THREADS + SPARE_THREADS + rootCount * IN_FLIGHT_LIMIT;
  const set = Number(environment['UV_THREADPOOL_SIZE'] ?? DEFAULT_THREADS);
  const threads = Math.min(MOST_THREADS, Math.max(wanted, Number.isInteger(set) ? set : DEFAULT_THREADS));
  environment['UV_THREADPOOL_SIZE'] = String(threads);
  return threads;
}
