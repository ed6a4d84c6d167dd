/**
 * Work on the queue that runs on threads of its own, because it would block the main thread: checking all its pages,
 * and the checkpoints of its log.
 *
 * A checkpoint waits for the disk two or three times, and a failing disk takes seconds for each. It uses a connection
 * of its own, with SQLite's own care for the order in which data reaches the disk, while others keep writing. While the
 * log is about to start over, `synced` resolves for nobody, so that frequent writers wait: a log whose writers never
 * pause could not start over. A write that does not wait is held up only by the single sync with which the log starts
 * over.
 */
import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Worker } from 'node:worker_threads';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { WorkerThreads } from '../ports.ts';
import type { CheckpointAnswer, CheckpointQuestion } from './checkpoint-worker.ts';
import { JOURNAL_SIZE_LIMIT_BYTES, suspectFile, type WriteDb } from './open-db.ts';
import { fileIdentity } from './queue-file.ts';
import { brokenQueue } from './store-failures.ts';
import type { Tables } from './tables.ts';

/** How often the length of the log is checked, milliseconds. */
const LOOK_MS = 1_000;
/** Log pages (4 KiB each) that trigger a checkpoint: seldom enough for the disk, soon enough for its space. */
const CHECKPOINT_PAGES = 2_000;
/** Without a thread for checkpoints, SQLite makes one on the main thread once the log is this long. */
const WITHOUT_THREAD_PAGES = 8 * CHECKPOINT_PAGES;

interface Deps {
  readonly db: WriteDb;
  readonly tables: Pick<Tables, 'holdBack'>;
  readonly threads: WorkerThreads;
  /** Called with errors of the disk. */
  readonly onError: (error: unknown) => void;
}

/**
 * Makes checkpoints from now on. Returns a function that ends that; close the connection only after it has resolved. A
 * thread that died is replaced at the next check.
 */
export function startCheckpoints({ db, tables, threads, onError }: Deps): () => Promise<void> {
  const identity = fileIdentity(db.name);
  let thread: Worker | undefined;
  let take: ((answer: CheckpointAnswer) => void) | undefined;
  let running: Promise<void> | undefined;
  const state = db.prepare<[], { readonly log: number }>('PRAGMA wal_checkpoint(NOOP)');
  db.pragma(`wal_autocheckpoint = ${WITHOUT_THREAD_PAGES}`);

  function start(): Worker {
    const started = threads.take(new URL('./checkpoint-worker.ts', import.meta.url));
    const ended = (): void => {
      if (thread === started) thread = undefined;
      take?.({});
    };
    started.on('message', (answer: CheckpointAnswer) => take?.(answer));
    started.on('error', ended).on('exit', ended).unref();
    return started;
  }

  /** False when something went wrong, which was reported. Never rejects. */
  async function checkpoint(question: CheckpointQuestion): Promise<boolean> {
    try {
      const asked = (thread ??= start());
      const { problem } = await new Promise<CheckpointAnswer>((resolve) => {
        take = resolve;
        asked.postMessage(question);
      });
      if (problem !== undefined) onError(Object.assign(new Error(problem.message), { code: problem.code }));
      return problem === undefined;
    } catch (error) {
      onError(error);
      return false;
    }
  }

  async function takeIn(question: Omit<CheckpointQuestion, 'restartsLog'>): Promise<void> {
    if (await checkpoint({ ...question, restartsLog: false }))
      await tables.holdBack(async () => void (await checkpoint({ ...question, restartsLog: true })));
  }

  function look(): void {
    if (running !== undefined || identity === undefined || logPages() < CHECKPOINT_PAGES) return;
    const question = { file: db.name, identity, logLimitBytes: JOURNAL_SIZE_LIMIT_BYTES };
    running = takeIn(question).finally(() => (running = undefined));
  }

  function logPages(): number {
    try {
      return state.get()?.log ?? 0;
    } catch (error) {
      onError(error);
      return 0;
    }
  }

  const timer = setInterval(look, LOOK_MS).unref();
  return async () => {
    clearInterval(timer);
    await running;
    if (thread !== undefined) await threads.giveBack(thread, true);
  };
}

/**
 * Checks a database that is too large to be checked before it is used. A damaged one is marked, so that the next
 * opening sets it aside, whenever that is, and is reported to `onBroken`. Returns a function that ends the check.
 */
export function checkLater(
  file: string,
  threads: WorkerThreads,
  onBroken: (failure: Failure) => void,
): () => Promise<void> {
  const worker = threads.take(new URL('./check-worker.ts', import.meta.url));
  let ended: Promise<void> | undefined;
  const end = (isClean: boolean): Promise<void> => (ended ??= threads.giveBack(worker, isClean));
  worker.on('message', ({ damage }: { readonly damage?: string }) => {
    if (ended !== undefined) return;
    void end(true);
    if (damage === undefined) return;
    markSuspect(file);
    onBroken(brokenQueue(dirname(file), damage));
  });
  // Damage that a thread cannot find is found by the queue's own reads
  worker.on('error', () => void end(false));
  worker.postMessage(file);
  return () => end(false);
}

/** Makes the next opening check every page. If the mark cannot be made, damage is found when it is read. */
export function markSuspect(file: string): void {
  try {
    writeFileSync(suspectFile(file), '', { mode: 0o600 });
  } catch {
    // See above
  }
}
