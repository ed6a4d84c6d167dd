import type { Worker } from 'node:worker_threads';
import type { Failure } from '../../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';
import { baseName } from '../../core/naming/file-kinds.ts';
import type { MediaFacts } from '../../core/naming/file-content.ts';
import { oncePerMinute } from '../../log/create-logger.ts';
import type { Clock, Logger, WorkerThreads } from '../../ports.ts';
import { fileFailureNamed } from '../file-failures.ts';
import { ownThreads } from '../own-threads.ts';
import { threadErrorName } from '../../system-errors.ts';
import type { ProbeAnswer, ProbeQuestion } from './probe-worker.ts';

/** Longest time one file may take, milliseconds. Half-hour clips take 14 to 129 ms on a local disk. */
export const PROBE_DEADLINE_MS = 20_000;
/** Heap of the worker, MiB; mediainfo's own memory is separate. */
const WORKER_HEAP_MIB = 128;

/** An idle worker ends after this long, milliseconds. */
const IDLE_MS = 10_000;

/** Reads media facts of files in worker threads, one thread and one file at a time for each watched root. */
export interface MediaProbe {
  /**
   * Facts of the file at an absolute path. `rootPath`: its root, whose thread reads it; default: one shared thread.
   * Only regular files are read, not links. A file that cannot be parsed, or not in time, has no facts. Errors: those
   * of reading a file.
   */
  probe(path: string, signal: AbortSignal, rootPath?: string): Promise<Result<MediaFacts, Failure>>;
  /** Ends the workers. Running and later probes return `CANCELLED`. */
  stop(): Promise<void>;
}

/** What a root's probe needs to start workers. */
interface ProbeDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly threads: WorkerThreads;
  readonly workerUrl: URL;
}

/** Creates a probe. Workers start with the first file, and restart after they died or were ended. */
export function createMediaProbe(
  clock: Clock,
  logger: Logger,
  threads: WorkerThreads = ownThreads,
  workerUrl: URL = new URL('./probe-worker.ts', import.meta.url),
): MediaProbe {
  const stopping = new AbortController();
  const probes = new Map<string, ReturnType<typeof createRootProbe>>();
  return {
    probe(path, signal, rootPath = '') {
      const probe = probes.get(rootPath) ?? createRootProbe({ clock, logger, threads, workerUrl });
      probes.set(rootPath, probe);
      const either = AbortSignal.any([signal, stopping.signal]);
      return Promise.race([probe.ask(path, either), aborted(either).then(() => err(cancelled))]);
    },
    async stop() {
      stopping.abort();
      await Promise.all([...probes.values()].map((probe) => probe.end()));
    },
  };
}

/** The probe of one root, so that a hung share only blocks its own worker. Nothing waits for that worker to end. */
function createRootProbe({ clock, logger, threads, workerUrl }: ProbeDeps) {
  const log = oncePerMinute(logger, clock);
  let worker: Worker | undefined;
  let nextId = 1;
  let isAsking = false;
  let last: Promise<unknown> = Promise.resolve();
  let stayAwake: (() => void) | undefined;

  const end = async (): Promise<void> => {
    stayAwake?.();
    const ended = worker;
    worker = undefined;
    if (ended === undefined) return;
    if (isAsking) void threads.giveBack(ended, false);
    else await threads.giveBack(ended, true);
  };
  const start = (): Worker => {
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
    if (signal.aborted) return err(cancelled);
    stayAwake?.();
    worker ??= start();
    isAsking = true;
    const outcome = await ask(worker, { id: nextId++, path }, signal, clock);
    if (outcome.kind === 'answer') {
      isAsking = false;
      stayAwake = clock.after(IDLE_MS, () => void end());
      return outcome.result;
    }
    if (outcome.kind !== 'cancelled')
      log.warn('The media probe was stopped and restarts with the next file.', outcome);
    await end();
    isAsking = false;
    return resultOf(outcome, path);
  };
  return {
    end,
    ask(path: string, signal: AbortSignal): Promise<Result<MediaFacts, Failure>> {
      const result = last.then(() => run(path, signal));
      last = result.catch(() => undefined);
      return result;
    },
  };
}

type Outcome =
  | { readonly kind: 'answer'; readonly result: Result<MediaFacts, Failure> }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'late' }
  | { readonly kind: 'died'; readonly reason: string };

/** Asks the worker one question. Resolves with what comes first: its answer, its end, the deadline or the signal. */
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

/** A file that takes too long or crashes the worker has no facts: its clip is sent without them. */
function resultOf(outcome: Exclude<Outcome, { kind: 'answer' }>, path: string): Result<MediaFacts, Failure> {
  if (outcome.kind === 'cancelled') return err(cancelled);
  const name = outcome.kind === 'died' ? threadErrorName(outcome.reason) : undefined;
  return name === undefined ? ok({}) : err(fileFailureNamed(name, baseName(path)));
}

const cancelled: Failure = {
  code: 'CANCELLED',
  message: 'Reading the metadata was stopped.',
  advice: 'Nothing to do.',
  retryable: true,
};
