import type { Worker } from 'node:worker_threads';
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import { err, type Result } from '../../../shared/lib/result.ts';
import type { Clock, WorkerThreads } from '../ports.ts';
import { fileFailureNamed } from './file-failures.ts';
import { ownThreads } from './own-threads.ts';
import { rootHung } from './root-failures.ts';
import { DEADLINE_MS } from './root-gate.ts';
import type { Snapshot, SnapshotRequest } from './snapshot-file.ts';
import { threadErrorName } from './system-errors.ts';
import type { SnapshotAnswer, SnapshotBatch } from './snapshot-worker.ts';

/** A thread without work ends after this long, milliseconds. */
const IDLE_MS = 10_000;

/** Reads small files whole, one thread a watched root: a share that hangs holds its own thread only. */
export interface SnapshotReader {
  /** Errors: those of `openFile`. Rejects with ROOT_HUNG as a `FailureError`, and when the thread broke. */
  read(request: SnapshotRequest): Promise<Result<Snapshot, Failure>>;
  /** Ends the threads; what is under way rejects. */
  stop(): void;
}

interface Waiting {
  readonly request: SnapshotRequest;
  readonly resolve: (result: Result<Snapshot, Failure>) => void;
  readonly reject: (error: unknown) => void;
}

/** Makes a reader; threads start when they are first needed. */
export function createSnapshotReader(clock: Clock, workers: WorkerThreads = ownThreads): SnapshotReader {
  const threads = new Map<string, ReturnType<typeof createThread>>();
  /** Roots whose thread hangs: no other is begun before it has ended. */
  const stuck = new Set<string>();
  const giveBack = (rootPath: string, worker: Worker, isClean: boolean, isHung: boolean): void => {
    threads.delete(rootPath);
    if (isHung) stuck.add(rootPath);
    void workers.giveBack(worker, isClean).finally(() => isHung && stuck.delete(rootPath));
  };
  return {
    read(request) {
      const { rootPath } = request;
      if (stuck.has(rootPath)) return Promise.reject(new FailureError(rootHung(rootPath, DEADLINE_MS)));
      const thread =
        threads.get(rootPath) ??
        createThread(clock, workers, rootPath, (...ended) => giveBack(rootPath, ...ended));
      threads.set(rootPath, thread);
      return thread.read(request);
    },
    stop() {
      for (const thread of threads.values()) thread.end(new Error('stopping'));
    },
  };
}

function createThread(
  clock: Clock,
  workers: WorkerThreads,
  rootPath: string,
  onEnd: (worker: Worker, isClean: boolean, isHung: boolean) => void,
) {
  const worker = workers.take(new URL('./snapshot-worker.ts', import.meta.url));
  const batches = new Map<
    number,
    { readonly waiting: readonly Waiting[]; readonly takeBackLimit: () => void }
  >();
  let gathering: Waiting[] = [];
  let lastId = 0;
  let hasFailed = false;
  let stopResting: (() => void) | undefined;

  function end(error: unknown, isHung = false): void {
    wake();
    for (const { takeBackLimit } of batches.values()) takeBackLimit();
    const open = [...batches.values()].flatMap(({ waiting }) => waiting);
    const name = threadErrorName(error);
    for (const one of [...open, ...gathering]) {
      if (name === undefined) one.reject(error);
      else one.resolve(err(fileFailureNamed(name, one.request.name)));
    }
    batches.clear();
    gathering = [];
    // A thread that hangs in a dead share cannot be ended; nobody waits for it.
    onEnd(worker, !hasFailed && open.length === 0, isHung);
  }

  /** All files asked for in one turn of the loop go together. */
  function send(): void {
    const waiting = gathering;
    gathering = [];
    if (waiting.length === 0) return;
    lastId += 1;
    const id = lastId;
    const isLate = (): void => end(new FailureError(rootHung(rootPath, DEADLINE_MS)), true);
    batches.set(id, { waiting, takeBackLimit: clock.after(DEADLINE_MS, isLate) });
    worker.postMessage({ id, files: waiting.map(({ request }) => request) } satisfies SnapshotBatch);
  }

  function rest(): void {
    if (batches.size > 0 || gathering.length > 0) return;
    wake();
    stopResting = clock.after(IDLE_MS, () => end(new Error('The thread was idle')));
  }

  function wake(): void {
    stopResting?.();
    stopResting = undefined;
  }

  worker.on('message', ({ id, results }: SnapshotAnswer) => {
    const batch = batches.get(id);
    batches.delete(id);
    batch?.takeBackLimit();
    for (const [index, one] of (batch?.waiting ?? []).entries()) {
      const result = results[index];
      if (result === undefined) one.reject(new Error('The thread left a file out'));
      else one.resolve(result);
    }
    rest();
  });
  worker.on('error', (error) => {
    hasFailed = true;
    end(error);
  });

  return {
    end,
    read(request: SnapshotRequest): Promise<Result<Snapshot, Failure>> {
      wake();
      return new Promise((resolve, reject) => {
        if (gathering.length === 0) setImmediate(send);
        gathering.push({ request, resolve, reject });
      });
    },
  };
}
