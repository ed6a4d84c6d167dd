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
    [5_000_000_000, 4_000 * MB, 'Too large: 5000 MB, the limit is 4000 MB.'],
    [2_500_000, 2 * MB, 'Too large: 2.5 MB, the limit is 2.0 MB.'],
    [12_000_000, 9_990_000, 'Too large: 12 MB, the limit is 10.0 MB.'],
  ])('of %i bytes over %i says both', (sizeBytes, limitBytes, message) => {
    expect(fileTooLarge(sizeBytes, limitBytes)).toMatchObject({
      code: 'FILE_TOO_LARGE',
      message,
      retryable: false,
    });
  });
});

describe('failures of an upload', () => {
  it.each([
    ['BYTES_DAMAGED', true, bytesDamaged(HOSTILE, 'the etag differs')],
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
