import { describe, expect, it } from 'vitest';
import {
  failureInList,
  failureOf,
  partSizes,
  proxyUrlOf,
  proxyWay,
  proxyWays,
  readHosts,
} from '../../../../../renderer/features/settings/use-settings-form.ts';
import type { Failure } from '../../../../../shared/domain/failure.ts';

it('a part size from the file that is in no list stays one of the choices, in its place', () => {
  const MIB = 1024 * 1024;
  expect(partSizes(20 * MIB).map(({ mib }) => mib)).toEqual([5, 8, 16, 20, 32, 64, 128, 256, 512]);
  expect(partSizes(16 * MIB)).toHaveLength(8);
  expect(partSizes(undefined)).toHaveLength(8);
});

it('hosts are read from lines and commas; the line that is being begun stays', () => {
  expect(readHosts('a.example.com, *.example.org\nb.example.com\n')).toEqual([
    'a.example.com',
    '*.example.org',
    'b.example.com',
    '',
  ]);
});

const failure: Failure = {
  code: 'CALL_INPUT',
  message: '',
  advice: '',
  retryable: false,
  fields: [
    { name: 'change.watch.1.settleSeconds', text: 'too small' },
    { name: 'upload.concurrentFiles', text: 'is 99' },
    { name: 'change.proxy.bypass.2', text: 'is no host' },
  ],
};

describe('what was said about a setting', () => {
  it('stands at its field, however the refusal spells it, and at no other', () => {
    expect(failureOf(failure, 'watch[1].settleSeconds')).toBe('too small');
    expect(failureOf(failure, 'upload.concurrentFiles')).toBe('is 99');
    expect(failureOf(failure, 'watch[0].settleSeconds')).toBeUndefined();
    expect(failureOf(undefined, 'baseUrl')).toBeUndefined();
  });

  it('stands at the list when it is about one of its entries', () => {
    expect(failureInList(failure, 'proxy.bypass')).toBe('is no host');
    expect(failureInList(failure, 'upload.hosts')).toBeUndefined();
  });
});

it.each(proxyWays)('the choice %s is found again in what it writes', (way) => {
  expect(proxyWay(proxyUrlOf(way))).toBe(way);
});

it('an address stays one while it is typed', () => {
  expect(['', 'h', 'http://proxy.example.com'].map(proxyWay)).toEqual(['address', 'address', 'address']);
});
