import { expect, test } from 'vitest';
import { formatBytes, formatSpeed, formatDuration } from '../../../../shared/lib/readable-amounts.ts';

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

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

test.each([
  [0, '0 s'],
  [-1, '0 s'],
  [30, '0.1 s'],
  [400, '0.4 s'],
  [1400, '1 s'],
  [59.4 * SECOND, '59 s'],
  [59.6 * SECOND, '1 min 00 s'],
  [200 * SECOND, '3 min 20 s'],
  [59 * MINUTE + 59 * SECOND, '59 min 59 s'],
  [65 * MINUTE, '1 h 05 min'],
  [23 * HOUR + 59.6 * MINUTE, '1 d'],
  [51 * HOUR, '2 d 3 h'],
])('writes %d ms as %s', (durationMs, text) => {
  expect(formatDuration(durationMs)).toBe(text);
});
