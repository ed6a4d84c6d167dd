import type { Failure } from '../../shared/domain/failure.ts';
import type { Clock, Logger } from '../agent/index.ts';

/** What a request says about itself, before any of it is trusted. */
export interface RequestFacts {
  readonly method: string;
  /** The address as it was sent. */
  readonly target: string;
  /** Every value of each header, names in lower case. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
}

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST'];
const FORM_BODY = 'application/x-www-form-urlencoded';
const JSON_BODY = /^application\/json(?:\s*;\s*charset="?utf-8"?)?$/i;

/**
 * Why a request is refused before its address is looked at, or undefined. A page of another origin, a host name that
 * was pointed at this machine and a confused proxy are all stopped here; the session is checked later.
 */
export function inspectRequest(facts: RequestFacts, port: number): Refusal | undefined {
  return (
    inspectHost(facts, port) ??
    inspectMethod(facts) ??
    inspectTarget(facts.target) ??
    inspectOrigin(facts) ??
    inspectBody(facts)
  );
}

function inspectHost({ headers }: RequestFacts, port: number): Refusal | undefined {
  const [host, second] = headers['host'] ?? [];
  if (host === undefined) return { status: 400, text: 'The request has no host.' };
  const own = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
  if (second === undefined && own.includes(host)) return undefined;
  return { status: 421, text: 'The console can be opened only at its own address.' };
}

function inspectMethod({ method }: RequestFacts): Refusal | undefined {
  if (METHODS.includes(method)) return undefined;
  return { status: 405, text: 'The console does not support this method.', allow: METHODS.join(', ') };
}

/** Only paths of this server are accepted: `http://other/` and `//other` are addresses of somewhere else. */
function inspectTarget(target: string): Refusal | undefined {
  if (target.startsWith('/') && !target.startsWith('//')) return undefined;
  return { status: 400, text: 'The address of the request is not a path.' };
}

/**
 * The origin must be exactly the address that the request went to: another program may own the same port of [::1]. The
 * browser's own statement of where a request comes from (`Sec-Fetch-Site`) is checked if there is one; Safari before
 * 16.4 sends none.
 */
function inspectOrigin(facts: RequestFacts): Refusal | undefined {
  const { method, headers } = facts;
  const origins = headers['origin'] ?? [];
  if (isAnswer(facts)) return origins.length === 1 && origins[0] === 'null' ? undefined : foreign;
  const own = `http://${headers['host']?.[0]}`;
  if (origins.some((origin) => origin !== own)) return foreign;
  if (method === 'POST' && origins.length !== 1) return foreign;
  const sites = headers['sec-fetch-site'] ?? [];
  return sites.every((site) => site === 'same-origin' || site === 'none') ? undefined : foreign;
}

const foreign: Refusal = { status: 403, text: 'The request does not come from a page of the console.' };

/**
 * Whether this is the form of a question (questions.ts). Its page is in a sandbox and has neither origin nor cookie;
 * the secret in its address cannot be guessed, and no script can read it.
 */
const isAnswer = ({ method, target }: RequestFacts): boolean =>
  method === 'POST' && target.startsWith('/confirm/');

function inspectBody(facts: RequestFacts): Refusal | undefined {
  const { method, headers } = facts;
  if (
    headers['expect'] !== undefined &&
    !headers['expect'].every((expected) => /^100-continue$/i.test(expected))
  )
    return { status: 417, text: 'The console supports no expectation other than 100-continue.' };
  if (headers['upgrade'] !== undefined) return { status: 400, text: 'The console supports only HTTP/1.1.' };
  if (method !== 'POST') {
    const hasBody =
      headers['transfer-encoding'] !== undefined ||
      (headers['content-length'] ?? ['0']).some((size) => size !== '0');
    return hasBody ? { status: 400, text: 'A request with this method must not have a body.' } : undefined;
  }
  const [type, secondType] = headers['content-type'] ?? [];
  const isKnown =
    type !== undefined &&
    secondType === undefined &&
    (isAnswer(facts) ? type === FORM_BODY : JSON_BODY.test(type));
  if (isKnown && headers['content-encoding'] === undefined) return undefined;
  return { status: 415, text: 'The console accepts only plain application/json.' };
}

/** A refused request: why, in words for people, and when to try again. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 413 | 414 | 415 | 417 | 421 | 429 | 431 | 500;
  readonly text: string;
  /** Methods that the address accepts; 405. */
  readonly allow?: string;
  /** True when a person sees it in a browser window and needs to know what to do. */
  readonly isPage?: true;
  /** Seconds after which to try again; 429. */
  readonly retryAfterSeconds?: number;
}

/** The refusal of a request with the wrong method. */
export function onlyBy(allow: string): Refusal {
  return { status: 405, text: 'This address needs a different method.', allow };
}

/** Reloading helps where a page sends malformed requests: it may be of an earlier version. */
function adviceOn(status: Refusal['status']): string {
  if (status === 401 || status === 403) return 'Open the console again from the terminal.';
  if (status === 413) return 'Try again with fewer items or shorter text.';
  return PASSING.has(status) ? 'Try again.' : 'Reload the page and try again.';
}

const PASSING: ReadonlySet<number> = new Set([408, 429, 500]);

/** A refusal as the answer to a call, so that the page shows it as it shows any other failure. */
export function refusalFailure({ status, text, retryAfterSeconds }: Refusal): Failure {
  return {
    code: 'CALL_FAULT',
    message: text,
    advice: adviceOn(status),
    retryable: PASSING.has(status),
    status,
    ...(retryAfterSeconds !== undefined && { retryAfterMs: retryAfterSeconds * 1000 }),
  };
}

/**
 * The refusal for a client whose bytes are not a readable request: two lengths at once, a bare line feed, headers that
 * do not end. Undefined when the client itself left.
 */
export function describeBadRequest({ code }: NodeJS.ErrnoException): Refusal | undefined {
  switch (code) {
    case 'ECONNRESET':
    case 'EPIPE':
      return undefined;
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, text: 'The request took too long to arrive.' };
    case 'HPE_HEADER_OVERFLOW':
      return { status: 431, text: 'The headers of the request are larger than 16 KiB.' };
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return { status: 413, text: 'The chunk extensions of the request are too large.' };
    default:
      return { status: 400, text: 'The request is not valid HTTP/1.1.' };
  }
}

/**
 * Shortest time between two log lines for one reason, milliseconds: a page that tries all night must not fill the log.
 */
const LOG_EVERY_MS = 60_000;

/** Counts refusals by reason. Addresses are not logged: one of them has the launch code. */
interface RefusalLog {
  note(refusal: Refusal): void;
}

export function createRefusalLog(logger: Logger, clock: Pick<Clock, 'monotonic'>): RefusalLog {
  const counts = new Map<string, number>();
  const loggedAtMs = new Map<string, number>();
  return {
    note({ status, text: reason }) {
      // Browsers request what may not exist, such as an icon
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
