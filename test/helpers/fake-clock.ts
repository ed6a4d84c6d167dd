import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { createSystemClock } from '../../electron/agent/system-clock.ts';
import type { Clock } from '../../electron/agent/ports.ts';

/** A clock that is moved by hand. */
export interface FakeClock extends Clock {
  /**
   * Moves time on, waking sleepers in order of their time. Each woken sleeper gets some real time to do its real work
   * and to go back to sleep before time moves on; one that ends instead uses up all of it.
   */
  advance(delayMs: number): Promise<void>;
  /** Moves only the wall clock: a step, or daylight saving. */
  stepWallClock(deltaMs: number): void;
  /** How many are asleep now. */
  sleepers(): number;
  /** Waits until at least that many are asleep; rejects after 15 real seconds. */
  untilAsleep(count?: number): Promise<void>;
}

interface Sleeper {
  readonly dueMs: number;
  wake(): void;
}

/** Real time that a woken sleeper gets for real file operations, milliseconds. */
const REAL_WORK_MS = 1000;
/** Real time after which waiting for a sleeper is given up, milliseconds. */
const GIVE_UP_MS = 15_000;

/** Resources that are active even while no work is being done: connections of the test runner, listeners. */
const RESTING = new Set(['MessagePort', 'PipeWrap', 'TTYWrap', 'FSEventWrap', 'TCPServerWrap']);
/** Consecutive turns of the loop without work after which nobody is expected to go back to sleep. */
const RESTING_TURNS = 50;
/** Real time between two checks while someone is working, milliseconds: checking on each turn would keep a CPU busy. */
const LOOK_MS = 1;

/**
 * Creates a clock that stands still until it is advanced. If sleepers rarely end and work on real files, a longer
 * `realWorkMs` costs nothing and lets them finish on a busy machine too.
 */
export function createFakeClock(startMs = Date.UTC(2026, 0, 15, 12), realWorkMs = REAL_WORK_MS): FakeClock {
  const real = createSystemClock();
  const asleep = new Set<Sleeper>();
  let monotonicMs = 0;
  let wallOffsetMs = startMs;
  let usualCount = 0;

  async function waitFor(
    isReached: () => boolean,
    mostMs: number,
    pause = () => delay(LOOK_MS),
  ): Promise<boolean> {
    const untilMs = real.monotonic() + mostMs;
    while (!isReached()) {
      if (real.monotonic() > untilMs) return false;
      await pause();
    }
    return true;
  }

  function sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      const onAbort = (): void => {
        asleep.delete(sleeper);
        reject(signal?.reason);
      };
      const sleeper: Sleeper = {
        dueMs: monotonicMs + Math.max(0, delayMs),
        wake() {
          asleep.delete(sleeper);
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      asleep.add(sleeper);
      usualCount = Math.max(usualCount, asleep.size);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  function after(delayMs: number, work: () => void): () => void {
    const sleeper: Sleeper = {
      dueMs: monotonicMs + Math.max(0, delayMs),
      wake() {
        asleep.delete(sleeper);
        work();
      },
    };
    asleep.add(sleeper);
    usualCount = Math.max(usualCount, asleep.size);
    return () => void asleep.delete(sleeper);
  }

  /** Time stands still while those that were asleep before are probably working. */
  async function waitForUsual(): Promise<void> {
    let restingTurns = 0;
    const isOver = (): boolean => {
      const isAtWork = process.getActiveResourcesInfo().some((name) => !RESTING.has(name));
      restingTurns = isAtWork ? 0 : restingTurns + 1;
      return asleep.size >= usualCount || restingTurns > RESTING_TURNS;
    };
    await waitFor(isOver, realWorkMs, () => (restingTurns === 0 ? delay(LOOK_MS) : nextTurn()));
    if (asleep.size < usualCount) usualCount = asleep.size;
  }

  async function advance(delayMs: number): Promise<void> {
    const targetMs = monotonicMs + delayMs;
    for (;;) {
      await waitForUsual();
      const due = [...asleep]
        .filter((one) => one.dueMs <= targetMs)
        .toSorted((one, other) => one.dueMs - other.dueMs)[0];
      if (due === undefined) break;
      monotonicMs = Math.max(monotonicMs, due.dueMs);
      due.wake();
      await nextTurn();
    }
    monotonicMs = targetMs;
  }

  return {
    now: () => wallOffsetMs + monotonicMs,
    monotonic: () => monotonicMs,
    sleep,
    after,
    random: () => 0.5,
    advance,
    stepWallClock(deltaMs) {
      wallOffsetMs += deltaMs;
    },
    sleepers: () => asleep.size,
    async untilAsleep(count = 1) {
      const isReached = await waitFor(() => asleep.size >= count, GIVE_UP_MS);
      if (!isReached) throw new Error(`Only ${asleep.size} of ${count} went to sleep in ${GIVE_UP_MS} ms`);
    },
  };
}
