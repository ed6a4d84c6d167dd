import { z } from 'zod';
import type { Failure, FailureCode } from '../../../shared/domain/failure.ts';
import { removeSecrets } from '../core/redact-text.ts';
import { parseRetryAfter } from '../core/retry-delay.ts';
import type { RawAnswer } from './http.ts';

/** Longest excerpt of an answer that is kept, characters (decisions row 23). */
const MAX_DETAIL_LENGTH = 200;
/** How much of an answer is looked at for its excerpt: room for white space and for the query of a signed URL. */
const LOOKED_AT_LENGTH = 16 * 1024;

const tlsCodes = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** Looks for the system's own code on the error and on what caused it. */
function errorCode(error: unknown): string {
  let current = error;
  let found = '';
  while (current instanceof Error) {
    if ('code' in current && typeof current.code === 'string') found = current.code;
    current = current.cause;
  }
  return found;
}

/** Trouble with the other side's certificate, or undefined when the code tells of something else. */
export function tlsFailure(code: string, host: string, detail: string): Failure | undefined {
  if (!tlsCodes.test(code)) return undefined;
  return {
    code: 'TLS_REFUSED',
    message: `The certificate of ${host} was refused (${code}).`,
    advice:
      'Check the clock of this PC and whether a proxy inspects TLS; its certificate must be in the system store.',
    retryable: true,
    detail,
  };
}

/** What a call that brought no whole answer means: no connection, no trust, or no time left. */
export function networkFailure(error: unknown, host: string): Failure {
  const code = errorCode(error);
  const detail = (error instanceof Error ? error.message : String(error)).slice(0, MAX_DETAIL_LENGTH);
  const refused = tlsFailure(code, host, detail);
  if (refused !== undefined) return refused;
  if (code === 'ETIMEDOUT' || code === 'ESOCKETTIMEDOUT') {
    return {
      code: 'API_TIMEOUT',
      message: `${host} did not answer in time.`,
      advice: 'It is tried again by itself.',
      retryable: true,
      detail,
    };
  }
  return {
    code: 'NETWORK',
    message: `No connection to ${host}${code === '' ? '' : ` (${code})`}.`,
    advice: 'Check the network. It is tried again by itself; nothing is lost.',
    retryable: true,
    detail,
  };
}

/** An answer larger than what any call may bring. */
export function tooLarge(host: string, limitBytes: number): Failure {
  return {
    code: 'API_TOO_LARGE',
    message: `The answer of ${host} is larger than ${limitBytes} bytes.`,
    advice: 'Check that the base URL is the address of the service.',
    retryable: true,
  };
}

/** A call that was not made, because what should name its subject cannot stand in an address. */
export function badId(what: string): Failure {
  return {
    code: 'VALIDATION',
    message: `${what}: the id is empty or cannot stand in an address. Nothing was sent.`,
    advice: 'Check the id.',
    retryable: false,
  };
}

const errorBodySchema = z.object({
  status: z.union([z.number(), z.string()]).nullish(),
  message: z.unknown().optional(),
  error: z.unknown().optional(),
});

/** The message of an error body in any of its known shapes (interface.md "Errors", decisions row 23). */
function messageOf(body: unknown): string | undefined {
  const parsed = errorBodySchema.safeParse(body);
  if (!parsed.success) return undefined;
  const { message, error } = parsed.data;
  for (const candidate of [message, error]) {
    if (typeof candidate === 'string') return candidate;
    if (candidate !== null && typeof candidate === 'object') return JSON.stringify(candidate);
  }
  return undefined;
}

/** A body with a numeric `status` of 400 or more is an error whatever the HTTP status says (decisions row 22). */
export function statusInBody(body: unknown): number | undefined {
  const parsed = errorBodySchema.safeParse(body);
  const status = parsed.success ? parsed.data.status : undefined;
  const number = typeof status === 'string' ? Number(status) : status;
  return typeof number === 'number' && number >= 400 && number <= 599 ? number : undefined;
}

function excerpt(answer: RawAnswer, body: unknown): string {
  const text = messageOf(body) ?? answer.body.toString('utf8', 0, LOOKED_AT_LENGTH);
  const clean = removeSecrets(text.slice(0, LOOKED_AT_LENGTH), []);
  return clean.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_DETAIL_LENGTH);
}

interface Meaning {
  readonly code: FailureCode;
  readonly what: string;
  readonly advice: string;
  readonly retryable: boolean;
}

const meanings: Readonly<Record<number, Meaning>> = {
  401: {
    code: 'KEY_REFUSED',
    what: 'refused the API key',
    advice: 'Store a valid key; the queue waits and nothing is lost.',
    retryable: true,
  },
  403: {
    code: 'PERMISSION_MISSING',
    what: 'does not allow this with the stored key',
    advice: 'Ask the operator of the service for the permission; the queue waits and nothing is lost.',
    retryable: true,
  },
  404: {
    code: 'NOT_FOUND',
    what: 'does not know this',
    advice: 'Check the base URL, or whether it was deleted in the service.',
    retryable: true,
  },
  408: {
    code: 'API_TIMEOUT',
    what: 'took too long',
    advice: 'It is tried again by itself.',
    retryable: true,
  },
  410: {
    code: 'NOT_FOUND',
    what: 'has deleted this',
    advice: 'Retry only when it should be made again.',
    retryable: false,
  },
  429: {
    code: 'RATE_LIMITED',
    what: 'asks for fewer requests',
    advice: 'The queue waits as long as the service asked for.',
    retryable: true,
  },
};

function meaningOf(status: number): Meaning {
  const known = meanings[status];
  if (known !== undefined) return known;
  if (status >= 500) {
    return {
      code: 'SERVICE_FAULT',
      what: 'has a fault of its own',
      advice: 'It is tried again by itself.',
      retryable: true,
    };
  }
  return {
    code: 'VALIDATION',
    what: 'refused the request',
    advice: 'The text of the service says why. Trying again unchanged will not help.',
    retryable: false,
  };
}

/** What an error status means. `what` names the step, for example "PUT incident". */
export function statusFailure(
  what: string,
  status: number,
  answer: RawAnswer,
  body: unknown,
  nowMs: number,
): Failure {
  const meaning = meaningOf(status);
  const detail = excerpt(answer, body);
  const retryAfterMs = parseRetryAfter(answer.headers['retry-after'], nowMs);
  return {
    code: meaning.code,
    message: `${what}: the service ${meaning.what} (HTTP ${status}${detail === '' ? '' : `: ${detail}`}).`,
    advice: meaning.advice,
    retryable: meaning.retryable,
    status,
    detail,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** An answer that is no answer of the service: HTML, empty, cut off, of another shape, or a redirect. */
export function oddAnswer(code: FailureCode, what: string, problem: string, answer: RawAnswer): Failure {
  return {
    code,
    message: `${what}: ${problem} (HTTP ${answer.status}).`,
    advice: 'Check the base URL and whether a proxy or a login page answers in place of the service.',
    retryable: true,
    status: answer.status,
    detail: excerpt(answer, undefined),
  };
}
