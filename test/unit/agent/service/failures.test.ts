import { describe, expect, it } from 'vitest';
import {
  badId,
  methodRefused,
  networkFailure,
  pagingFailure,
  tooLarge,
} from '../../../../electron/agent/service/failures.ts';
import { failureOf } from '../../../helpers/queue-fixture.ts';

const coded = (code: string, cause?: Error) => Object.assign(new Error('went wrong', { cause }), { code });

describe('networkFailure', () => {
  it.each([
    ['ECONNREFUSED', 'NETWORK'],
    ['ENOTFOUND', 'NETWORK'],
    ['ETIMEDOUT', 'API_TIMEOUT'],
    ['EMFILE', 'HANDLES_USED_UP'],
    ['ENOBUFS', 'HANDLES_USED_UP'],
    ['CERT_HAS_EXPIRED', 'TLS_REFUSED'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'TLS_REFUSED'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'TLS_REFUSED'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'TLS_REFUSED'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'TLS_REFUSED'],
  ])('of %s is %s', (code, expected) => {
    expect(networkFailure(coded(code), 'api.test')).toMatchObject({ code: expected, retryable: true });
  });

  it('says nothing of a certificate when the handshake failed without one', () => {
    expect(networkFailure(coded('ERR_SSL_WRONG_VERSION_NUMBER'), 'api.test')).toMatchObject({
      code: 'TLS_REFUSED',
      message: 'No secure connection to api.test (ERR_SSL_WRONG_VERSION_NUMBER).',
    });
  });

  it('looks for the code on what caused the error', () => {
    const error = new Error('RequestError', { cause: coded('ECONNRESET') });
    expect(networkFailure(error, 'api.test').message).toBe(
      'The connection to api.test dropped before the response was complete (ECONNRESET).',
    );
  });

  it.each(['HPE_INVALID_CONSTANT', 'Z_DATA_ERROR'])('says of %s that something answers', (code) => {
    const failure = networkFailure(coded(code), 'api.test');
    expect(failure).toMatchObject({
      code: 'NETWORK',
      message: `The response from api.test could not be read (${code}).`,
    });
    expect(failure.advice).toContain('the service address');
  });

  it.each([['text'], [undefined], [new Error('x'.repeat(1000))]])(
    'is a failure for anything thrown',
    (error) => {
      const failure = networkFailure(error, 'api.test');
      expect(failure).toMatchObject({ code: 'NETWORK', message: 'No connection to api.test.' });
      expect(failure.detail?.length).toBeLessThanOrEqual(200);
    },
  );
});

describe('other failures without an answer to quote', () => {
  it('name the limit of its size', () => {
    expect(tooLarge('api.test', 8)).toMatchObject({ code: 'API_TOO_LARGE', retryable: true });
  });

  it('say that nothing was sent when an id cannot stand in an address', () => {
    const { code, message, retryable } = badId();
    expect([code, retryable]).toEqual(['VALIDATION', false]);
    expect(message).toContain('Nothing was sent');
  });

  it('say what is wrong with the pages of a list', () => {
    expect(pagingFailure('Get users', 'page 2 contained nothing new')).toMatchObject({
      code: 'API_PAGING',
      message: 'Get users: the list could not be read completely because page 2 contained nothing new.',
    });
  });

  it('name the setting and the other method when the service refuses one', () => {
    const answered = { ...failureOf('VALIDATION'), status: 405, detail: 'Method not allowed' };
    expect(methodRefused('Update user', answered, 'POST', 'PUT')).toEqual({
      code: 'METHOD_REFUSED',
      message: 'Update user: the service does not accept POST (HTTP 405). Nothing was changed.',
      advice: 'Set users.updateMethod to PUT in the settings, and try again.',
      retryable: false,
      status: 405,
      detail: 'Method not allowed',
    });
  });
});
