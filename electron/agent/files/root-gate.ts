import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import type { Result } from '../../../shared/lib/result.ts';
import type { Clock } from '../ports.ts';
import type { Looks } from './entry-stats.ts';
import { handlesUsedUp } from '../core/failures/upload-failure.ts';
import { rootHung } from './root-failures.ts';
import type { FileBytes, SnapshotRequest } from './snapshot-file.ts';
import { isProcessTrouble, systemErrorName } from '../system-errors.ts';

/** Operations of one root that may be in flight: a hung share holds at most this many threads of the shared pool. */
export const IN_FLIGHT_LIMIT = 2;
/** How long one file operation may take, milliseconds: a disk that spins up or a busy NAS needs about ten seconds. */
export const DEADLINE_MS = 30_000;
/**
 * Time is counted in steps of this length, milliseconds, and a longer step counts as two at most: a PC that slept is
 * not a share that hangs.
 */
const STEP_MS = 1_000;
/** Pause before retrying an operation that found no free handle, milliseconds. */
const HANDLE_PAUSE_MS = 250;

/**
 * The only way to the files of a watched root. While one operation hangs no other starts, so that a dead share blocks
 * nothing but itself.
 */
export interface RootGate {
  /** The thread that reads this root, if there is one: requests to it pass `run` like everything else. */
  readonly reader?: RootReader;
  /**
   * Runs one file operation. Rejects with the operation's own error; with a `FailureError` ROOT_HUNG when it takes
   * too long, and immediately while another one hangs; with the signal's reason when that comes first. `onLate` gets
   * the value of an operation that nobody waits for any more, so that an opened handle can be closed. While this
   * program has no free handles the operation is retried, with pauses, until it takes too long: HANDLES_USED_UP.
   */
  run<T>(operation: () => Promise<T>, signal?: AbortSignal, onLate?: (value: T) => void): Promise<T>;
  isHung(): boolean;
  /** Why the root cannot be read now; undefined when no reason is known. */
  problem(): Failure | undefined;
  /** Sets what the watch found: why the root cannot be reached, or undefined when it can. */
  setProblem(failure: Failure | undefined): void;
  /** Something in the root failed as it does when the root is away: its watch should check immediately. */
  reportProblem(): void;
  onProblem(listener: () => void): void;
  /** A file of the root was read. */
  noteReadable(path: string): void;
  /** A file could not be read. */
  noteUnreadable(path: string): void;
  /** How long a file was unreadable, milliseconds, if other reads succeeded between its last two failures; else 0. */
  aloneForMs(path: string): number;
  /** Stops watching deadlines. Operations in flight continue. */
  close(): void;
}

/** A thread that reads files and folders of one root (`SnapshotReader`). */
export interface RootReader {
  /** All bytes of a small file. Errors: those of `openFile`; FILE_OFFLINE. */
  bytes(request: SnapshotRequest): Promise<Result<FileBytes, Failure>>;
  /** Stats of the first of these paths, as many as there was time for. */
  stats(paths: readonly string[]): Promise<Looks>;
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
  /** Whether anyone still waits for the result. */
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

  // One timer per gate, not per operation: a scan makes a hundred thousand of them.
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

/** Retries an operation while no handle is free, for at most half the time that it has. */
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

/** Least time between two reports of used-up handles, milliseconds: it may happen many times a second. */
const HANDLES_PAUSE_MS = 10 * 60_000;

/**
 * Creates the registry. `sayHandles` is called when handles are used up, at most every ten minutes; `refusalOf` says
 * why nothing in a root may be opened; `readers` are the threads of the roots.
 */
export function createRootGates(
  clock: Clock,
  sayHandles: (failure: Failure) => void = () => undefined,
  refusalOf: (rootPath: string) => Failure | undefined = () => undefined,
  readers?: { of(rootPath: string): RootReader },
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
      const reader = readers?.of(rootPath);
      const problem = (): Failure | undefined => refusalOf(rootPath) ?? made.problem();
      const gate: RootGate = { ...made, problem, ...(reader && { reader }) };
      gates.set(rootPath, gate);
      return gate;
    },
    closeAll() {
      for (const gate of gates.values()) gate.close();
    },
  };
}
