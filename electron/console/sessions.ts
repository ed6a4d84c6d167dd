import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../agent/index.ts';
import { sendText, type Exchange } from './exchange.ts';
import type { Refusal } from './guard.ts';

/** Time without use after which a session ends, milliseconds: a shift, and a nap. */
const IDLE_MS = 12 * 3_600_000;
/** Most sessions at a time; one more ends the least recently used. */
const MAX_SESSIONS = 16;
/** Requests that a session is granted: a page that loads makes about ten at once, a scrolled list a few a second. */
const RATE = { burst: 200, perSecond: 100 };

/**
 * How long the next page can get a new token, milliseconds: a page that was left before its token arrived never shows
 * it.
 */
const REPEAT_MS = 10_000;

/** One browser that was let in. */
export interface Session {
  /**
   * The token that its pages send in a header. It goes to one page: another local server that is sent the cookie is too
   * late for it, and the pages keep it where browsers separate ports. For a few seconds, as long as no page has shown
   * it, a new one is issued and the one before becomes void, so that two pages never have a valid token.
   */
  takeToken(): string | undefined;
  /** True for the token that was issued last. It then counts as shown, so that no other is issued. */
  acceptToken(text: string): boolean;
  /** Aborted when the session is over. */
  readonly ended: AbortSignal;
  /** Keeps the session alive: a page is open. */
  touch(): void;
  /** Zero when another request is granted; otherwise the milliseconds until one is. */
  takeTurn(): number;
}

/** The sessions of all browsers. None outlives the server. */
export interface Sessions {
  /** Opens a session and returns the secret of its cookie. */
  open(): string;
  /** The session of the first of these secrets that has one; finding it keeps it alive. */
  find(secrets: readonly string[]): Session | undefined;
  /** Ends the session of this secret, if there is one. */
  end(secret: string): void;
  endAll(): void;
}

interface Entry {
  readonly session: Session;
  readonly ending: AbortController;
  usedAtMs: number;
}

export function createSessions(clock: Pick<Clock, 'monotonic'>): Sessions {
  const entries = new Map<string, Entry>();

  function isOver(entry: Entry): boolean {
    return clock.monotonic() - entry.usedAtMs >= IDLE_MS;
  }

  function remove(key: string): void {
    entries.get(key)?.ending.abort();
    entries.delete(key);
  }

  function makeRoom(): void {
    for (const [key, entry] of entries) if (isOver(entry)) remove(key);
    if (entries.size < MAX_SESSIONS) return;
    const [oldest] = [...entries].toSorted(([, one], [, other]) => one.usedAtMs - other.usedAtMs);
    if (oldest !== undefined) remove(oldest[0]);
  }

  function createEntry(): Entry {
    let token = createSecret();
    let givenAtMs: number | undefined;
    let isShown = false;
    const bucket = createTokenBucket(clock, RATE);
    const ending = new AbortController();
    const entry: Entry = {
      ending,
      usedAtMs: clock.monotonic(),
      session: {
        takeToken() {
          const nowMs = clock.monotonic();
          if (isShown || (givenAtMs !== undefined && nowMs - givenAtMs >= REPEAT_MS)) return undefined;
          if (givenAtMs !== undefined) token = createSecret();
          givenAtMs ??= nowMs;
          return token;
        },
        ended: ending.signal,
        acceptToken(text) {
          // A token that was never issued belongs to nobody
          if (givenAtMs === undefined || !isSameSecret(text, token)) return false;
          isShown = true;
          return true;
        },
        touch: () => void (entry.usedAtMs = clock.monotonic()),
        takeTurn: bucket.take,
      },
    };
    return entry;
  }

  return {
    open() {
      makeRoom();
      const secret = createSecret();
      entries.set(secretKey(secret), createEntry());
      return secret;
    },
    find(secrets) {
      for (const secret of secrets) {
        const entry = entries.get(secretKey(secret));
        if (entry === undefined || isOver(entry)) continue;
        entry.session.touch();
        return entry.session;
      }
      return undefined;
    },
    end: (secret) => remove(secretKey(secret)),
    endAll() {
      for (const key of entries.keys()) remove(key);
    },
  };
}

/** Grants a burst and then a steady rate. */
interface TokenBucket {
  /** Zero when it is granted; otherwise the milliseconds after which it would be. */
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

/** Most cookies of our name that are tried: another local server can set more of them. */
const MAX_TRIED = 4;

/** Browsers do not separate cookies by port, so the name does, for two consoles on one machine. */
function cookieName(port: number): string {
  return `vms_console_${port}`;
}

/** The header that gives a browser its session, for as long as the browser runs. */
export function writeSessionCookie(port: number, secret: string): string {
  return `${cookieName(port)}=${secret}; HttpOnly; SameSite=Strict; Path=/`;
}

/** The secrets that a browser sent for this port. */
export function readSessionCookies(header: string | undefined, port: number): readonly string[] {
  const start = `${cookieName(port)}=`;
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  const own = pairs.filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(start.length));
  return own.slice(0, MAX_TRIED);
}

/** Random bytes in each secret: it cannot be guessed in any number of tries. */
const SECRET_BYTES = 32;

/** A new secret for an address, a cookie or a header: 43 characters. */
export function createSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Whether two texts are the same, in a time that reveals nothing about either. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

/** The lookup key of a secret: how long the lookup takes reveals nothing about the secret itself. */
function secretKey(secret: string): string {
  return digest(secret).toString('base64');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** What a browser sends to the launch address. */
interface Launch {
  readonly code: string;
  /** Cookies of an earlier session of the same browser. */
  readonly secrets: readonly string[];
  readonly port: number;
}

/** `GET /launch/CODE`: exchanges the one-time code for a session, and redirects away from the address with the code. */
export type ServeLaunch = (exchange: Exchange, launch: Launch) => Refusal | undefined;

export function createServeLaunch(codes: LaunchCodes, sessions: Sessions, onOpened: () => void): ServeLaunch {
  return ({ response }, { code, secrets, port }) => {
    const redemption = codes.redeem(code);
    switch (redemption.kind) {
      case 'refused':
        return { status: 403, text: 'This address has already been used or has expired.', isPage: true };
      case 'too-many':
        return {
          status: 429,
          text: 'Too many wrong addresses. Wait a minute, or use the address that the agent shows.',
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

/** How long a launch code is valid, milliseconds: it is for the click that follows it. */
const VALID_MS = 60_000;
/** Refused codes in one window, after which other refused ones have to wait until the window has passed. */
const MAX_REFUSED = 5;
const WINDOW_MS = 60_000;

/** The result of redeeming a launch code. */
type Redemption =
  | { readonly kind: 'accepted' }
  /** Unknown, used, replaced or too old: whoever guesses does not learn which. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'too-many'; readonly retryAfterMs: number };

/** One-time codes that open the console; at most one is valid, the newest. */
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
      // Checked first: the right code cannot be guessed, and guesses of others must not lock out whoever has it
      if (take(code, nowMs)) return { kind: 'accepted' };
      const [oldest] = refusedAtMs;
      if (oldest !== undefined && refusedAtMs.length >= MAX_REFUSED)
        return { kind: 'too-many', retryAfterMs: oldest + WINDOW_MS - nowMs };
      refusedAtMs = [...refusedAtMs, nowMs];
      return { kind: 'refused' };
    },
  };
}
