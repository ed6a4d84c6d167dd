import type { Worker } from 'node:worker_threads';
import type { Clock, WorkerThreads } from '../../ports.ts';
import { threadErrorName } from '../../system-errors.ts';
import type { HashAnswer, HashRequest } from './hash-engine.ts';

/** Heap of a worker, megabytes: its buffers lie outside of it. */
const MAX_HEAP_MB = 16;
/**
 * How often a busy thread is asked whether it still answers, milliseconds. One that leaves `MOST_UNANSWERED` questions
 * in a row open hangs in a dead share: 30 s, as long as the root's gate gives any file operation. Counted, not timed: a
 * PC that slept is not a share that hangs.
 */
const PING_MS = 10_000;
const MOST_UNANSWERED = 3;

type Answerable = Exclude<HashRequest, { kind: 'forget' | 'cancel' | 'ping' }>;
/** A request without its `id`. */
export type NewHashRequest = Answerable extends infer One
  ? One extends Answerable
    ? Omit<One, 'id'>
    : never
  : never;

/** One worker thread, started by the first request at the latest. */
export interface HashThread {
  /** Starts it ahead of its first request. */
  warmUp(): void;
  /**
   * Resolves when the worker has let go of the descriptor, after an abort too. Resolves with `hung` when a share blocks
   * the thread, immediately until that ends. A stream is lost with its thread: it is answered as that ended, by `hung`,
   * `cancelled`, or the rejection with which all requests to a thread that crashed end.
   */
  ask(request: NewHashRequest, signal?: AbortSignal): Promise<HashAnswer | HungAnswer>;
  forget(stream: number): void;
  readonly pendingCount: number;
  readonly isRunning: boolean;
  /** Ends the thread; requests under way are answered as cancelled. The next request starts it again. */
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

/** Settles a request that its thread will not answer. */
type Ending = (id: number, one: Pending) => void;

const wasHung: Ending = (id, one) => one.resolve({ id, kind: 'hung' });
const wasStopped: Ending = (id, one) => one.resolve({ id, kind: 'cancelled' });

/** Makes a thread that is not started yet. */
export function createHashThread(threads: WorkerThreads, clock: Pick<Clock, 'after'>): HashThread {
  const pending = new Map<number, Pending>();
  /** Streams whose state is in the worker. */
  const streams = new Set<number>();
  /** Streams whose state was lost with its thread, and how: another thread would start from nothing. */
  const lost = new Map<number, Ending>();
  let worker: Worker | undefined;
  let lastId = 0;
  let unanswered = 0;
  let stopWatching: (() => void) | undefined;
  /** Threads that were abandoned and have not ended yet. */
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

  /** Drops the worker; settles all that is pending with `answer`, and what is asked of its streams later. */
  function end(answer: Ending, later = answer): void {
    const ended = [...pending];
    worker = undefined;
    pending.clear();
    for (const stream of streams) lost.set(stream, later);
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

  /** Abandons a hung thread, which cannot be ended before its read returns. */
  function giveUp(thread: Worker): void {
    stuckCount += 1;
    thread.removeAllListeners();
    thread.on('error', () => undefined);
    void threads.giveBack(thread, false).finally(() => (stuckCount -= 1));
    end(wasHung);
  }

  function ask(request: NewHashRequest, signal?: AbortSignal): Promise<HashAnswer | HungAnswer> {
    const id = ++lastId;
    if (signal?.aborted === true) return Promise.resolve({ id, kind: 'cancelled' });
    const loss = 'stream' in request ? lost.get(request.stream) : undefined;
    const refusal = stuckCount > 0 ? wasHung : loss;
    if (refusal !== undefined) return new Promise((resolve, reject) => refusal(id, { resolve, reject }));
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
    warmUp() {
      if (stuckCount === 0) worker ??= start();
    },
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
      // Requests from now on go to a new thread
      const ended: [number, Pending][] = [];
      end((id, one) => ended.push([id, one]), wasStopped);
      if (ending !== undefined) await threads.giveBack(ending, isClean);
      for (const [id, one] of ended) wasStopped(id, one);
    },
  };
}
