import { describe, expect, it } from 'vitest';
import {
  bytesDamaged,
  etagMissing,
  fileEmpty,
  fileTooLarge,
  storageNetwork,
} from '../../../../../electron/agent/core/failures/upload-failure.ts';

const MB = 1_000_000;
const HOSTILE = 'door\u202Efile\n.mp4';

describe('fileTooLarge', () => {
  it.each([
    [5_000_000_000, 4_000 * MB, 'gate.mp4 has 5000 MB; at most 4000 MB are taken.'],
    [2_500_000, 2 * MB, 'gate.mp4 has 2.5 MB; at most 2.0 MB are taken.'],
    [12_000_000, 9_990_000, 'gate.mp4 has 12 MB; at most 10.0 MB are taken.'],
  ])('of %i bytes over %i says both', (sizeBytes, limitBytes, message) => {
    expect(fileTooLarge('gate.mp4', sizeBytes, limitBytes)).toMatchObject({
      code: 'FILE_TOO_LARGE',
      message,
      retryable: false,
    });
  });
});

describe('failures of an upload', () => {
  it.each([
    ['BYTES_DAMAGED', true, bytesDamaged(HOSTILE, 'the etag differs')],
    ['FILE_TOO_LARGE', false, fileTooLarge(HOSTILE, 2, 1)],
    ['FILE_EMPTY', false, fileEmpty(HOSTILE)],
    ['NETWORK', true, storageNetwork('storage.test', HOSTILE, 'ECONNRESET', 'reset')],
    ['API_ETAG', true, etagMissing(HOSTILE)],
  ])('%s names the thing with its hidden characters made visible', (code, retryable, failure) => {
    expect(failure).toMatchObject({ code, retryable });
    expect(failure.message).toContain('door<U+202E>file␊.mp4');
    expect(failure.advice).toMatch(/\.$/);
  });

  it('a broken connection names host and code', () => {
    expect(storageNetwork('storage.test:8443', 'a.mp4', 'ECONNRESET', 'socket hang up')).toMatchObject({
      message: 'The connection to storage.test:8443 broke while a.mp4 was sent (ECONNRESET).',
      detail: 'socket hang up',
    });
  });
});
