import { describe, expect, it } from 'vitest';
import {
  describeUpdateFault,
  FeedStatusError,
  readList,
} from '../../../../electron/desktop/updates/update-rules.ts';

const withCode = (code: string): Error => Object.assign(new Error('fault'), { code });

it.each([
  ['another file', withCode('ERR_CHECKSUM_MISMATCH'), 'is not the one that the feed describes'],
  ['a full disk', withCode('ENOSPC'), 'could not be saved on this disk (ENOSPC)'],
  ['a page of a proxy', withCode('ERR_UPDATER_INVALID_VERSION'), 'did not return a release list'],
  ['no list', withCode('ERR_UPDATER_CHANNEL_FILE_NOT_FOUND'), 'answered with 404'],
  ['no signed list', new FeedStatusError(403), 'answered with 403'],
  ['no file', new Error('Cannot download "https://u.example/x", status 410: '), 'answered with 410'],
  [
    'redirects are never followed',
    new Error("Attempted to redirect, but redirect policy was 'error'"),
    'redirects are never followed',
  ],
  ['no network', new Error('net::ERR_INTERNET_DISCONNECTED'), 'could not be reached'],
  ['anything else', 'fault', 'could not be reached'],
])('says %s in a sentence', (_what, fault, sentence) => {
  expect(describeUpdateFault(fault)).toContain(sentence);
  expect(describeUpdateFault(fault)).toMatch(/^[A-Z].*\. It will retry automatically\.$/);
});

describe('the signed list', () => {
  it('is read to its end, and given up where it does not end', async () => {
    let pieces = 0;
    async function* list(most: number) {
      for (pieces = 0; pieces < most; pieces += 1) yield new Uint8Array(1024).fill(0x20);
    }
    expect(await readList(list(3))).toHaveLength(3 * 1024);
    expect(await readList(null)).toBe('');
    const error: unknown = await readList(list(Infinity)).catch((caught: unknown) => caught);
    expect(describeUpdateFault(error)).toContain('too long for a release');
    expect(pieces).toBeLessThan(100);
  });
});
