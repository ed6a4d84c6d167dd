import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import type { Clock } from '../ports.ts';
import { handlesUsedUp } from '../core/failures/upload-failure.ts';
import { rootHung } from './root-failures.ts';
import { isProcessTrouble, systemErrorName } from './system-errors.ts';

/** Operations of one root that may be in flight: a hung share holds at most this many threads of the shared pool. */
const IN_FLIGHT_LIMIT = 2;
/** How long one file operation may take, milliseconds: a disk that spins up or a busy NAS needs about ten seconds. */
export const DEADLINE_MS = 30_000;
/**
 * Time is counted in steps of this length, milliseconds, and a step that took longer counts twice at the most: a PC that
 * slept is no share that hangs.
 */
const STEP_MS = 1_000;
/** Pause before an operation for which no handle was free is tried again, milliseconds. */
const HANDLE_PAUSE_MS = 250;

/**
 * The only way to the files of a watched root. While one operation hangs no other is begun, so that a dead share
 * stops nothing but itself.
 */
export interface RootGate {
  /**
   * Runs one file operation. Rejects with the operation's own error; with a `FailureError` ROOT_HUNG when it takes
   * too long, and at once while another one hangs; with the signal's reason when that comes first. `onLate` gets
   * the value of an operation that nobody waited for any more, so that an opened handle can be closed. While this
   * program has no handles left the operation is tried again, with pauses, until it takes too long: HANDLES_USED_UP.
   */
  run<T>(operation: () => Promise<T>, signal?: AbortSignal, onLate?: (value: T) => void): Promise<T>;
  isHung(): boolean;
  /** Why nothing of the root can be read now; undefined as far as is known. */
  problem(): Failure | undefined;
  /** What the watch found of the root: why it cannot be reached, or undefined when it can. */
  setProblem(failure: Failure | undefined): void;
  /** Something in the root failed as it does when the root is away: whoever watches it should look at once. */
  reportProblem(): void;
  onProblem(listener: () => void): void;
  /** A file of the root was read. */
  noteReadable(path: string): void;
  /** A file could not be read. */
  noteUnreadable(path: string): void;
  /** For how long a file could not be read, milliseconds, when others could since it failed the last time; else 0. */
  aloneForMs(path: string): number;
  /** Ends the watch over deadlines. Operations in flight go on. */
  close(): void;
}

export interface RootGateOptions {
  readonly clock: Clock;
  readonly rootPath: string;
  readonly inFlightLimit?: number;
  readonly deadlineMs?: number;
  /** Called when an operation has to wait because this program has no handles left. */
  readonly onHandlesUsedUp?: (failure: Failure) => void;
}

interface Ticket {
  /** Whether somebody still waits for the answer. */
  isWanted: boolean;
  isHung: boolean;
  /** In counted time, milliseconds. */
  startedAtMs: number;
  begin(): void;
  giveUp(reason: unknown): void;
}

/** Makes the gate of one root. */
export function createRootGate(options: RootGateOptions): RootGate {
  const { clock, rootPath, inFlightLimit = IN_FLIGHT_LIMIT, deadlineMs = DEADLINE_MS } = options;
  const waiting: Ticket[] = [];
  const inFlight = new Set<Ticket>();
  const closed = new AbortController();
  let hungCount = 0;
  let isWatching = false;
  let countedMs = 0;
  let lastCountMs = clock.monotonic();

  function counted(): number {
    const nowMs = clock.monotonic();
    countedMs += Math.min(2 * STEP_MS, nowMs - lastCountMs);
    lastCountMs = nowMs;
    return countedMs;
  }

  const hungError = (): FailureError => new FailureError(rootHung(rootPath, deadlineMs));

  function admit(): void {
    while (hungCount === 0 && inFlight.size < inFlightLimit) {
      const ticket = waiting.shift();
      if (ticket === undefined) return;
      if (ticket.isWanted) ticket.begin();
    }
  }

  function finish(ticket: Ticket): void {
    inFlight.delete(ticket);
    if (ticket.isHung) hungCount -= 1;
    admit();
  }

  function declareHung(ticket: Ticket): void {
    ticket.isHung = true;
    hungCount += 1;
    ticket.giveUp(hungError());
    for (const other of waiting.splice(0)) other.giveUp(hungError());
  }

  // One timer for the gate, not one an operation: a scan makes a hundred thousand of them.
  async function watchDeadlines(): Promise<void> {
    isWatching = true;
    try {
      while (!closed.signal.aborted) {
        const oldest = [...inFlight].find((ticket) => !ticket.isHung);
        if (oldest === undefined) return;
        const leftMs = oldest.startedAtMs + deadlineMs - counted();
        if (leftMs <= 0) declareHung(oldest);
        else await clock.sleep(Math.min(STEP_MS, leftMs), closed.signal);
      }
    } catch (error) {
      if (!closed.signal.aborted) throw error;
    } finally {
      isWatching = false;
    }
  }

  function run<T>(
    operation: () => Promise<T>,
    signal?: AbortSignal,
    onLate?: (value: T) => void,
  ): Promise<T> {
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    if (hungCount > 0) return Promise.reject(hungError());
    return new Promise<T>((resolve, reject) => {
      const onAbort = (): void => ticket.giveUp(signal?.reason);
      const ticket: Ticket = {
        isWanted: true,
        isHung: false,
        startedAtMs: 0,
        giveUp(reason) {
          if (!ticket.isWanted) return;
          ticket.isWanted = false;
          signal?.removeEventListener('abort', onAbort);
          reject(reason);
        },
        begin() {
          ticket.startedAtMs = counted();
          inFlight.add(ticket);
          if (!isWatching) void watchDeadlines();
          // `then` first, so that an operation that throws synchronously is a rejection too
          void Promise.resolve()
            .then(() => withHandles(options, deadlineMs, operation, signal))
            .then(
              (value) => {
                if (!ticket.isWanted) return onLate?.(value);
                ticket.isWanted = false;
                signal?.removeEventListener('abort', onAbort);
                resolve(value);
              },
              (error: unknown) => ticket.giveUp(error),
            )
            .finally(() => finish(ticket));
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      waiting.push(ticket);
      admit();
    });
  }

  return {
    run,
    isHung: () => hungCount > 0,
    close: () => closed.abort(),
    ...createRootNotes(clock, () => (hungCount > 0 ? rootHung(rootPath, deadlineMs) : undefined)),
  };
}

/** Tries an operation again while no handle is free for it, for at most half the time that it has. */
async function withHandles<T>(
  { clock, onHandlesUsedUp }: RootGateOptions,
  deadlineMs: number,
  operation: () => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const untilMs = clock.monotonic() + deadlineMs / 2;
  for (;;) {
    try {
      return await operation();
    } catch (error) {
      if (!isProcessTrouble(error)) throw error;
      const failure = handlesUsedUp(systemErrorName(error) ?? '');
      onHandlesUsedUp?.(failure);
      if (clock.monotonic() >= untilMs) throw new FailureError(failure);
      await clock.sleep(HANDLE_PAUSE_MS, signal);
    }
  }
}

type RootNotes = Pick<
  RootGate,
  'problem' | 'setProblem' | 'reportProblem' | 'onProblem' | 'noteReadable' | 'noteUnreadable' | 'aloneForMs'
>;

/** A file that could not be read: since when, and how many reads of the root had succeeded by its last failure. */
interface Unreadable {
  readonly sinceMs: number;
  readonly goodReads: number;
  readonly isAlone: boolean;
}

function createRootNotes(clock: Clock, hung: () => Failure | undefined): RootNotes {
  const listeners: (() => void)[] = [];
  const unreadable = new Map<string, Unreadable>();
  let goodReads = 0;
  let problem: Failure | undefined;
  return {
    problem: () => hung() ?? problem,
    setProblem: (failure) => void (problem = failure),
    reportProblem() {
      for (const listener of listeners) listener();
    },
    onProblem: (listener) => void listeners.push(listener),
    noteReadable(path) {
      goodReads += 1;
      unreadable.delete(path);
    },
    noteUnreadable(path) {
      const before = unreadable.get(path);
      const sinceMs = before?.sinceMs ?? clock.monotonic();
      const isAlone = before !== undefined && goodReads > before.goodReads;
      unreadable.set(path, { sinceMs, goodReads, isAlone });
    },
    aloneForMs(path) {
      const known = unreadable.get(path);
      return known?.isAlone === true ? Math.max(1, clock.monotonic() - known.sinceMs) : 0;
    },
  };
}

/** The gate of each watched root, by the root's path. */
export interface RootGates {
  of(rootPath: string): RootGate;
}

/** The gates of one agent. */
export interface RootGateRegistry extends RootGates {
  closeAll(): void;
}

/** Pause between two words about used up handles, milliseconds: it may be so many times a second. */
const HANDLES_PAUSE_MS = 10 * 60_000;

/** Makes the registry. `sayHandles` is called now and then; `refusalOf` says why nothing of a root is to be opened. */
export function createRootGates(
  clock: Clock,
  sayHandles: (failure: Failure) => void = () => undefined,
  refusalOf: (rootPath: string) => Failure | undefined = () => undefined,
): RootGateRegistry {
  let quietUntilMs = -Infinity;
  const onHandlesUsedUp = (failure: Failure): void => {
    if (clock.monotonic() < quietUntilMs) return;
    quietUntilMs = clock.monotonic() + HANDLES_PAUSE_MS;
    sayHandles(failure);
  };
  const gates = new Map<string, RootGate>();
  return {
    of(rootPath) {
      const known = gates.get(rootPath);
      if (known !== undefined) return known;
      const made = createRootGate({ clock, rootPath, onHandlesUsedUp });
      const gate: RootGate = { ...made, problem: () => refusalOf(rootPath) ?? made.problem() };
      gates.set(rootPath, gate);
      return gate;
    },
    closeAll() {
      for (const gate of gates.values()) gate.close();
    },
  };
}

/** Threads that libuv starts with when nothing is said. */
const DEFAULT_THREADS = 4;
/** Threads beyond those of the gates: the database's checkpoints, name look-ups, other files. */
const SPARE_THREADS = 8;
/** Largest pool that libuv takes. */
const MOST_THREADS = 1024;

/**
 * Makes room in libuv's thread pool, so that every watched root may hang with all that its gate lets through and
 * the rest of the program still reads files. Call it first of all in a host: the size is read at the pool's first
 * use and never again. A larger size in the environment stays. Answers the size.
 */
export function enlargeThreadPool(environment: NodeJS.ProcessEnv, rootCount: number): number {
  const wanted = DEFAULT_THREADS + SPARE_THREADS + rootCount * IN_FLIGHT_LIMIT;
  const set = Number(environment['UV_THREADPOOL_SIZE'] ?? DEFAULT_THREADS);
  const threads = Math.min(MOST_THREADS, Math.max(wanted, Number.isInteger(set) ? set : DEFAULT_THREADS));
  environment['UV_THREADPOOL_SIZE'] = String(threads);
  return threads;
}
