import { expect, it } from 'vitest';
import { partSizes, readHosts } from '../../../../../renderer/features/settings/upload-limits.ts';

it('a part size from the file that is in no list stays one of the choices, in its place', () => {
  const MIB = 1024 * 1024;
  expect(partSizes(20 * MIB).map(({ mib }) => mib)).toEqual([8, 16, 20, 32, 64, 128, 256, 512]);
  expect(partSizes(16 * MIB)).toHaveLength(7);
  expect(partSizes(undefined)).toHaveLength(7);
});

it('hosts are read from lines and commas; the line that is being begun stays', () => {
  expect(readHosts('a.example.com, *.example.org\nb.example.com\n')).toEqual([
    'a.example.com',
    '*.example.org',
    'b.example.com',
    '',
  ]);
});
