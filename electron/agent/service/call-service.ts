import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { decodeAnswer } from './decode.ts';
import type { Http, ServiceCall } from './http.ts';
import type { ServiceClock } from './service-clock.ts';
import type { ServiceId } from '../../../shared/domain/ids.ts';
import { nothingAt, ON_HOLD, pagingFailure } from './failures.ts';
import { policyOf } from '../../../shared/domain/failure-policy.ts';
import { formatDuration } from '../../../shared/lib/readable-amounts.ts';
import { agentPolicyOf } from '../core/failures/failure-policy.ts';
import { endpoints, type EndpointName } from './endpoints.ts';

/** Longest wait of a call that a person made, milliseconds: someone is watching the screen. */
const PERSON_TIMEOUT_MS = 30_000;

/** The value of an answer, with its context. */
export interface TeamAnswer<T> {
  readonly value: T;
  readonly headers: IncomingHttpHeaders;
  /** The URL that was called, without its query. */
  readonly calledUrl: string;
  /** When it was sent, on the service's clock, milliseconds since 1970; undefined if the answer had no time. */
  readonly sentAtMs: number | undefined;
}

/** Makes one call for a person who is waiting. `what` names it in messages. */
export type CallService = <T>(
  what: string,
  call: ServiceCall,
  schema: z.ZodType<T>,
  signal: AbortSignal,
) => Promise<Result<TeamAnswer<T>, Failure>>;

/** Creates the calls of endpoints 7 to 15: made once, with advice for a person instead of that for the queue. */
export function createCallService(http: Http, serviceClock: ServiceClock): CallService {
  return async (what, call, schema, signal) => {
    const localMs = serviceClock.now() - serviceClock.skewMs();
    const explain = (failure: Failure) =>
      err(failureForPerson(failure, { what, endpoint: call.endpoint, isAborted: signal.aborted }));
    const answer = await http.call({ timeoutMs: PERSON_TIMEOUT_MS, ...call }, signal);
    if (!answer.ok) return explain(answer.error);
    const { headers, calledUrl } = answer.value;
    serviceClock.observe(headers.date);
    const decoded = decodeAnswer(what, answer.value, schema, serviceClock.now(), 'team');
    if (!decoded.ok) {
      const isWrongAddress =
        answer.value.status === 404 && (isFixed(call.endpoint) || !(await hasUsers(http, signal)));
      return isWrongAddress ? err(nothingAt(what, calledUrl, decoded.error)) : explain(decoded.error);
    }
    const sentAtMs = headers.date === undefined ? undefined : localMs + serviceClock.skewMs();
    return ok({ value: decoded.value, headers, calledUrl, sentAtMs });
  };
}

/** Whether the path names no record that could be missing. */
const isFixed = (endpoint: EndpointName): boolean => !endpoints[endpoint].path.includes('{');

/** Whether the list of users is there: a missing record says nothing about the base URL, but a missing list does. */
async function hasUsers(http: Http, signal: AbortSignal): Promise<boolean> {
  const call = { endpoint: 'getUsers', query: [['per_page', '1']], timeoutMs: PERSON_TIMEOUT_MS } as const;
  const answer = await http.call(call, signal);
  return !answer.ok || answer.value.status !== 404;
}

/** Only the value of an answer. */
export function valueOf<T>(result: Result<TeamAnswer<T>, Failure>): Result<T, Failure> {
  return result.ok ? ok(result.value.value) : result;
}

/** Parameters of a call. */
export type Query = NonNullable<ServiceCall['query']>;

/** Most pages of one list: a million users; a longer list counts as endless. */
const MAX_PAGES = 10_000;

/** One page of a list: its entries, and the query for the next one; `elsewhere`: a link that is refused. */
export interface ListPage<T> {
  readonly items: readonly T[];
  readonly next: Query | 'elsewhere' | undefined;
  /** How many more entries of the page cannot be read. */
  readonly unreadable?: number;
}

/** Reads a list to its end, as `readPagesSoFar` does; an incomplete list is an error. */
export async function readPages<T extends { readonly id: ServiceId }>(
  what: string,
  ask: (query: Query | undefined) => Promise<Result<ListPage<T>, Failure>>,
): Promise<Result<readonly T[], Failure>> {
  const read = await readPagesSoFar(what, ask);
  if (!read.ok) return read;
  return read.value.problem === undefined ? ok(read.value.items) : err(read.value.problem);
}

/**
 * Entries of a list. `problem`: why some are missing. Either the next page could not be read, or (API_PAGING) it leads
 * in a circle, elsewhere or on without end, or (API_SHAPE) some entries cannot be read.
 */
export interface ReadList<T> {
  readonly items: readonly T[];
  readonly problem?: Failure;
}

/**
 * Reads as much of a list as possible, each entry once even if entries move between pages. Errors: those of `ask`, if
 * nothing was read.
 */
export async function readPagesSoFar<T extends { readonly id: ServiceId }>(
  what: string,
  ask: (query: Query | undefined) => Promise<Result<ListPage<T>, Failure>>,
): Promise<Result<ReadList<T>, Failure>> {
  const seen = new Set<ServiceId>();
  const items: T[] = [];
  const cut = (problem: string) => ok({ items, problem: pagingFailure(what, problem) });
  let unreadable = 0;
  const odd = () => {
    const problem = pagingFailure(what, `${unreadable} of its entries cannot be read`);
    const advice = 'Send this text to the operator of the service.';
    return ok({ items, problem: { ...problem, code: 'API_SHAPE' as const, advice } });
  };
  let next: Query | undefined;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const answer = await ask(next);
    if (!answer.ok) return items.length === 0 ? answer : ok({ items, problem: answer.error });
    const fresh = answer.value.items.filter(({ id }) => !seen.has(id));
    // One by one: a function call accepts only about 100,000 arguments
    for (const item of fresh) {
      items.push(item);
      seen.add(item.id);
    }
    unreadable += answer.value.unreadable ?? 0;
    if (answer.value.next === 'elsewhere')
      return cut('the link to the next page is invalid or leads elsewhere');
    if (page > 1 && fresh.length === 0 && (answer.value.items.length > 0 || answer.value.next !== undefined))
      return cut(`page ${page} contained nothing new`);
    if (answer.value.next === undefined) return unreadable === 0 ? ok({ items }) : odd();
    next = answer.value.next;
  }
  return cut(`it has more than ${MAX_PAGES} pages`);
}

/** The call that failed. `isAborted`: whoever waited for it cancelled it. */
interface FailedCall {
  readonly what: string;
  readonly endpoint: EndpointName;
  readonly isAborted: boolean;
}

/** Statuses of a gateway that got no answer from the service itself. */
const unansweredStatuses: ReadonlySet<number | undefined> = new Set([408, 502, 504]);

/** What to check if it is unknown whether a write was carried out, by endpoint. */
const lookAdvices: Readonly<Partial<Record<EndpointName, string>>> = {
  addChannelMessage: 'The message may have been posted. Check the channel before sending it again.',
  addDirectMessage: 'The message may have been posted. Check the channel before sending it again.',
  createUser: 'The user may have been created. Search for the phone number or device before trying again.',
  updateUserByPost: 'The change may have been made. Check the user before trying again.',
  updateUserByPut: 'The change may have been made. Check the user before trying again.',
  deleteUser: 'The user may have been deleted. Check the list of users before trying again.',
};

/**
 * The failure of a call that a person made and waits for: nothing is retried automatically, so the advice is for them.
 * A write whose answer was lost gets `mayHaveHappened`, and must not be repeated blindly.
 */
export function failureForPerson(failure: Failure, call: FailedCall): Failure {
  const { mayHaveHappened: wasSent, ...rest } = failure;
  const isUnknown = wasSent === true || isLostAnswer(failure, call.endpoint);
  const outcome = call.isAborted ? cancelled(rest, call.what) : rest;
  if (isUnknown) {
    const advice = lookAdvices[call.endpoint] ?? 'It may have gone through. Check before trying again.';
    return {
      ...outcome,
      message: lostMessage(outcome, call),
      advice,
      retryable: false,
      mayHaveHappened: true,
    };
  }
  return {
    ...outcome,
    advice: adviceFor(outcome),
    retryable: outcome.retryable && policyOf(outcome.code).recovery === 'automatic',
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
    : `${what}: the request was sent, but no usable response came back. ${message}`;
}

function cancelled(failure: Failure, what: string): Failure {
  const { detail } = failure;
  const advice = 'Start it again if you still need it.';
  const aborted = { code: 'CANCELLED', message: `${what}: cancelled.`, advice, retryable: true } as const;
  return detail === undefined ? aborted : { ...aborted, detail };
}

function adviceFor({ code, advice, retryAfterMs }: Failure): string {
  if (retryAfterMs !== undefined) return `Wait ${formatDuration(retryAfterMs)} and try again.`;
  return agentPolicyOf(code).advice ?? advice.replace(ON_HOLD, 'Then try again.');
}
