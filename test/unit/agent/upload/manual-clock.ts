import type { Clock } from '../../../../electron/agent/ports.ts';

interface Sleeper {
  readonly wakeAt: number;
  readonly wake: () => void;
}

/** A clock whose time passes only by `advance`. */
export interface ManualClock extends Clock {
  advance(delayMs: number): Promise<void>;
  readonly sleepers: number;
}

/** Lets everything run that is ready, nested promises included. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export function createManualClock(): ManualClock {
  let time = 1_000;
  const sleeping = new Set<Sleeper>();
  const next = (until: number): Sleeper | undefined =>
    [...sleeping].filter((one) => one.wakeAt <= until).toSorted((a, b) => a.wakeAt - b.wakeAt)[0];
  return {
    now: () => time,
    monotonic: () => time,
    random: () => 0.5,
    sleep(delayMs, signal) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      return new Promise((resolve, reject) => {
        const sleeper: Sleeper = { wakeAt: time + delayMs, wake: resolve };
        sleeping.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleeping.delete(sleeper);
          reject(signal.reason);
        });
      });
    },
    after(delayMs, work) {
      const sleeper: Sleeper = { wakeAt: time + delayMs, wake: work };
      sleeping.add(sleeper);
      return () => void sleeping.delete(sleeper);
    },
    async advance(delayMs) {
      const until = time + delayMs;
      await settle();
      for (let sleeper = next(until); sleeper !== undefined; sleeper = next(until)) {
        time = Math.max(time, sleeper.wakeAt);
        sleeping.delete(sleeper);
        sleeper.wake();
        await settle();
      }
      time = until;
    },
    get sleepers() {
      return sleeping.size;
    },
  };
}
