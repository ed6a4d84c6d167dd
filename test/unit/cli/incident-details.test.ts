import { expect, test } from 'vitest';
import { parseIncidentAt, parseText } from '../../../electron/cli/incident-details.ts';

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
  expect(parseIncidentAt(typed)).toEqual({ ok: true, value: time });
});

test.each([
  ['2026-05-01T19:30:05', 'needs Z or an offset'],
  ['2026-02-29T00:00:00Z', 'does not exist'],
  ['2026-13-01T00:00:00Z', 'does not exist'],
  ['2026-05-01T24:00:00Z', 'does not exist'],
  ['2026-05-01T23:60:00Z', 'does not exist'],
  ['2026-05-01T23:00:00+15:00', 'does not exist'],
  ['yesterday', 'takes a time like'],
  ['2026-05-01', 'takes a time like'],
  ['01.05.2026 19:30', 'takes a time like'],
  ['', 'takes a time like'],
])('refuses %j', (typed, reason) => {
  expect(parseIncidentAt(typed)).toEqual({ ok: false, error: expect.stringContaining(reason) });
});

test.each([
  ['--title', '  Gate 4  ', 'Gate 4'],
  ['--title', 'a'.repeat(200), 'a'.repeat(200)],
  ['--description', 'two\nlines\tand a tab', 'two\nlines\tand a tab'],
] as const)('takes %s %j', (option, typed, text) => {
  expect(parseText(option, typed)).toEqual({ ok: true, value: text });
});

test.each([
  ['--title', ' ', 'blank'],
  ['--title', 'a'.repeat(201), 'at most 200'],
  ['--title', 'two\nlines', 'control characters'],
  ['--title', 'bell\u0007', 'control characters'],
  ['--description', 'escape\u001b[2J', 'control characters'],
  ['--description', 'a'.repeat(10_001), 'at most 10000'],
] as const)('refuses %s %j', (option, typed, reason) => {
  expect(parseText(option, typed)).toEqual({ ok: false, error: expect.stringContaining(reason) });
});
