import { expect, test } from 'vitest';
import { formatBytes, formatSpeed } from '../../../../shared/lib/bytes.ts';

test.each([
  [0, '0 B'],
  [-5, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [1234, '1.2 kB'],
  [999_949, '999.9 kB'],
  [999_950, '1.0 MB'],
  [100_000_000, '100.0 MB'],
  [999_999_999, '1.0 GB'],
  [200e9, '200.0 GB'],
  [3.2e12, '3.2 TB'],
  [5e18, '5000.0 PB'],
])('writes %d bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test('writes a speed with its unit of time', () => {
  expect(formatSpeed(45_100_000)).toBe('45.1 MB/s');
});
