import { Worker } from 'node:worker_threads';
import type { WorkerThreads } from '../ports.ts';

/** Worker threads of this agent alone: what `Ports.threads` is unless the host says otherwise. */
export const ownThreads: WorkerThreads = {
  take: (entry, options) => new Worker(entry, options),
  async giveBack(worker) {
    await worker.terminate();
  },
};
