import { expect, test } from 'vitest';
import { parseTime, parseTimeOrDay } from '../../../electron/cli/command.ts';

test.each([
  ['2026-05-01T19:30:05Z', '2026-05-01T19:30:05.000Z'],
  ['2026-05-01T19:30Z', '2026-05-01T19:30:00.000Z'],
  ['2026-05-01T19:30:05.1234567Z', '2026-05-01T19:30:05.123Z'],
  ['2026-05-01T19:30:05.5z', '2026-05-01T19:30:05.500Z'],
  ['2026-05-01T20:30:05+01:00', '2026-05-01T19:30:05.000Z'],
  ['2026-05-01T00:15:00+0530', '2026-04-30T18:45:00.000Z'],
  ['2026-12-31T23:00:00-02:00', '2027-01-01T01:00:00.000Z'],
  ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
])('reads %s as %s', (typed, time) => {
  expect(parseTime('--incident-at', typed)).toBe(time);
});

test.each([
  ['2026-05-01T19:30:05', 'must end in Z or an offset'],
  ['2026-02-29T00:00:00Z', 'is not a valid date or time'],
  ['2026-13-01T00:00:00Z', 'is not a valid date or time'],
  ['2026-05-01T24:00:00Z', 'is not a valid date or time'],
  ['2026-05-01T23:60:00Z', 'is not a valid date or time'],
  ['2026-05-01T23:00:00+15:00', 'is not a valid date or time'],
  ['yesterday', 'must be a time like'],
  ['2026-05-01', 'must be a time like'],
  ['01.05.2026 19:30', 'must be a time like'],
  ['', 'must be a time like'],
])('refuses %j', (typed, reason) => {
  expect(() => parseTime('--incident-at', typed)).toThrow(reason);
});

test.each([
  ['2026-05-01', 'start', '2026-05-01T00:00:00.000Z'],
  ['2026-05-01', 'end', '2026-05-01T23:59:59.999Z'],
  [' 2028-02-29 ', 'end', '2028-02-29T23:59:59.999Z'],
  ['2026-05-01T19:30+02:00', 'end', '2026-05-01T17:30:00.000Z'],
  ['2026-05-01T19:30:05.25Z', 'start', '2026-05-01T19:30:05.250Z'],
] as const)('reads %j as its %s: %s', (typed, bound, time) => {
  expect(parseTimeOrDay('--from', typed, bound)).toBe(time);
});

test.each([
  ['2026-02-29', '--from is not a valid date or time.'],
  ['2026-05-01T19:30', '--from must end in Z or an offset'],
  ['1.5.2026', '--from must be a date like 2026-05-01 or a time like 2026-05-01T19:30:05Z.'],
  ['', '--from must be a date'],
])('refuses %j as a time or a day', (typed, reason) => {
  expect(() => parseTimeOrDay('--from', typed, 'start')).toThrow(reason);
});
