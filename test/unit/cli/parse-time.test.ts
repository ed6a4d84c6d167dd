import { expect, test } from 'vitest';
import { parseTimeOrDay } from '../../../electron/cli/parse-time.ts';

test.each([
  ['2026-05-01', 'start', '2026-05-01T00:00:00.000Z'],
  ['2026-05-01', 'end', '2026-05-01T23:59:59.999Z'],
  [' 2028-02-29 ', 'end', '2028-02-29T23:59:59.999Z'],
  ['2026-05-01T19:30+02:00', 'end', '2026-05-01T17:30:00.000Z'],
  ['2026-05-01T19:30:05.25Z', 'start', '2026-05-01T19:30:05.250Z'],
] as const)('reads %j as its %s: %s', (typed, bound, time) => {
  expect(parseTimeOrDay('--from', typed, bound)).toEqual({ ok: true, value: time });
});

test.each([
  ['2026-02-29', '--from names a time that does not exist.'],
  ['2026-05-01T19:30', '--from needs Z or an offset'],
  ['1.5.2026', '--from takes a date like 2026-05-01 or a time like 2026-05-01T19:30:05Z.'],
  ['', '--from takes a date'],
])('refuses %j', (typed, reason) => {
  expect(parseTimeOrDay('--from', typed, 'start')).toEqual({
    ok: false,
    error: expect.stringContaining(reason),
  });
});
