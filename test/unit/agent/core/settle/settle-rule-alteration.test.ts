import { describe, expect, it } from 'vitest';
import {
  alterationText,
  HASHED_AT_ONCE_BYTES,
  isHashedAtIntake,
  judgeAlteration,
} from '../../../../../electron/agent/core/settle/settle-rule.ts';

describe('a file that was sent', () => {
  it.each([
    ['was not touched', { foundSha256: null, foundCtimeNs: '1' }, '1', undefined],
    ['has other rights and the same bytes', { foundSha256: 'aa', foundCtimeNs: '1' }, '2', undefined],
    [
      'has other bytes',
      { foundSha256: 'bb', foundCtimeNs: '1' },
      '2',
      { foundSha256: 'bb', sentSha256: 'aa' },
    ],
    [
      'has other bytes where change times say nothing',
      { foundSha256: 'bb', foundCtimeNs: '1' },
      '1',
      { foundSha256: 'bb', sentSha256: 'aa' },
    ],
    ['was changed and never hashed', { foundSha256: null, foundCtimeNs: '1' }, '2', { sentSha256: 'aa' }],
    ['was found by an earlier version', { foundSha256: null, foundCtimeNs: null }, '2', undefined],
    ['has no change time', { foundSha256: null, foundCtimeNs: '1' }, undefined, undefined],
  ])('%s', (_, found, ctimeNs, altered) => {
    expect(judgeAlteration(found, { sha256: 'aa', ctimeNs })).toEqual(altered);
  });

  it('is described with both sums, or without what is not known', () => {
    expect(alterationText({ foundSha256: 'bb', sentSha256: 'aa' })).toMatch(/as found: bb; as sent: aa/);
    expect(alterationText({ sentSha256: 'aa' })).toMatch(/not hashed when it was found.*as sent: aa/);
  });
});

it.each([
  ['auto', HASHED_AT_ONCE_BYTES - 1, true],
  ['auto', HASHED_AT_ONCE_BYTES, false],
  ['always', HASHED_AT_ONCE_BYTES, true],
  ['never', 1, false],
] as const)('%s hashes a clip of %d bytes before it is queued: %s', (rule, sizeBytes, isHashed) => {
  expect(isHashedAtIntake(rule, sizeBytes)).toBe(isHashed);
});
