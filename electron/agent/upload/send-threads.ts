import type { Worker } from 'node:worker_threads';
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import { ownThreads } from '../files/own-threads.ts';
import { fileFailureNamed } from '../files/file-failures.ts';
import { rootHung } from '../files/root-failures.ts';
import { DEADLINE_MS } from '../files/root-gate.ts';
import { threadErrorName } from '../files/system-errors.ts';
import type { Clock, WorkerThreads } from '../ports.ts';
import { trustedAuthorities } from '../service/trust-system-certificates.ts';
import type { FileToSend, SendAnswer, SendQuestion, SentFile, StorageRules } from './send-worker.ts';

/** A thread without work ends after this long, milliseconds. */
const IDLE_MS = 10_000;
/** How often a thread that sends is asked whether it still lives, milliseconds. */
const PING_MS = 5_000;
/** How long a batch that was broken off is waited for, milliseconds: a thread that hangs does not end it. */
const END_MS = 500;

/** Threads that upload small files whole, one a watched root: a share that hangs holds its own thread only. */
export interface SendThreads {
  /** False while the thread of this root hangs: no other is begun before it has ended. */
  canSend(rootPath: string): boolean;
  /**
   * What became of each file, in their order; `signal` breaks off what is on the line. All of a share that hangs are
   * `unread` with ROOT_HUNG. A file rejects when the thread broke.
   */
  send(
    rootPath: string,
    files: readonly FileToSend[],
    lanes: number,
    signal: AbortSignal,
  ): readonly Promise<SentFile>[];
  /** Nothing more is begun of what was handed over so far. */
  hold(): void;
  /** Ends the threads; what is under way rejects. */
  stop(): void;
}

type Rules = Omit<StorageRules, 'authorities'>;

/** Makes them; a thread starts when it is first needed. */
export function createSendThreads(
  clock: Pick<Clock, 'after'>,
  rules: Rules,
  workers: WorkerThreads = ownThreads,
): SendThreads {
  const threads = new Map<string, ReturnType<typeof createThread>>();
  const stuck = new Set<string>();
  function threadOf(rootPath: string): ReturnType<typeof createThread> {
    const known = threads.get(rootPath);
    if (known !== undefined) return known;
    const thread = createThread({ clock, rules, workers, rootPath }, (worker, isClean, isHung) => {
      threads.delete(rootPath);
      if (isHung) stuck.add(rootPath);
      void workers.giveBack(worker, isClean).finally(() => isHung && stuck.delete(rootPath));
    });
    threads.set(rootPath, thread);
    return thread;
  }
  return {
    canSend: (rootPath) => !stuck.has(rootPath),
    send: (rootPath, ...batch) => threadOf(rootPath).send(...batch),
    hold() {
      for (const thread of threads.values()) thread.hold();
    },
    stop() {
      for (const thread of threads.values()) thread.end(new Error('stopping'));
    },
  };
}

interface ThreadDeps {
  readonly clock: Pick<Clock, 'after'>;
  readonly rules: Rules;
  readonly workers: WorkerThreads;
  readonly rootPath: string;
}

/** One batch that the thread has: who waits for which file. */
interface Sending {
  readonly files: readonly FileToSend[];
  readonly waiting: Map<number, PromiseWithResolvers<SentFile>>;
  /** Stops listening to its signal. */
  readonly forget: () => void;
}

function createThread(
  { clock, rules, workers, rootPath }: ThreadDeps,
  onEnd: (worker: Worker, isClean: boolean, isHung: boolean) => void,
) {
  const worker = workers.take(new URL('./send-worker.ts', import.meta.url));
  const batches = new Map<number, Sending>();
  let lastId = 0;
  let isClean = true;
  let isEnded = false;
  let takeBack: (() => void) | undefined;
  const ask = (question: SendQuestion): void => worker.postMessage(question);

  function end(error: unknown, isHung = false): void {
    if (isEnded) return;
    isEnded = true;
    takeBack?.();
    const open = [...batches.values()];
    batches.clear();
    for (const { files, waiting, forget } of open) {
      forget();
      for (const [index, one] of waiting) {
        const failure = failureOf(error, files[index]?.name ?? '');
        if (failure === undefined) one.reject(error);
        else one.resolve({ kind: 'unread', failure });
      }
    }
    // A thread that hangs in a dead share cannot be ended; nobody waits for it.
    onEnd(worker, isClean && open.length === 0, isHung);
  }

  /** The next thing that happens if the thread stays silent. */
  function later(delayMs: number, work: () => void): void {
    takeBack?.();
    if (!isEnded) takeBack = clock.after(delayMs, work);
  }

  /** Its network may be slow for as long as it likes; only a file system keeps it from answering this. */
  function ping(): void {
    ask({ kind: 'ping' });
    later(DEADLINE_MS, () => end(new FailureError(rootHung(rootPath, DEADLINE_MS)), true));
  }

  function rest(): void {
    if (batches.size > 0) later(PING_MS, ping);
    else later(IDLE_MS, () => end(new Error('The thread was idle')));
  }

  function settle(id: number, index: number, file: SentFile): void {
    const batch = batches.get(id);
    batch?.waiting.get(index)?.resolve(file);
    batch?.waiting.delete(index);
    if (batch === undefined || batch.waiting.size > 0) return;
    batch.forget();
    batches.delete(id);
  }

  /** What was begun may still arrive: it is no worse than an answer that was lost. */
  function giveUp(id: number): void {
    isClean = false;
    const places = [...(batches.get(id)?.waiting.keys() ?? [])];
    for (const index of places) settle(id, index, { kind: 'left' });
  }

  worker.on('message', ({ sent }: SendAnswer) => {
    for (const { id, index, file } of sent) settle(id, index, file);
    rest();
  });
  worker.on('error', (error) => {
    isClean = false;
    end(error);
  });

  return {
    end,
    hold: () => ask({ kind: 'hold' }),
    send(files: readonly FileToSend[], lanes: number, signal: AbortSignal): readonly Promise<SentFile>[] {
      lastId += 1;
      const id = lastId;
      let takeBackEnd: (() => void) | undefined;
      const abort = (): void => {
        ask({ kind: 'end', id });
        takeBackEnd = clock.after(END_MS, () => giveUp(id));
      };
      const forget = (): void => {
        signal.removeEventListener('abort', abort);
        takeBackEnd?.();
      };
      const promises = files.map(() => Promise.withResolvers<SentFile>());
      batches.set(id, { files, waiting: new Map(promises.entries()), forget });
      ask({ kind: 'send', id, rules: rulesFor(files, rules), lanes, files });
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true });
      // Also the first sign of life of a new thread
      ping();
      return promises.map(({ promise }) => promise);
    },
  };
}

function failureOf(error: unknown, fileName: string): Failure | undefined {
  if (error instanceof FailureError) return error.failure;
  const name = threadErrorName(error);
  return name === undefined ? undefined : fileFailureNamed(name, fileName);
}

/** Where no TLS is spoken nobody needs the authorities. */
function rulesFor(files: readonly FileToSend[], rules: Rules): StorageRules {
  const isSecure = files.some(({ url }) => url.startsWith('https:'));
  return isSecure ? { ...rules, authorities: trustedAuthorities() } : rules;
}
