import { policyOf } from '../../../shared/domain/failure-policy.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { formatDuration } from '../../../shared/lib/duration.ts';
import { agentPolicyOf } from '../core/failures/failure-policy.ts';
import { endpoints, type EndpointName } from './endpoints.ts';

/** The call that failed. `isAborted`: whoever waited for it gave it up. */
interface FailedCall {
  readonly what: string;
  readonly endpoint: EndpointName;
  readonly isAborted: boolean;
}

/** Statuses of a gateway that got no answer of the service itself. */
const unansweredStatuses: ReadonlySet<number | undefined> = new Set([408, 502, 504]);

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
  return {
    ...told,
    advice: adviceFor(told),
    retryable: told.retryable && policyOf(told.code).mends === 'itself',
  };
}

function isLostAnswer({ code, status }: Failure, endpoint: EndpointName): boolean {
  return (
    endpoints[endpoint].isWrite && (policyOf(code).answer === 'unreadable' || unansweredStatuses.has(status))
  );
}

function lostMessage({ code, message }: Failure, { what }: FailedCall): string {
  return policyOf(code).answer === undefined || message.startsWith(what)
    ? message
    : `${what}: it was sent, and no answer came. ${message}`;
}

function cancelled(failure: Failure, what: string): Failure {
  const { detail } = failure;
  const advice = 'Start it again when it is still wanted.';
  const told = { code: 'CANCELLED', message: `${what}: cancelled.`, advice, retryable: true } as const;
  return detail === undefined ? told : { ...told, detail };
}

function adviceFor({ code, advice, retryAfterMs }: Failure): string {
  const wait = retryAfterMs === undefined ? 'a moment' : formatDuration(retryAfterMs);
  return (agentPolicyOf(code).advice ?? advice).replace('{wait}', () => wait);
}
