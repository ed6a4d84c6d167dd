import type { Clock } from '../agent/index.ts';
import { createSecret, isSameSecret } from './secrets.ts';

/** A launch code is for the click that follows it. */
const VALID_MS = 60_000;
/** Refused codes in one window, after which none is looked at until the window has passed. */
const MAX_REFUSED = 5;
const WINDOW_MS = 60_000;

/** What became of a launch code. */
export type Redemption =
  | { readonly kind: 'accepted' }
  /** Unknown, used, replaced or too old: whoever guesses is not told which. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'too-many'; readonly retryAfterMs: number };

/** One-time codes that open the console; there is one at most, the newest. */
export interface LaunchCodes {
  create(): string;
  redeem(code: string): Redemption;
}

export function createLaunchCodes(clock: Pick<Clock, 'monotonic'>): LaunchCodes {
  let current: { readonly code: string; readonly expiresAtMs: number } | undefined;
  let refusedAtMs: readonly number[] = [];

  function take(code: string, nowMs: number): boolean {
    if (current === undefined || !isSameSecret(code, current.code)) return false;
    const isFresh = nowMs < current.expiresAtMs;
    current = undefined;
    return isFresh;
  }

  return {
    create() {
      current = { code: createSecret(), expiresAtMs: clock.monotonic() + VALID_MS };
      return current.code;
    },
    redeem(code) {
      const nowMs = clock.monotonic();
      refusedAtMs = refusedAtMs.filter((atMs) => nowMs - atMs < WINDOW_MS);
      const [oldest] = refusedAtMs;
      if (oldest !== undefined && refusedAtMs.length >= MAX_REFUSED)
        return { kind: 'too-many', retryAfterMs: oldest + WINDOW_MS - nowMs };
      if (take(code, nowMs)) return { kind: 'accepted' };
      refusedAtMs = [...refusedAtMs, nowMs];
      return { kind: 'refused' };
    },
  };
}
