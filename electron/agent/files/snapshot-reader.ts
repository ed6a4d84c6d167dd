import type { Worker } from 'node:worker_threads';
import { FailureError } from '../../../shared/domain/failure.ts';
import type { Clock, WorkerThreads } from '../ports.ts';
import { fileFailureNamed } from './file-failures.ts';
import { ownThreads } from './own-threads.ts';
import { rootHung } from './root-failures.ts';
import { DEADLINE_MS, type RootReader } from './root-gate.ts';
import type { SnapshotRequest } from './snapshot-file.ts';
import type { Task, TaskAnswer, TaskBatch, TaskRequest } from './snapshot-worker.ts';
import { threadErrorName } from '../system-errors.ts';

/** An idle thread ends after this long, milliseconds. */
const IDLE_MS = 10_000;
/** How long a look waits for others, milliseconds: only the end of its file waits for it, and a message costs more. */
const LOOK_GATHER_MS = 5;

/** Reads small files whole, with one thread per watched root: a hung share only blocks its own thread. */
export interface SnapshotReader {
  /**
   * Errors: those of `openFile`. Rejects with ROOT_HUNG or HANDLES_USED_UP as a `FailureError`, and when the thread
   * crashed.
   */
  read(request: SnapshotRequest): Promise<TaskAnswer<'read'>>;
  /** Checks the path of a file read before, together with others a few milliseconds later. Rejects as `read` does. */
  look(request: SnapshotRequest): Promise<TaskAnswer<'look'>>;
  /** The same thread, for the inspection of a root before anything in it is sent. */
  of(rootPath: string): RootReader;
  /** Ends the threads; requests under way reject. */
  stop(): void;
}

interface Waiting {
  readonly task: Task;
  readonly request: TaskRequest<Task>;
  /** Receives the answer to this task, the only one that the thread sends for it. */
  readonly resolve: (answer: never) => void;
  readonly reject: (error: unknown) => void;
}

/** Whether a task passes the gate, which itself waits for free handles. */
const isGated = (task: Task): boolean => task === 'bytes' || task === 'stats';

/** Ends a thread, or keeps it for others; resolves once it has ended. */
type GiveBack = (rootPath: string, worker: Worker, isClean: boolean, isHung: boolean) => Promise<void>;

/** Makes a reader; threads start when they are first needed. */
export function createSnapshotReader(clock: Clock, workers: WorkerThreads = ownThreads): SnapshotReader {
  const threads = new Map<string, ReturnType<typeof createThread>>();
  /** Roots with a hung thread: no other starts before it has ended. */
  const stuck = new Set<string>();
  const giveBack: GiveBack = async (rootPath, worker, isClean, isHung) => {
    threads.delete(rootPath);
    if (isHung) stuck.add(rootPath);
    await workers.giveBack(worker, isClean).finally(() => isHung && stuck.delete(rootPath));
  };
  function threadOf(rootPath: string): ReturnType<typeof createThread> {
    if (stuck.has(rootPath)) throw new FailureError(rootHung(rootPath, DEADLINE_MS));
    const thread = threads.get(rootPath) ?? createThread(clock, workers, rootPath, giveBack);
    threads.set(rootPath, thread);
    return thread;
  }

  return {
    read: async (request) => threadOf(request.rootPath).ask('read', request),
    look: async (request) => threadOf(request.rootPath).ask('look', request),
    of: (rootPath) => ({
      bytes: async (request) => threadOf(rootPath).ask('bytes', request),
      stats: async (paths) => threadOf(rootPath).ask('stats', paths),
    }),
    stop() {
      for (const thread of threads.values()) void thread.end(new Error('stopping'));
    },
  };
}

function createThread(clock: Clock, workers: WorkerThreads, rootPath: string, giveBack: GiveBack) {
  const worker = workers.take(new URL('./snapshot-worker.ts', import.meta.url));
  const batches = new Map<number, readonly Waiting[]>();
  let takeBackLimit: (() => void) | undefined;
  let gathering: Waiting[] = [];
  let sending: { readonly cancel: () => void; readonly isSoon: boolean } | undefined;
  let lastId = 0;
  let hasFailed = false;
  let stopResting: (() => void) | undefined;

  async function end(error: unknown, isHung = false): Promise<void> {
    wake();
    takeBackLimit?.();
    sending?.cancel();
    sending = undefined;
    const open = [...batches.values()];
    const name = threadErrorName(error);
    const settle = ({ task, request, reject }: Waiting): void => {
      if (name === undefined) reject(error);
      else if (isGated(task) || !('name' in request)) reject(Object.assign(new Error(name), { code: name }));
      else reject(new FailureError(fileFailureNamed(name, request.name)));
    };
    const left = [...open, gathering].flat();
    batches.clear();
    gathering = [];
    // A thread that hangs in a dead share cannot be ended: only the gate waits for it, or it would let others in
    const gated = isHung ? left.filter(({ task }) => isGated(task)) : [];
    for (const one of left) if (!gated.includes(one)) settle(one);
    await giveBack(rootPath, worker, !hasFailed && open.length === 0, isHung);
    for (const one of gated) settle(one);
  }

  function send(): void {
    const asked = gathering;
    gathering = [];
    sending = undefined;
    lastId += 1;
    const id = lastId;
    batches.set(id, asked);
    if (batches.size === 1) limit();
    const tasks = asked.map(({ task, request }) => ({ task, request }));
    worker.postMessage({ id, asked: tasks } satisfies TaskBatch);
  }

  /** Sets the deadline of the message that the thread is working on: those queued behind it are not late. */
  function limit(): void {
    takeBackLimit?.();
    const isLate = (): void => void end(new FailureError(rootHung(rootPath, DEADLINE_MS)), true);
    takeBackLimit = batches.size === 0 ? undefined : clock.after(DEADLINE_MS, isLate);
  }

  /** Sends all requests of one turn of the loop together, with the looks that wait. */
  function sendSoon(): void {
    if (sending?.isSoon === true) return;
    sending?.cancel();
    const turn = setImmediate(send);
    sending = { isSoon: true, cancel: () => clearImmediate(turn) };
  }

  function sendLater(): void {
    if (sending !== undefined) return;
    const timer = setTimeout(send, LOOK_GATHER_MS);
    sending = { isSoon: false, cancel: () => clearTimeout(timer) };
  }

  function rest(): void {
    if (batches.size > 0 || sending !== undefined) return;
    wake();
    stopResting = clock.after(IDLE_MS, () => void end(new Error('The thread was idle')));
  }

  function wake(): void {
    stopResting?.();
    stopResting = undefined;
  }

  worker.on('message', ({ id, answers }: { id: number; answers: readonly never[] }) => {
    const asked = batches.get(id) ?? [];
    batches.delete(id);
    limit();
    for (const [index, { resolve, reject }] of asked.entries()) {
      const answer = answers[index];
      if (answer === undefined) reject(new Error('The thread skipped a task'));
      else resolve(answer);
    }
    rest();
  });
  worker.on('error', (error) => {
    hasFailed = true;
    void end(error);
  });

  return {
    end,
    ask<T extends Task>(task: T, request: TaskRequest<T>): Promise<TaskAnswer<T>> {
      wake();
      return new Promise((resolve, reject) => {
        gathering.push({ task, request, resolve, reject });
        if (task === 'look') sendLater();
        else sendSoon();
      });
    },
  };
}
