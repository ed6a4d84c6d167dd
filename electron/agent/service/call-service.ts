import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { decodeAnswer } from './decode.ts';
import { failureForPerson } from './failure-for-person.ts';
import type { Http, ServiceCall } from './http.ts';
import type { ServiceClock } from './service-clock.ts';

/** Longest wait of a call that a person made, milliseconds: someone looks at the screen meanwhile. */
const PERSON_TIMEOUT_MS = 30_000;

/** What a call brought, with what came around it. */
export interface TeamAnswer<T> {
  readonly value: T;
  readonly headers: IncomingHttpHeaders;
  /** What was called, without its query. */
  readonly calledUrl: string;
  /** When it was sent, on the service's clock, milliseconds since 1970; undefined when the answer had no time. */
  readonly sentAtMs: number | undefined;
}

/** Makes one call for a person who waits. `what` names it in messages. */
export type CallService = <T>(
  what: string,
  call: ServiceCall,
  schema: z.ZodType<T>,
  signal: AbortSignal,
) => Promise<Result<TeamAnswer<T>, Failure>>;

/** Calls of endpoints 7 to 15: once, with the advice for a person instead of that for the queue. */
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
    if (!decoded.ok) return explain(decoded.error);
    const sentAtMs = headers.date === undefined ? undefined : localMs + serviceClock.skewMs();
    return ok({ value: decoded.value, headers, calledUrl, sentAtMs });
  };
}

/** Only the facts of an answer. */
export function valueOf<T>(result: Result<TeamAnswer<T>, Failure>): Result<T, Failure> {
  return result.ok ? ok(result.value.value) : result;
}
