import { Worker } from 'node:worker_threads';
import type { WorkerThreads } from '../ports.ts';
import { IN_FLIGHT_LIMIT } from './root-gate.ts';

/** Worker threads of this agent alone: what `Ports.threads` is unless the host says otherwise. */
export const ownThreads: WorkerThreads = {
  take: (entry, options) => new Worker(entry, options),
  async giveBack(worker) {
    await worker.terminate();
  },
};

/** Threads that libuv starts with when nothing is said. */
const DEFAULT_THREADS = 4;
/** Threads beyond those of the gates: the database's checkpoints, name look-ups, other files. */
const SPARE_THREADS = 8;
/** Largest pool that libuv takes. */
const MOST_THREADS = 1024;

/**
 * Makes room in libuv's thread pool, so that every watched root may hang with all that its gate lets through and
 * the rest of the program still reads files. Call it first of all in a host: the size is read at the pool's first
 * use and never again. A larger size in the environment stays. Returns the size.
 */
export function enlargeThreadPool(environment: NodeJS.ProcessEnv, rootCount: number): number {
  const wanted = DEFAULT_THREADS + SPARE_THREADS + rootCount * IN_FLIGHT_LIMIT;
  const set = Number(environment['UV_THREADPOOL_SIZE'] ?? DEFAULT_THREADS);
  const threads = Math.min(MOST_THREADS, Math.max(wanted, Number.isInteger(set) ? set : DEFAULT_THREADS));
  environment['UV_THREADPOOL_SIZE'] = String(threads);
  return threads;
}
