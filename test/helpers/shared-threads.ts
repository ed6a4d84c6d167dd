import { Worker, type WorkerOptions } from 'node:worker_threads';
import type { WorkerThreads } from '../../electron/agent/ports.ts';

/** Most idle threads with the same code and limits; further ones are ended. */
const MOST_READY = 8;
/**
 * Heap added to that of the built program, megabytes: here a thread also strips the types of its code, which takes 15.
 */
const STRIPPING_MB = 32;

/**
 * Worker threads that outlive the agents of a test process: starting one costs more than most tests do with it. A
 * thread that was given back clean is reused; a test about starting and ending threads uses `ownThreads` instead.
 */
function createSharedThreads(): WorkerThreads {
  const ready = new Map<string, Worker[]>();
  const kinds = new WeakMap<Worker, string>();
  const readyOf = (kind: string): Worker[] => {
    const known = ready.get(kind) ?? [];
    ready.set(kind, known);
    return known;
  };

  function start(entry: URL, options: WorkerOptions | undefined, kind: string): Worker {
    const { maxOldGenerationSizeMb: heapMb, ...limits } = options?.resourceLimits ?? {};
    const more = heapMb === undefined ? {} : { maxOldGenerationSizeMb: heapMb + STRIPPING_MB };
    const worker = new Worker(entry, { ...options, resourceLimits: { ...limits, ...more } });
    kinds.set(worker, kind);
    return worker;
  }

  return {
    take(entry, options) {
      const kind = `${entry.href} ${JSON.stringify(options)}`;
      const worker = readyOf(kind).pop() ?? start(entry, options, kind);
      worker.removeAllListeners();
      worker.ref();
      return worker;
    },
    async giveBack(worker, isClean) {
      const mates = readyOf(kinds.get(worker) ?? '');
      if (!isClean || worker.threadId < 0 || mates.length >= MOST_READY) {
        await worker.terminate();
        return;
      }
      worker.removeAllListeners();
      const leave = (): void => {
        const index = mates.indexOf(worker);
        if (index >= 0) mates.splice(index, 1);
      };
      worker.on('error', leave).on('exit', leave);
      // A thread without an agent must not keep the process alive.
      worker.unref();
      mates.push(worker);
    },
  };
}

/** The threads of this process. */
export const sharedThreads = createSharedThreads();
