import type { Clock } from '../ports.ts';

/** A pause that can be cut short. */
export interface Waker {
  /** Resolves when the time is over or `wake` is called, at once when it was called since the last pause. */
  pause(delayMs: number): Promise<void>;
  wake(): void;
}

/** Makes a waker for one loop. */
export function createWaker(clock: Clock): Waker {
  let current: AbortController | undefined;
  let isWoken = false;

  async function sleep(delayMs: number): Promise<void> {
    const cut = new AbortController();
    current = cut;
    try {
      await clock.sleep(delayMs, cut.signal);
    } catch (error) {
      if (!cut.signal.aborted) throw error;
    } finally {
      current = undefined;
    }
  }

  return {
    async pause(delayMs) {
      if (!isWoken && delayMs > 0) await sleep(delayMs);
      isWoken = false;
    },
    wake() {
      isWoken = true;
      current?.abort();
    },
  };
}
