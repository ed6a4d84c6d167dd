import { describe, expect, it } from 'vitest';
import { serviceOutcome } from '../../../../electron/agent/queue/outcome.ts';
import { failureOf } from '../../../helpers/queue-fixture.ts';

const going = new AbortController().signal;

describe('serviceOutcome', () => {
  it.each([
    ['NETWORK', true, 'refused'],
    ['API_TIMEOUT', true, 'refused'],
    ['TLS_REFUSED', true, 'refused'],
    ['API_REDIRECT', true, 'refused'],
    ['API_NOT_JSON', true, 'refused'],
    ['KEY_REFUSED', true, 'refused'],
    ['VIDEO_PERMISSION_MISSING', true, 'refused'],
    ['KEY_MISSING', true, 'refused'],
    ['KEY_STORE', false, 'refused'],
    ['NOT_SET_UP', false, 'refused'],
    ['KEY_FORMAT', false, 'refused'],
    ['KEY_FILE_OPEN', false, 'refused'],
    ['RATE_LIMITED', true, 'refused'],
    ['SERVICE_FAULT', true, 'refused'],
    ['API_SHAPE', true, 'refused'],
    ['NOT_FOUND', true, 'refused'],
    ['VALIDATION', false, 'failed'],
  ] as const)('of %s (retryable: %s) is %s', (code, retryable, kind) => {
    const failure = failureOf(code, { retryable });
    expect(serviceOutcome('put', failure, going)).toMatchObject({ kind, failure });
  });

  it('names the step, which the circuits judge, and takes no answer for the final word on its subject', () => {
    const failure = failureOf('VALIDATION', { retryable: false, status: 422 });
    expect(serviceOutcome('put', failure, going)).toEqual({ kind: 'refused', step: 'put', failure });
  });

  it('is an interruption once the agent stops, whatever the call said', () => {
    expect(serviceOutcome('put', failureOf('VALIDATION', { retryable: false }), AbortSignal.abort())).toEqual(
      {
        kind: 'interrupted',
      },
    );
  });
});
