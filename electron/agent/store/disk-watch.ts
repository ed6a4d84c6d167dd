import { join } from 'node:path';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { AgentEvents } from '../events.ts';
import type { Clock } from '../ports.ts';
import { markSuspect } from './check-later.ts';
import { DATABASE_FILE } from './open-db.ts';
import { freeBytes, LEAST_FREE_BYTES, storeProblemOf } from './store-failures.ts';

/** How often room on a full disk is looked for, milliseconds. */
const PROBE_MS = 1_000;

/** Why nothing can be stored now, and since when, wall clock; for people. */
export interface DeskPause {
  readonly circuit: 'desk';
  readonly failure: Failure;
  readonly sinceMs: number;
}

interface Deps {
  readonly dataDir: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly events: AgentEvents;
}

/** What is done about the disk of the data directory. */
interface Remedies {
  /** Writes a row, durably. Throws while nothing can be written. */
  readonly probe: () => void;
  /** There is room again. */
  readonly onRoom: () => void;
  /** The connection cannot be trusted any more; called once. */
  readonly onBroken: (failure: Failure) => void;
}

/** Watches the disk of the data directory through the errors of the queue's connection. */
export interface DiskWatch {
  /** Takes each error of the connection. */
  sensed(error: unknown): void;
  /** From now on something is done about them. */
  start(remedies: Remedies): void;
  /** The pause under way; none while the queue can be written. */
  pauses(): readonly DeskPause[];
  stop(): void;
}

/**
 * Makes it. A full disk is announced once, as a pause of the circuit `desk`, and room is looked for every second;
 * after an I/O error the queue is to be opened anew, since SQLite promises nothing for a handle that met one.
 */
export function createDiskWatch({ dataDir, clock, events }: Deps): DiskWatch {
  let remedies: Remedies | undefined;
  let pause: DeskPause | undefined;
  let isBroken = false;
  let timer: NodeJS.Timeout | undefined;

  function probe(): void {
    try {
      if ((freeBytes(dataDir) ?? LEAST_FREE_BYTES) < LEAST_FREE_BYTES) return;
      remedies?.probe();
    } catch {
      // The error was sensed, and the next probe comes
      return;
    }
    clearInterval(timer);
    pause = undefined;
    events.emit({ event: 'circuit.resumed', circuit: 'desk' });
    remedies?.onRoom();
  }

  return {
    sensed(error) {
      const problem = isBroken || remedies === undefined ? undefined : storeProblemOf(dataDir, error);
      if (problem === undefined) return;
      const { failure, mendedBy, isDamage } = problem;
      if (mendedBy === 'reopening') {
        isBroken = true;
        clearInterval(timer);
        if (isDamage === true) markSuspect(join(dataDir, DATABASE_FILE));
        // After whoever met the error is done with it
        setImmediate(() => remedies?.onBroken(failure));
        return;
      }
      if (pause !== undefined) return;
      pause = { circuit: 'desk', failure, sinceMs: clock.now() };
      const { code, message, advice } = failure;
      events.emit({ event: 'circuit.paused', circuit: 'desk', code, message, advice, delayMs: PROBE_MS });
      timer = setInterval(probe, PROBE_MS);
    },
    start(given) {
      remedies = given;
    },
    pauses: () => (pause === undefined ? [] : [pause]),
    stop() {
      remedies = undefined;
      clearInterval(timer);
    },
  };
}
