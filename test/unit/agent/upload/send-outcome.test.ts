import { describe, expect, it } from 'vitest';
import type { PutOutcome } from '../../../../electron/agent/service/signed-put-answer.ts';
import type { Step } from '../../../../electron/agent/queue/outcome.ts';
import { fileOutcome, putProblem } from '../../../../electron/agent/upload/send-outcome.ts';
import type { FailureCode } from '../../../../shared/domain/failure.ts';
import { failureOf } from '../../../helpers/queue-fixture.ts';

const NOW_MS = Date.parse('2026-08-01T12:00:00Z');
const trouble = (outcome: PutOutcome, step: Step = 'object', length = 1000) =>
  putProblem(outcome, { step, host: 'storage.test', name: 'a.mp4', length }, NOW_MS);
const answered = (status: number, more = {}): PutOutcome => ({
  kind: 'answer',
  status,
  text: '',
  sentBytes: 10,
  ...more,
});
const broken = (code: string, sentBytes = 0, wasReused = false): PutOutcome => ({
  kind: 'network',
  code,
  message: 'it broke',
  sentBytes,
  wasReused,
});

describe('fileOutcome', () => {
  it.each([
    ['FILE_CHANGED', 'retry'],
    ['FILE_NO_ACCESS', 'retry'],
    ['FILE_LOCKED', 'retry'],
    ['FILE_READ', 'retry'],
    ['ROOT_OFFLINE', 'retry'],
    ['ROOT_HUNG', 'retry'],
    ['FILE_GONE', 'failed'],
    ['FILE_LINK', 'failed'],
    ['FILE_NOT_REGULAR', 'failed'],
    ['FILE_EMPTY', 'failed'],
    ['FILE_TOO_LARGE', 'failed'],
  ] satisfies [FailureCode, string][])('of %s is %s', (code, kind) => {
    expect(fileOutcome(failureOf(code)).kind).toBe(kind);
  });
});

describe('putTrouble', () => {
  it('is a refusal of the address, and none of the network, when a name leads to a closed one', () => {
    expect(trouble(broken('EADDRCLOSED'))).toMatchObject({
      kind: 'stop',
      outcome: { kind: 'refused', failure: { code: 'URL_REFUSED', retryable: false } },
    });
  });

  it('does not say that a connection dropped that never came about', () => {
    expect(trouble(broken('ENOTFOUND'))).toMatchObject({
      outcome: { failure: { code: 'NETWORK', message: 'No connection to storage.test (ENOTFOUND).' } },
    });
  });

  it('blames nobody when this program has no handles left for a connection', () => {
    expect(trouble(broken('EMFILE'))).toMatchObject({
      kind: 'stop',
      outcome: { kind: 'retry', failure: { code: 'HANDLES_USED_UP' } },
    });
  });

  it.each([200, 201, 204])('is none when storage answered %i', (status) => {
    expect(trouble(answered(status))).toBeUndefined();
  });

  it('is an interruption when the put was aborted', () => {
    expect(trouble({ kind: 'aborted', sentBytes: 3 })).toEqual({
      kind: 'stop',
      outcome: { kind: 'interrupted' },
    });
  });

  it('is what the file makes it when the file was the trouble', () => {
    const failure = failureOf('FILE_CHANGED');
    expect(trouble({ kind: 'source', failure, sentBytes: 3 })).toEqual({
      kind: 'stop',
      outcome: { kind: 'retry', failure },
    });
  });

  it('of a request that could not be made is a refusal: the URL came from the service', () => {
    const failure = failureOf('URL_REFUSED');
    expect(trouble({ kind: 'refused', failure, sentBytes: 0 })).toMatchObject({
      outcome: { kind: 'refused', step: 'object', failure },
    });
  });

  it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'CONNECT_TIMEOUT'])(
    'of %s before the first byte concerns every upload',
    (code) => {
      expect(trouble(broken(code))).toMatchObject({
        kind: 'stop',
        outcome: { kind: 'refused', step: 'object', failure: { code: 'NETWORK' } },
      });
    },
  );

  it.each([
    ['ECONNRESET', 0, false, { kind: 'refused', provenBy: 2 }],
    ['ECONNRESET', 5, false, { kind: 'refused', provenBy: 2 }],
    ['EHOSTUNREACH', 5, false, { kind: 'refused', provenBy: 2 }],
    ['ECONNRESET', 0, true, { kind: 'retry', delayMs: 0 }],
    ['EPIPE', 5, true, { kind: 'retry', delayMs: 0 }],
  ])(
    'of %s after %i bytes (connection used before: %s) may concern this file only',
    (code, bytes, reused, outcome) => {
      expect(trouble(broken(code, bytes, reused))).toMatchObject({
        kind: 'stop',
        outcome: { ...outcome, failure: { code: 'NETWORK' } },
      });
    },
  );

  it.each([
    ['a 403 without a reason', answered(403), 'fresh-url'],
    ['an expired token', answered(400, { xmlCode: 'ExpiredToken' }), 'fresh-url'],
    ['an upload that is gone', answered(404, { xmlCode: 'NoSuchUpload' }), 'no-such-upload'],
  ])('of %s is %s', (_what, outcome, kind) => {
    expect(trouble(outcome)?.kind).toBe(kind);
  });

  it.each([
    ['503', answered(503), 'refused', 'STORAGE_SLOW_DOWN'],
    ['407', answered(407), 'refused', 'PROXY_AUTH'],
    [
      'a wrong signature',
      answered(403, { xmlCode: 'SignatureDoesNotMatch', text: 'no' }),
      'refused',
      'STORAGE_SIGNATURE',
    ],
    ['500', answered(500), 'refused', 'STORAGE_FAULT'],
    [
      'a denial with a reason',
      answered(403, { xmlCode: 'AccessDenied', text: 'no' }),
      'refused',
      'STORAGE_DENIED',
    ],
    ['413', answered(413), 'failed', 'FILE_TOO_LARGE'],
    ['400', answered(400, { text: 'no' }), 'refused', 'STORAGE_REJECTED'],
  ])('of %s ends the run', (_what, outcome, kind, code) => {
    expect(trouble(outcome)).toMatchObject({ kind: 'stop', outcome: { kind, failure: { code } } });
  });

  it.each<[string, Step, number, FailureCode, string]>([
    ['a part', 'part', 1000, 'STORAGE_REJECTED', 'Choose a smaller part size'],
    [
      'a clip that parts can carry',
      'object',
      5_242_881,
      'STORAGE_REJECTED',
      'upload.multipartThresholdBytes',
    ],
    ['a clip as small as a part', 'object', 5_242_880, 'FILE_TOO_LARGE', 'in shorter pieces'],
  ])('of 413 for %s says what helps', (_what, step, length, code, says) => {
    expect(trouble(answered(413), step, length)).toMatchObject({
      outcome: { kind: 'failed', failure: { code, advice: expect.stringContaining(says) } },
    });
  });

  it.each([1000, 5_242_881])(
    'of 413 for a thumbnail of %i bytes says nothing of clips or parts',
    (length) => {
      const target = {
        step: 'object',
        host: 'storage.test',
        name: 'a.jpg',
        length,
        isThumbnail: true,
      } as const;
      expect(putProblem(answered(413), target, NOW_MS)).toMatchObject({
        outcome: {
          kind: 'failed',
          failure: {
            code: 'FILE_TOO_LARGE',
            advice: expect.stringMatching(/^The clip can be sent without it\./),
          },
        },
      });
    },
  );

  it.each([
    ['7', 7_000],
    ['Sat, 01 Aug 2026 12:00:30 GMT', 30_000],
  ])('honours Retry-After %s', (retryAfter, expectedMs) => {
    expect(trouble(answered(503, { retryAfter }))).toMatchObject({
      outcome: { failure: { retryAfterMs: expectedMs } },
    });
  });
});
