import type { Worker } from 'node:worker_threads';
import type { SnapshotRequest } from './snapshot-file.ts';

/** What another module's thread does with small files besides the tasks of `snapshot-tasks.ts`, which it imports. */
export interface ThreadEntry {
  readonly url: URL;
  /** Sent to each thread before its first started task. */
  opening(): unknown;
}

/** A task that takes a while: each is answered as soon as it has ended, in any order. */
export interface StartedTask<Request> {
  readonly key: number;
  readonly request: Request;
}

/** The messages of started tasks; `leave`: the thread gets another owner. They are answered with `ended`. */
export type ThreadMessage<Request, Opening> =
  | { readonly open: Opening }
  | { readonly start: readonly StartedTask<Request>[] }
  | { readonly abort: number }
  | { readonly leave: true };

/** The answers of the thread to tasks that have ended. */
export interface StartedAnswers {
  readonly ended: readonly { readonly key: number; readonly answer: never }[];
}

interface OpenTask {
  readonly request: SnapshotRequest;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: unknown) => void;
  /** Stops listening for its abort. */
  readonly over: () => void;
}

/** The tasks that were started in a thread and have not ended. */
export function createStartedTasks(worker: Worker, entry: ThreadEntry) {
  const open = new Map<number, OpenTask>();
  let gathering: StartedTask<SnapshotRequest>[] = [];
  let lastKey = 0;
  let isOpened = false;

  function send(): void {
    const start = gathering.filter(({ key }) => open.has(key));
    gathering = [];
    if (start.length > 0) post({ start });
  }

  function post(message: ThreadMessage<SnapshotRequest, unknown>): void {
    if (!isOpened) worker.postMessage({ open: entry.opening() });
    isOpened = true;
    worker.postMessage(message);
  }

  return {
    size: () => open.size,
    start<Answer>(request: SnapshotRequest, signal: AbortSignal): Promise<Answer> {
      const key = (lastKey += 1);
      return new Promise<Answer>((resolve, reject) => {
        const abort = (): void => {
          open.delete(key);
          post({ abort: key });
          reject(signal.reason);
        };
        if (signal.aborted) return reject(signal.reason);
        signal.addEventListener('abort', abort, { once: true });
        open.set(key, { request, resolve, reject, over: () => signal.removeEventListener('abort', abort) });
        if (gathering.length === 0) setImmediate(send);
        gathering.push({ key, request });
      });
    },
    ended({ ended }: StartedAnswers): void {
      for (const { key, answer } of ended) {
        const task = open.get(key);
        open.delete(key);
        task?.over();
        task?.resolve(answer);
      }
    },
    /** Ends them all without an answer; returns who waits for one. */
    leave() {
      const left = [...open.values()];
      for (const { over } of left) over();
      open.clear();
      if (isOpened) post({ leave: true });
      return left;
    },
  };
}
