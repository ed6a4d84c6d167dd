import type { Failure, FailureCode } from '../../../shared/domain/failure.ts';
import { messageAnswerSchema } from '../../../shared/service/chat-message.ts';
import { withIds } from '../core/text/redact.ts';
import { parseRetryAfter } from '../core/failures/failure-policy.ts';
import { CHECK_WHO_ANSWERS, ON_HOLD } from './failures.ts';
import { excerptOf, readErrorBody, type ErrorBody } from './error-body.ts';
import type { RawAnswer } from './http.ts';

/**
 * Which errors an answer may contain: those of service.md "Errors" are listed only for endpoints 7 to 15 (`team`); the
 * video endpoints (`video`) have only a status. Team answers contain people's data, so a successful one is never
 * quoted.
 */
export type AnswerKind = 'video' | 'team';

/** An answer that is being decoded. `what` names the step, for example "PUT incident". */
export interface AnswerContext {
  readonly what: string;
  readonly answer: RawAnswer;
  readonly nowMs: number;
  readonly kind: AnswerKind;
}

interface Meaning {
  readonly code: FailureCode;
  readonly what: string;
  readonly advice: string;
  readonly retryable: boolean;
  readonly invalidUserId?: string;
  /** The service may name the inputs that it refused. */
  readonly namesFields?: true;
}

const serviceFault: Meaning = {
  code: 'SERVICE_FAULT',
  what: 'reported an internal error',
  advice: 'The agent will retry automatically.',
  retryable: true,
};
// Gateways in front of the service answer like this while it is down or restarting
const unavailable: Meaning = { ...serviceFault, what: 'is temporarily unavailable' };
const validation: Meaning = {
  code: 'VALIDATION',
  what: 'refused the request',
  advice: 'Correct the input, or send this text to the operator of the service.',
  retryable: false,
  namesFields: true,
};
const notFound: Meaning = {
  code: 'NOT_FOUND',
  what: 'does not have this record',
  advice: 'Check whether it was deleted in the service, and check the service address.',
  retryable: true,
};
const meanings: Readonly<Record<number, Meaning>> = {
  401: {
    code: 'KEY_REFUSED',
    what: 'refused the API key',
    advice: `Save a valid API key. ${ON_HOLD}`,
    retryable: true,
  },
  403: {
    code: 'PERMISSION_MISSING',
    what: 'does not allow this with the saved key',
    advice: `Ask the operator of the service for this permission. ${ON_HOLD}`,
    retryable: true,
  },
  404: notFound,
  409: { ...validation, what: 'reported a conflict with existing data' },
  413: { ...validation, what: 'does not accept a request of this size' },
  // Not from the service but from a proxy that inspects TLS
  407: {
    code: 'PROXY_AUTH',
    what: 'could not be reached: a proxy requires a user name and password',
    advice: `Ask the proxy administrator for an exception, or set proxy.url and proxyCredentialsFile in the settings. ${ON_HOLD}`,
    retryable: true,
  },
  408: {
    code: 'API_TIMEOUT',
    what: 'timed out',
    advice: 'The agent will retry automatically.',
    retryable: true,
  },
  410: {
    code: 'NOT_FOUND',
    what: 'says that this record was deleted',
    advice: 'If it is still needed, ask the operator of the service to restore it.',
    retryable: false,
  },
  429: {
    code: 'RATE_LIMITED',
    what: 'is limiting requests',
    advice: 'Nothing to do: the agent will retry automatically.',
    retryable: true,
  },
  502: unavailable,
  503: unavailable,
  504: unavailable,
};

/** The text of a processing failure, whose status is not defined (service.md "Errors"). */
const PROCESSING_FAILURE = /^\s*an error occurred while processing your request/i;

function meaningOf(status: number, reported: ErrorBody, kind: AnswerKind): Meaning {
  if (kind === 'team') {
    if (PROCESSING_FAILURE.test(reported.text ?? '')) return serviceFault;
    if (reported.invalidChannelUser !== undefined)
      return invalidChannelUser(reported.invalidChannelUser.userId);
    if (status < 400) return meaningOfText(reported.text ?? '');
  }
  return meanings[status] ?? (status >= 500 ? serviceFault : validation);
}

/** An error whose status says nothing: the text decides. */
function meaningOfText(text: string): Meaning {
  if (/^\s*(validation failed|invalid )/i.test(text)) return validation;
  return /\bnot found\.?\s*$/i.test(text) ? notFound : serviceFault;
}

const invalidChannelUser = (userId: string | undefined): Meaning => ({
  code: 'INVALID_CHANNEL_USER',
  what: `says that ${userId === undefined ? 'the user' : `user ${userId}`} is not a member of the channel`,
  advice: 'Choose a member of the channel, or no user: the message then comes from the System User.',
  retryable: false,
  ...(userId === undefined ? {} : { invalidUserId: userId }),
});

/** The failure for an error body under `status`, which is that of HTTP or of the body. */
export function statusFailure(
  { what, answer, nowMs, kind }: AnswerContext,
  status: number,
  body: unknown,
): Failure {
  const reported = readErrorBody(body);
  const meaning = meaningOf(status, reported, kind);
  const excerpt = reported.summary ?? quotable(answer, body, kind);
  const retryAfterMs = parseRetryAfter(answer.headers['retry-after'], nowMs);
  return {
    code: meaning.code,
    message: `${what}: the service ${meaning.what} (HTTP ${status}${excerpt === '' ? '' : `: ${excerpt}`}).`,
    advice: meaning.advice,
    retryable: meaning.retryable,
    status,
    detail: reported.text ?? excerpt,
    ...withIds(answer.requestIds),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(meaning.namesFields === true && reported.fields.length > 0 ? { fields: reported.fields } : {}),
    ...(meaning.invalidUserId === undefined ? {} : { invalidUserId: meaning.invalidUserId }),
  };
}

/**
 * The failure for an error that came with a success status and without one of its own; undefined if the body is not an
 * error. `isBare`: the answer contains nothing of what was requested.
 */
export function unmarkedFailure(context: AnswerContext, body: unknown, isBare: boolean): Failure | undefined {
  const reported = readErrorBody(body);
  if (context.kind === 'video' || reported.text === undefined) return undefined;
  // A message that was posted may begin like an error, but it has an id
  const isPosted = messageAnswerSchema.safeParse(body).data?.id !== undefined;
  const isKnown = PROCESSING_FAILURE.test(reported.text) || reported.invalidChannelUser !== undefined;
  if (isKnown && isPosted) return undefined;
  return isBare || isKnown ? statusFailure(context, context.answer.status, body) : undefined;
}

/**
 * The failure for an answer that is not the service's: HTML, empty, cut off, of another shape, or a redirect. `from`:
 * who most probably sent it.
 */
export function oddAnswer(
  code: FailureCode,
  problem: string,
  { what, answer, kind }: AnswerContext,
  from: 'service' | 'stranger' = 'service',
): Failure {
  const excerpt = quotable(answer, undefined, kind);
  return {
    code,
    message: `${what}: ${problem} (HTTP ${answer.status}).`,
    advice:
      from === 'stranger'
        ? CHECK_WHO_ANSWERS
        : 'The service sent an unexpected response. Send this text to its operator.',
    retryable: true,
    status: answer.status,
    detail: excerpt === '' ? problem : excerpt,
    ...withIds(answer.requestIds),
  };
}

/**
 * What may be quoted from an answer that is not an error body: from a successful team answer, only what is not JSON.
 */
function quotable(answer: RawAnswer, body: unknown, kind: AnswerKind): string {
  const isGood = answer.status < 400;
  if (kind === 'team' && isGood && /^\s*\uFEFF?\s*[[{"]/.test(answer.body.toString('utf8', 0, 64))) return '';
  return excerptOf(answer.body, body);
}
