import type { Failure } from '../../shared/domain/failure.ts';
import type { Clock, Logger } from '../agent/index.ts';

/** An answer that says no: why, in words for people, and when to come back. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 413 | 414 | 415 | 417 | 421 | 429 | 431 | 500;
  readonly text: string;
  /** Methods that the address does take; 405. */
  readonly allow?: string;
  /** True when a person sees it in a browser window, who needs to know what to do. */
  readonly isPage?: true;
  /** Seconds after which it may be tried again; 429. */
  readonly retryAfterSeconds?: number;
}

/** The refusal of an address that is asked by another method. */
export function onlyBy(allow: string): Refusal {
  return { status: 405, text: 'This address is asked in another way.', allow };
}

/** A refusal as the answer to a call, so that the page shows it as it shows any other failure. */
export function refusalFailure({ status, text, retryAfterSeconds }: Refusal): Failure {
  const isOver = status === 401 || status === 403;
  return {
    code: 'CALL_FAULT',
    message: text,
    advice: isOver ? 'Open the console again from the terminal.' : 'Try again.',
    retryable: status === 408 || status === 429 || status === 500,
    status,
    ...(retryAfterSeconds !== undefined && { retryAfterMs: retryAfterSeconds * 1000 }),
  };
}

/**
 * What to say to a client whose bytes are no request that can be read: two lengths at once, a bare line feed, headers
 * that do not end. Undefined when the client itself left.
 */
export function describeBadRequest({ code }: NodeJS.ErrnoException): Refusal | undefined {
  switch (code) {
    case 'ECONNRESET':
    case 'EPIPE':
      return undefined;
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, text: 'The request took too long to arrive.' };
    case 'HPE_HEADER_OVERFLOW':
      return { status: 431, text: 'The headers of the request are larger than 16 KB.' };
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return { status: 413, text: 'The extensions of the request are too large.' };
    default:
      return { status: 400, text: 'The request is not one of HTTP/1.1.' };
  }
}

/** A reason is logged at most so often: a page that tries all night must not fill the log, milliseconds. */
const LOG_EVERY_MS = 60_000;

/** Counts what was refused, by the reason. Addresses are not logged: one of them carries the launch code. */
interface RefusalLog {
  note(refusal: Refusal): void;
}

export function createRefusalLog(logger: Logger, clock: Pick<Clock, 'monotonic'>): RefusalLog {
  const counts = new Map<string, number>();
  const loggedAtMs = new Map<string, number>();
  return {
    note({ status, text: reason }) {
      // A browser asks for what there may be, an icon for one
      if (status === 404) return;
      const count = (counts.get(reason) ?? 0) + 1;
      counts.set(reason, count);
      const loggedAt = loggedAtMs.get(reason);
      const nowMs = clock.monotonic();
      if (loggedAt !== undefined && nowMs - loggedAt < LOG_EVERY_MS) return;
      loggedAtMs.set(reason, nowMs);
      logger.warn('The console refused a request.', { status, reason, count });
    },
  };
}
