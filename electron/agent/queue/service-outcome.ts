import type { Failure, FailureCode } from '../../../shared/domain/failure.ts';
import type { JobOutcome } from './outcome.ts';

/** Failures that concern every call alike: the whole lane waits, and no job is blamed. */
const laneWide: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'NETWORK',
  'API_TIMEOUT',
  'TLS_REFUSED',
  'PROXY_AUTH',
  'PROXY_REFUSED',
  'CONFIG_PROXY',
  'API_REDIRECT',
  'API_NOT_JSON',
  'KEY_REFUSED',
  'KEY_MISSING',
  'KEY_STORE',
  'NOT_SET_UP',
  'KEY_FORMAT',
  'KEY_FILE_OPEN',
  'PERMISSION_MISSING',
  'VIDEO_PERMISSION_MISSING',
  'RATE_LIMITED',
  'SERVICE_FAULT',
]);

/** What a failed call of the service means for the job that made it. */
export function serviceOutcome(failure: Failure, signal: AbortSignal): JobOutcome {
  if (signal.aborted) return { kind: 'interrupted' };
  if (laneWide.has(failure.code)) return { kind: 'pause-lane', lane: 'service', failure };
  return failure.retryable ? { kind: 'retry', failure } : { kind: 'failed', failure };
}
