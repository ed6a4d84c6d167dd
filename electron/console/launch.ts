import type { Clock } from '../agent/index.ts';
import { sendText, type Exchange } from './exchange.ts';
import type { Refusal } from './refusal.ts';
import { createSecret, isSameSecret, writeSessionCookie, type Sessions } from './sessions.ts';

/** What a browser brings to the launch address. */
export interface Launch {
  readonly code: string;
  /** Cookies of an earlier session of the same browser. */
  readonly secrets: readonly string[];
  readonly port: number;
}

/** `GET /launch/CODE`: exchanges the one-time code for a session, and leaves the address with the code behind. */
export type ServeLaunch = (exchange: Exchange, launch: Launch) => Refusal | undefined;

export function createServeLaunch(codes: LaunchCodes, sessions: Sessions, onOpened: () => void): ServeLaunch {
  return ({ response }, { code, secrets, port }) => {
    const redemption = codes.redeem(code);
    switch (redemption.kind) {
      case 'refused':
        return { status: 403, text: 'This address was used already or is too old.', isPage: true };
      case 'too-many':
        return {
          status: 429,
          text: 'Too many addresses were wrong. Wait a minute, or use the address that the agent shows.',
          isPage: true,
          retryAfterSeconds: Math.ceil(redemption.retryAfterMs / 1000),
        };
      case 'accepted': {
        for (const secret of secrets) sessions.end(secret);
        const cookie = writeSessionCookie(port, sessions.open());
        onOpened();
        sendText(response, 303, '', { location: '/', 'set-cookie': cookie });
        return undefined;
      }
    }
  };
}

/** A launch code is for the click that follows it. */
const VALID_MS = 60_000;
/** Refused codes in one window, after which others are told to wait until the window has passed. */
const MAX_REFUSED = 5;
const WINDOW_MS = 60_000;

/** What became of a launch code. */
type Redemption =
  | { readonly kind: 'accepted' }
  /** Unknown, used, replaced or too old: whoever guesses does not learn which. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'too-many'; readonly retryAfterMs: number };

/** One-time codes that open the console; there is one at most, the newest. */
interface LaunchCodes {
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
      // First: the right one cannot be guessed, and whoever has it is not kept out by those who guess
      if (take(code, nowMs)) return { kind: 'accepted' };
      const [oldest] = refusedAtMs;
      if (oldest !== undefined && refusedAtMs.length >= MAX_REFUSED)
        return { kind: 'too-many', retryAfterMs: oldest + WINDOW_MS - nowMs };
      refusedAtMs = [...refusedAtMs, nowMs];
      return { kind: 'refused' };
    },
  };
}
