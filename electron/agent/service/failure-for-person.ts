import type { Failure, FailureCode } from '../../../shared/domain/failure.ts';
import { formatDuration } from '../../../shared/lib/duration.ts';
import { endpoints, type EndpointName } from './endpoints.ts';

/** The call that failed. `isAborted`: whoever waited for it gave it up. */
interface FailedCall {
  readonly what: string;
  readonly endpoint: EndpointName;
  readonly isAborted: boolean;
}

/** Answers that cannot be read: what they were about may be done. */
const unreadable: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'API_EMPTY',
  'API_NOT_JSON',
  'API_BAD_JSON',
  'API_NUMBER',
  'API_SHAPE',
  'API_TOO_LARGE',
]);
/** Statuses of a gateway that got no answer of the service itself. */
const unansweredStatuses: ReadonlySet<number | undefined> = new Set([408, 502, 504]);
/** Nobody changes anything by waiting. */
const inVain: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'KEY_REFUSED',
  'KEY_MISSING',
  'KEY_FORMAT',
  'KEY_FILE_OPEN',
  'PERMISSION_MISSING',
  'PROXY_AUTH',
  'PROXY_REFUSED',
  'CONFIG_PROXY',
  'NOT_FOUND',
]);

const ASK_OPERATOR = 'When it stays, give the text of the error to the operator of the service.';
const advices: Readonly<Partial<Record<FailureCode, string>>> = {
  NETWORK: 'Check the network and try again.',
  API_TIMEOUT: 'Try again.',
  KEY_REFUSED: 'Store a valid key and try again.',
  PERMISSION_MISSING: 'Ask the operator of the service for the permission, and try again.',
  NOT_FOUND: 'Read the list again: it may have been deleted. Otherwise check the base URL.',
  SERVICE_FAULT: `Try again. ${ASK_OPERATOR}`,
};

/** What to look at when nobody knows whether a write was carried out, by what it was to do. */
const lookAdvices: Readonly<Partial<Record<EndpointName, string>>> = {
  addChannelMessage: 'The message may have been posted: look into the channel before sending it again.',
  addDirectMessage: 'The message may have been posted: look into the channel before sending it again.',
  createUser: 'The user may have been created: look for the phone number or device before trying again.',
  updateUserByPost: 'The change may have been made: read the user again before repeating it.',
  updateUserByPut: 'The change may have been made: read the user again before repeating it.',
  deleteUser: 'The user may have been deleted: read the list again before repeating it.',
};

/**
 * The failure of a call that a person made and waits for: nothing is tried again by itself, so the advice is for them.
 * A write whose answer was lost gets `mayHaveHappened`, and is not to be repeated blindly.
 */
export function failureForPerson(failure: Failure, call: FailedCall): Failure {
  const { mayHaveHappened: wasSent, ...rest } = failure;
  const isUnknown = wasSent === true || isLostAnswer(failure, call.endpoint);
  const told = call.isAborted ? cancelled(rest, call.what) : rest;
  if (isUnknown) {
    const advice = lookAdvices[call.endpoint] ?? 'It may have been carried out: look before trying again.';
    return { ...told, message: lostMessage(told, call), advice, retryable: false, mayHaveHappened: true };
  }
  return { ...told, advice: adviceFor(told), retryable: told.retryable && !inVain.has(told.code) };
}

function isLostAnswer({ code, status }: Failure, endpoint: EndpointName): boolean {
  return endpoints[endpoint].isWrite && (unreadable.has(code) || unansweredStatuses.has(status));
}

function lostMessage({ code, message }: Failure, { what }: FailedCall): string {
  const isLine = code === 'NETWORK' || code === 'API_TIMEOUT' || code === 'API_TOO_LARGE';
  return isLine && !message.startsWith(what)
    ? `${what}: it was sent, and no answer came. ${message}`
    : message;
}

function cancelled(failure: Failure, what: string): Failure {
  const { detail } = failure;
  const advice = 'Start it again when it is still wanted.';
  const told = { code: 'CANCELLED', message: `${what}: cancelled.`, advice, retryable: true } as const;
  return detail === undefined ? told : { ...told, detail };
}

function adviceFor({ code, advice, retryAfterMs }: Failure): string {
  if (code !== 'RATE_LIMITED') return advices[code] ?? advice;
  const wait = retryAfterMs === undefined ? 'a moment' : formatDuration(retryAfterMs);
  return `Wait ${wait} and try again.`;
}
