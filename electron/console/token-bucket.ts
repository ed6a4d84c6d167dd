import type { Clock } from '../agent/index.ts';

/** Grants a burst and then a steady rate. */
export interface TokenBucket {
  /** Zero when it is granted, else the milliseconds after which it would be. */
  take(): number;
}

export function createTokenBucket(
  clock: Pick<Clock, 'monotonic'>,
  { burst, perSecond }: { readonly burst: number; readonly perSecond: number },
): TokenBucket {
  let tokens = burst;
  let countedAtMs = clock.monotonic();
  return {
    take() {
      const nowMs = clock.monotonic();
      tokens = Math.min(burst, tokens + ((nowMs - countedAtMs) * perSecond) / 1000);
      countedAtMs = nowMs;
      if (tokens < 1) return ((1 - tokens) * 1000) / perSecond;
      tokens -= 1;
      return 0;
    },
  };
}
