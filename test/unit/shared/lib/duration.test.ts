import { expect, test } from 'vitest';
import { formatDuration } from '../../../../shared/lib/duration.ts';

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
  [23 * HOUR + 59.6 * MINUTE, '1 d 0 h'],
  [51 * HOUR, '2 d 3 h'],
])('writes %d ms as %s', (durationMs, text) => {
  expect(formatDuration(durationMs)).toBe(text);
});
