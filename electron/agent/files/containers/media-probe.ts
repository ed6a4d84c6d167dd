import type { Worker } from 'node:worker_threads';
import type { Failure, FailureCode } from '../../../../shared/domain/failure.ts';
import { err, type Result } from '../../../../shared/lib/result.ts';
import { baseName } from '../../core/naming/file-kinds.ts';
import type { MediaFacts } from '../../core/naming/described-export.ts';
import { visibleName } from '../../../../shared/lib/visible-name.ts';
import type { Clock, Logger, WorkerThreads } from '../../ports.ts';
import { ownThreads } from '../own-threads.ts';
import type { ProbeAnswer, ProbeQuestion } from './probe-worker.ts';

/** Longest time one file may take, milliseconds. Half-hour clips take 14 to 129 ms on a local disk. */
export const PROBE_DEADLINE_MS = 20_000;
/** Heap of the worker, MiB; mediainfo's own memory is outside of it. */
const WORKER_HEAP_MIB = 128;

/** Reads media facts of files in a worker thread, one file at a time. */
export interface MediaProbe {
  /** Facts of the file at an absolute path. Links and what is no regular file are not read. */
  probe(path: string, signal: AbortSignal): Promise<Result<MediaFacts, Failure>>;
  /** Ends the worker. Probes under way and later ones answer `CANCELLED`. */
  stop(): Promise<void>;
}

/** A probe whose worker starts with the first file, and starts again after it died or had to be ended. */
export function createMediaProbe(
  clock: Clock,
  logger: Logger,
  threads: WorkerThreads = ownThreads,
  workerUrl: URL = new URL('./probe-worker.ts', import.meta.url),
): MediaProbe {
  const stopping = new AbortController();
  let worker: Worker | undefined;
  let nextId = 1;
  let isAsking = false;
  let last: Promise<unknown> = Promise.resolve();

  const endWorker = async (): Promise<void> => {
    const ended = worker;
    worker = undefined;
    if (ended !== undefined) await threads.giveBack(ended, !isAsking);
  };
  const startWorker = (): Worker => {
    const started = threads.take(workerUrl, { resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MIB } });
    started.on('exit', () => {
      if (worker === started) worker = undefined;
    });
    // A worker that dies while idle, or while it is being ended, must not bring the process down.
    started.on('error', () => undefined);
    // An idle worker must not keep the process alive.
    started.unref();
    return started;
  };
  const run = async (path: string, signal: AbortSignal): Promise<Result<MediaFacts, Failure>> => {
    if (signal.aborted) return err(cancelled(path));
    worker ??= startWorker();
    isAsking = true;
    const outcome = await ask(worker, { id: nextId++, path }, signal, clock);
    if (outcome.kind === 'answer') {
      isAsking = false;
      return outcome.result;
    }
    if (outcome.kind !== 'cancelled') {
      logger.warn('The media probe was ended and starts again with the next file.', outcome);
    }
    await endWorker();
    isAsking = false;
    return err(outcomeFailure(outcome, path));
  };
  return {
    probe(path, signal) {
      const either = AbortSignal.any([signal, stopping.signal]);
      const result = last.then(() => run(path, either));
      last = result.catch(() => undefined);
      return Promise.race([result, aborted(either).then(() => err(cancelled(path)))]);
    },
    async stop() {
      stopping.abort();
      await endWorker();
      await last;
    },
  };
}

type Outcome =
  | { readonly kind: 'answer'; readonly result: Result<MediaFacts, Failure> }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'late' }
  | { readonly kind: 'died'; readonly reason: string };

/** Puts one question to the worker; whichever comes first: its answer, its end, the deadline, the signal. */
async function ask(
  worker: Worker,
  question: ProbeQuestion,
  signal: AbortSignal,
  clock: Clock,
): Promise<Outcome> {
  const settled = new AbortController();
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const onMessage = (answer: ProbeAnswer): void => {
    if (answer.id === question.id) resolve({ kind: 'answer', result: answer.result });
  };
  const onError = (error: unknown): void => resolve({ kind: 'died', reason: String(error).slice(0, 200) });
  const onExit = (code: number): void => resolve({ kind: 'died', reason: `exit code ${code}` });
  const onAbort = (): void => resolve({ kind: 'cancelled' });
  worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  signal.addEventListener('abort', onAbort, { once: true });
  clock.sleep(PROBE_DEADLINE_MS, settled.signal).then(
    () => resolve({ kind: 'late' }),
    () => undefined,
  );
  worker.ref();
  worker.postMessage(question);
  try {
    return await promise;
  } finally {
    settled.abort();
    signal.removeEventListener('abort', onAbort);
    worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    worker.unref();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

function outcomeFailure(outcome: Exclude<Outcome, { kind: 'answer' }>, path: string): Failure {
  if (outcome.kind === 'cancelled') return cancelled(path);
  const what =
    outcome.kind === 'late' ? 'was not read within 20 s' : 'made the program that reads media facts stop';
  return failure('FILE_READ', path, what, 'It is uploaded without a duration. Check that it plays.', true);
}

function cancelled(path: string): Failure {
  return failure(
    'CANCELLED',
    path,
    'was not examined: the work was cancelled',
    'Nothing needs to be done.',
    true,
  );
}

function failure(code: FailureCode, path: string, what: string, advice: string, retryable: boolean): Failure {
  return { code, message: `"${visibleName(baseName(path))}" ${what}.`, advice, retryable };
}
