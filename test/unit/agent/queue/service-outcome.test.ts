import { describe, expect, it } from 'vitest';
import { serviceOutcome } from '../../../../electron/agent/queue/service-outcome.ts';
import { failureOf } from '../../../helpers/queue-fixture.ts';

const going = new AbortController().signal;

describe('serviceOutcome', () => {
  it.each([
    ['NETWORK', true, 'pause-lane'],
    ['API_TIMEOUT', true, 'pause-lane'],
    ['TLS_REFUSED', true, 'pause-lane'],
    ['API_REDIRECT', true, 'pause-lane'],
    ['API_NOT_JSON', true, 'pause-lane'],
    ['KEY_REFUSED', true, 'pause-lane'],
    ['VIDEO_PERMISSION_MISSING', true, 'pause-lane'],
    ['KEY_MISSING', true, 'pause-lane'],
    ['KEY_STORE', false, 'pause-lane'],
    ['NOT_SET_UP', false, 'pause-lane'],
    ['KEY_FORMAT', false, 'pause-lane'],
    ['KEY_FILE_OPEN', false, 'pause-lane'],
    ['RATE_LIMITED', true, 'pause-lane'],
    ['SERVICE_FAULT', true, 'pause-lane'],
    ['API_SHAPE', true, 'retry'],
    ['NOT_FOUND', true, 'retry'],
    ['NOT_FOUND', false, 'failed'],
    ['VALIDATION', false, 'failed'],
    ['URL_REFUSED', false, 'failed'],
  ] as const)('of %s (retryable: %s) is %s', (code, retryable, kind) => {
    const failure = failureOf(code, { retryable });
    expect(serviceOutcome(failure, going)).toMatchObject({ kind, failure });
  });

  it('closes the lane of the service', () => {
    expect(serviceOutcome(failureOf('NETWORK'), going)).toMatchObject({ lane: 'service' });
  });

  it('is an interruption once the agent stops, whatever the call said', () => {
    expect(serviceOutcome(failureOf('VALIDATION', { retryable: false }), AbortSignal.abort())).toEqual({
      kind: 'interrupted',
    });
  });
});
