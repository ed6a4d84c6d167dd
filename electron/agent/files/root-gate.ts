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
  /** The thread that reads this root, where there is one: what it is asked for passes `run` like everything else. */
  readonly reader?: RootReader;
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

/** A thread that reads files and folders of one root (`SnapshotReader`). */
export interface RootReader {
  /** All bytes of a small file. Errors: those of `openFile`; FILE_OFFLINE. */
  bytes(request: SnapshotRequest): Promise<Result<FileBytes, Failure>>;
  /** How the first of these paths stand, as many as there was time for. */
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

/**
 * Makes the registry. `sayHandles` is called now and then; `refusalOf` says why nothing of a root is to be opened;
 * `readers` are the threads of the roots.
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
