import type { Worker } from 'node:worker_threads';
import { FailureError } from '../../../shared/domain/failure.ts';
import type { Clock, WorkerThreads } from '../ports.ts';
import { fileFailureNamed } from './file-failures.ts';
import { rootHung } from './root-failures.ts';
import { DEADLINE_MS, type RootReader } from './root-gate.ts';
import type { SnapshotRequest } from './snapshot-file.ts';
import { createStartedTasks, type StartedAnswers, type ThreadEntry } from './started-tasks.ts';
import type { Task, TaskAnswer, TaskBatch, TaskRequest } from './snapshot-tasks.ts';
import { threadErrorName } from '../system-errors.ts';

/** An idle thread ends after this long, milliseconds. */
const IDLE_MS = 10_000;
/** How often a thread with started tasks is asked whether it still answers, milliseconds. */
const PING_MS = 2_000;

/** Reads small files whole, with one thread per watched root: a hung share only blocks its own thread. */
export interface SnapshotReader {
  /**
   * Errors: those of `openFile`. Rejects with ROOT_HUNG or HANDLES_USED_UP as a `FailureError`, and when the thread
   * crashed.
   */
  sum(request: SnapshotRequest): Promise<TaskAnswer<'sum'>>;
  /** Starts a task of the entry. Rejects as `sum` does, and with the signal's reason, which also aborts it. */
  start<Answer>(request: SnapshotRequest, signal: AbortSignal): Promise<Answer>;
  /** Starts the thread of a root that will soon be needed. */
  warmUp(rootPath: string): void;
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
export function createSnapshotReader(
  clock: Clock,
  workers: WorkerThreads,
  entry: ThreadEntry,
): SnapshotReader {
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
    const thread = threads.get(rootPath) ?? createThread({ clock, workers, rootPath, entry, giveBack });
    threads.set(rootPath, thread);
    return thread;
  }

  return {
    sum: async (request) => threadOf(request.rootPath).ask('sum', request),
    start: async (request, signal) => threadOf(request.rootPath).start(request, signal),
    warmUp: (rootPath) => threadOf(rootPath).rest(),
    of: (rootPath) => ({
      bytes: async (request) => threadOf(rootPath).ask('bytes', request),
      stats: async (paths) => threadOf(rootPath).ask('stats', paths),
    }),
    stop() {
      for (const thread of threads.values()) void thread.end(new Error('stopping'));
    },
  };
}

interface ThreadDeps {
  readonly clock: Clock;
  readonly workers: WorkerThreads;
  readonly rootPath: string;
  readonly entry: ThreadEntry;
  readonly giveBack: GiveBack;
}

function createThread({ clock, workers, rootPath, entry, giveBack }: ThreadDeps) {
  const worker = workers.take(entry.url);
  const batches = new Map<number, readonly Waiting[]>();
  const started = createStartedTasks(worker, entry);
  let takeBackLimit: (() => void) | undefined;
  let takeBackPing: (() => void) | undefined;
  let gathering: Waiting[] = [];
  let sending: NodeJS.Immediate | undefined;
  let lastId = 0;
  let hasFailed = false;
  let stopResting: (() => void) | undefined;

  async function end(error: unknown, isHung = false): Promise<void> {
    wake();
    takeBackLimit?.();
    takeBackPing?.();
    clearImmediate(sending);
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
    const isBusy = open.length > 0 || started.size() > 0;
    for (const { request, reject } of started.leave())
      settle({ task: 'sum', request, reject, resolve: reject });
    await giveBack(rootPath, worker, !hasFailed && !isBusy, isHung);
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

  /** Sends all requests of one turn of the loop together. */
  function sendSoon(): void {
    sending ??= setImmediate(send);
  }

  /** An empty batch has the deadline of any other: a started task has none of its own, as a line may be slow. */
  function ping(): void {
    takeBackPing ??= clock.after(PING_MS, () => {
      takeBackPing = undefined;
      if (started.size() === 0) return;
      if (batches.size === 0) send();
      ping();
    });
  }

  function answered({ id, answers }: BatchAnswer): void {
    const asked = batches.get(id) ?? [];
    batches.delete(id);
    limit();
    for (const [index, { resolve, reject }] of asked.entries()) {
      const answer = answers[index];
      if (answer === undefined) reject(new Error('The thread skipped a task'));
      else resolve(answer);
    }
  }

  function rest(): void {
    if (batches.size > 0 || started.size() > 0 || sending !== undefined) return;
    wake();
    stopResting = clock.after(IDLE_MS, () => void end(new Error('The thread was idle')));
  }

  function wake(): void {
    stopResting?.();
    stopResting = undefined;
  }

  worker.on('message', (message: BatchAnswer | StartedAnswers) => {
    if ('ended' in message) started.ended(message);
    else answered(message);
    rest();
  });
  worker.on('error', (error) => {
    hasFailed = true;
    void end(error);
  });

  return {
    end,
    rest,
    ask<T extends Task>(task: T, request: TaskRequest<T>): Promise<TaskAnswer<T>> {
      wake();
      return new Promise((resolve, reject) => {
        gathering.push({ task, request, resolve, reject });
        sendSoon();
      });
    },
    start<Answer>(request: SnapshotRequest, signal: AbortSignal): Promise<Answer> {
      wake();
      ping();
      return started.start<Answer>(request, signal).finally(rest);
    },
  };
}

interface BatchAnswer {
  readonly id: number;
  readonly answers: readonly never[];
}
