import { describe, expect, it } from 'vitest';
import { serviceOutcome } from '../../../../electron/agent/queue/outcome.ts';
import { failureOf } from '../../../helpers/queue-fixture.ts';

const going = new AbortController().signal;

describe('serviceOutcome', () => {
  it.each([
    ['NETWORK', true, 'pause-circuit'],
    ['API_TIMEOUT', true, 'pause-circuit'],
    ['TLS_REFUSED', true, 'pause-circuit'],
    ['API_REDIRECT', true, 'pause-circuit'],
    ['API_NOT_JSON', true, 'pause-circuit'],
    ['KEY_REFUSED', true, 'pause-circuit'],
    ['VIDEO_PERMISSION_MISSING', true, 'pause-circuit'],
    ['KEY_MISSING', true, 'pause-circuit'],
    ['KEY_STORE', false, 'pause-circuit'],
    ['NOT_SET_UP', false, 'pause-circuit'],
    ['KEY_FORMAT', false, 'pause-circuit'],
    ['KEY_FILE_OPEN', false, 'pause-circuit'],
    ['RATE_LIMITED', true, 'pause-circuit'],
    ['SERVICE_FAULT', true, 'pause-circuit'],
    ['API_SHAPE', true, 'retry'],
    ['NOT_FOUND', true, 'retry'],
    ['NOT_FOUND', false, 'failed'],
    ['VALIDATION', false, 'failed'],
    ['URL_REFUSED', false, 'failed'],
  ] as const)('of %s (retryable: %s) is %s', (code, retryable, kind) => {
    const failure = failureOf(code, { retryable });
    expect(serviceOutcome(failure, going)).toMatchObject({ kind, failure });
  });

  it('closes the circuit of the service', () => {
    expect(serviceOutcome(failureOf('NETWORK'), going)).toMatchObject({ circuit: 'service' });
  });

  it('is an interruption once the agent stops, whatever the call said', () => {
    expect(serviceOutcome(failureOf('VALIDATION', { retryable: false }), AbortSignal.abort())).toEqual({
      kind: 'interrupted',
    });
  });
});
