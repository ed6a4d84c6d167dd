import type { Clock } from '../../agent/index.ts';

interface Deps<T> {
  readonly clock: Clock;
  /** How long nothing may be heard, milliseconds. */
  readonly silenceMs: number;
  /** Ends what waits; its rejection means nothing. */
  readonly giveUp: () => Promise<void>;
  /** What is waited for; calls `heard` with each sign of life. */
  readonly work: (heard: () => void) => Promise<T>;
}

/** What `work` answers. Rejects when nothing is heard of it for so long, and gives it up. */
export async function failWhenSilent<T>({ clock, silenceMs, giveUp, work }: Deps<T>): Promise<T> {
  const done = new AbortController();
  let heardAt = clock.monotonic();
  async function silence(): Promise<never> {
    for (;;) {
      const leftMs = heardAt + silenceMs - clock.monotonic();
      if (leftMs <= 0) break;
      await clock.sleep(leftMs, done.signal);
    }
    await giveUp().catch(() => undefined);
    throw new Error(`Nothing was heard for ${silenceMs} ms`);
  }
  const working = work(() => {
    heardAt = clock.monotonic();
  });
  try {
    return await Promise.race([working, silence()]);
  } finally {
    done.abort();
  }
}
