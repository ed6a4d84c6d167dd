import type { Worker } from 'node:worker_threads';
import type { Clock, WorkerThreads } from '../../ports.ts';
import { threadErrorName } from '../../system-errors.ts';
import type { HashAnswer, HashRequest } from './hash-engine.ts';

/** Heap of a worker, megabytes: its buffers lie outside of it. */
const MAX_HEAP_MB = 16;
/**
 * A thread that is at work is asked this often whether it still answers, milliseconds. One that leaves so many questions
 * in a row open hangs in a dead share: 30 s, as long as the root's gate gives any file operation. Counted, not timed: a
 * PC that slept is no share that hangs.
 */
const PING_MS = 10_000;
const MOST_UNANSWERED = 3;

type Answerable = Exclude<HashRequest, { kind: 'forget' | 'cancel' | 'ping' }>;
/** A request before it has its number. */
export type NewHashRequest = Answerable extends infer One
  ? One extends Answerable
    ? Omit<One, 'id'>
    : never
  : never;

/** One worker thread, started when it is first asked. */
export interface HashThread {
  /**
   * Resolves when the worker has let go of the descriptor, after an abort too; or with `hung` while a share holds it, at
   * once until that ends, and for a stream whose thread has ended. Rejects when the thread broke.
   */
  ask(request: NewHashRequest, signal?: AbortSignal): Promise<HashAnswer | HungAnswer>;
  forget(stream: number): void;
  readonly pendingCount: number;
  readonly isRunning: boolean;
  /** Ends the thread; what is under way is answered as cancelled. It starts again when it is asked again. */
  stop(): Promise<void>;
}

/** The thread hangs in a read. */
export interface HungAnswer {
  readonly id: number;
  readonly kind: 'hung';
}

interface Pending {
  readonly resolve: (answer: HashAnswer | HungAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/** Makes a thread that is not started yet. */
export function createHashThread(threads: WorkerThreads, clock: Pick<Clock, 'after'>): HashThread {
  const pending = new Map<number, Pending>();
  /** Streams whose sum so far lies in the worker. */
  const streams = new Set<number>();
  /** Streams whose sum so far ended with its thread: another one would go on from nothing. */
  const lost = new Set<number>();
  let worker: Worker | undefined;
  let lastId = 0;
  let unanswered = 0;
  let stopWatching: (() => void) | undefined;
  /** Threads that were given up and have not ended yet. */
  let stuckCount = 0;

  function start(): Worker {
    const started = threads.take(new URL('./hash-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: MAX_HEAP_MB / 4 },
    });
    started.on('message', (answer: HashAnswer) => {
      if (worker === started) unanswered = 0;
      pending.get(answer.id)?.resolve(answer);
      pending.delete(answer.id);
    });
    started.on('error', (error) => fail(started, error));
    started.on('exit', () => fail(started, new Error('The hash worker ended unexpectedly')));
    return started;
  }

  function fail(which: Worker, error: unknown): void {
    if (worker !== which) return;
    const name = threadErrorName(error);
    end((id, one) => (name === undefined ? one.reject(error) : one.resolve({ id, kind: 'error', name })));
  }

  /** Nobody waits for the worker any more. */
  function end(answer: (id: number, one: Pending) => void): void {
    const ended = [...pending];
    worker = undefined;
    pending.clear();
    for (const stream of streams) lost.add(stream);
    streams.clear();
    stopWatching?.();
    stopWatching = undefined;
    for (const [id, one] of ended) answer(id, one);
  }

  function watch(thread: Worker): void {
    stopWatching ??= clock.after(PING_MS, () => {
      stopWatching = undefined;
      if (worker !== thread || pending.size === 0) return;
      if (unanswered >= MOST_UNANSWERED) return giveUp(thread);
      unanswered += 1;
      thread.postMessage({ kind: 'ping', id: 0 } satisfies HashRequest);
      watch(thread);
    });
  }

  /** A thread that hangs cannot be ended before its read returns. */
  function giveUp(thread: Worker): void {
    stuckCount += 1;
    thread.removeAllListeners();
    thread.on('error', () => undefined);
    void threads.giveBack(thread, false).finally(() => (stuckCount -= 1));
    end((id, one) => one.resolve({ id, kind: 'hung' }));
  }

  function ask(request: NewHashRequest, signal?: AbortSignal): Promise<HashAnswer | HungAnswer> {
    const id = ++lastId;
    if (signal?.aborted === true) return Promise.resolve({ id, kind: 'cancelled' });
    const isLost = 'stream' in request && lost.has(request.stream);
    if (stuckCount > 0 || isLost) return Promise.resolve({ id, kind: 'hung' });
    if (pending.size === 0) unanswered = 0;
    const thread = (worker ??= start());
    if ('stream' in request) streams.add(request.stream);
    const cancel = (): void => thread.postMessage({ kind: 'cancel', id } satisfies HashRequest);
    signal?.addEventListener('abort', cancel, { once: true });
    const answer = new Promise<HashAnswer | HungAnswer>((resolve, reject) =>
      pending.set(id, { resolve, reject }),
    );
    thread.postMessage({ ...request, id } satisfies HashRequest);
    watch(thread);
    return answer.finally(() => signal?.removeEventListener('abort', cancel));
  }

  return {
    ask,
    forget(stream) {
      lost.delete(stream);
      if (streams.delete(stream)) worker?.postMessage({ kind: 'forget', stream } satisfies HashRequest);
    },
    get pendingCount() {
      return pending.size;
    },
    get isRunning() {
      return worker !== undefined;
    },
    async stop() {
      const ending = worker;
      const isClean = pending.size === 0 && streams.size === 0;
      // What is asked from now on goes to a new thread
      const ended: [number, Pending][] = [];
      end((id, one) => ended.push([id, one]));
      if (ending !== undefined) await threads.giveBack(ending, isClean);
      for (const [id, one] of ended) one.resolve({ id, kind: 'cancelled' });
    },
  };
}
