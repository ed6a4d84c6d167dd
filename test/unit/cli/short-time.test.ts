import { expect, test } from 'vitest';
import { shortTime } from '../../../electron/cli/short-time.ts';

test.each([
  ['2026-05-01T19:30:05.123Z', '2026-05-01 19:30'],
  ['2026-05-01T19:30:05Z', '2026-05-01 19:30'],
  ['2026-05-01T19:30:05+00:00', '2026-05-01 19:30'],
  // Another zone is said, not dropped
  ['2026-05-01T19:30:05+02:00', '2026-05-01T19:30:05+02:00'],
  ['soon', 'soon'],
  [undefined, ''],
])('shows %s as %s', (time, text) => {
  expect(shortTime(time)).toBe(text);
});
