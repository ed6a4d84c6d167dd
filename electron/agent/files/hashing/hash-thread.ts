import type { Worker } from 'node:worker_threads';
import type { WorkerThreads } from '../../ports.ts';
import type { HashAnswer, HashRequest } from './hash-engine.ts';

/** Heap of a worker, megabytes: its buffers lie outside of it. */
const MAX_HEAP_MB = 16;

type Answerable = Exclude<HashRequest, { kind: 'forget' | 'cancel' }>;
/** A request before it has its number. */
export type NewHashRequest = Answerable extends infer One
  ? One extends Answerable
    ? Omit<One, 'id'>
    : never
  : never;

/** One worker thread, started when it is first asked. */
export interface HashThread {
  /** Resolves when the worker has let go of the descriptor, after an abort too. Rejects when the thread broke. */
  ask(request: NewHashRequest, signal?: AbortSignal): Promise<HashAnswer>;
  forget(stream: number): void;
  readonly pendingCount: number;
  /** Ends the thread; what is under way is answered as cancelled. It starts again when it is asked again. */
  stop(): Promise<void>;
}

interface Pending {
  readonly resolve: (answer: HashAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/** Makes a thread that is not started yet. */
export function createHashThread(threads: WorkerThreads): HashThread {
  const pending = new Map<number, Pending>();
  /** Streams whose sum so far lies in the worker. */
  const streams = new Set<number>();
  let worker: Worker | undefined;
  let lastId = 0;

  function start(): Worker {
    const started = threads.take(new URL('./hash-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: MAX_HEAP_MB / 4 },
    });
    started.on('message', (answer: HashAnswer) => {
      pending.get(answer.id)?.resolve(answer);
      pending.delete(answer.id);
    });
    started.on('error', (error) => fail(started, error));
    started.on('exit', () => fail(started, new Error('The hash worker ended by itself')));
    return started;
  }

  function fail(which: Worker, error: unknown): void {
    if (worker !== which) return;
    worker = undefined;
    for (const one of pending.values()) one.reject(error);
    pending.clear();
    streams.clear();
  }

  function ask(request: NewHashRequest, signal?: AbortSignal): Promise<HashAnswer> {
    const id = ++lastId;
    if (signal?.aborted === true) return Promise.resolve({ id, kind: 'cancelled' });
    const thread = (worker ??= start());
    if ('stream' in request) streams.add(request.stream);
    const cancel = (): void => thread.postMessage({ kind: 'cancel', id } satisfies HashRequest);
    signal?.addEventListener('abort', cancel, { once: true });
    const answer = new Promise<HashAnswer>((resolve, reject) => pending.set(id, { resolve, reject }));
    thread.postMessage({ ...request, id } satisfies HashRequest);
    return answer.finally(() => signal?.removeEventListener('abort', cancel));
  }

  return {
    ask,
    forget(stream) {
      if (streams.delete(stream)) worker?.postMessage({ kind: 'forget', stream } satisfies HashRequest);
    },
    get pendingCount() {
      return pending.size;
    },
    async stop() {
      const ending = worker;
      // What is asked from now on goes to a new thread
      const ended = [...pending];
      const isClean = pending.size === 0 && streams.size === 0;
      worker = undefined;
      pending.clear();
      streams.clear();
      if (ending !== undefined) await threads.giveBack(ending, isClean);
      for (const [id, one] of ended) one.resolve({ id, kind: 'cancelled' });
    },
  };
}
