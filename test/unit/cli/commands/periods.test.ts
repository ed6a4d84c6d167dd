import { expect, test } from 'vitest';
import type { Period } from '../../../../shared/domain/action.ts';
import { failure } from '../fake-deps.ts';
import { runLine } from '../run-line.ts';

const derby: Period = {
  id: 31,
  name: 'City – United',
  startAt: '2026-05-01T17:00:00.000Z',
  endAt: '2026-05-01T22:30:00.000Z',
  createdAt: '2026-04-01T08:00:00.000Z',
  markers: [
    { name: 'Doors', at: '2026-05-01T17:00:00.000Z' },
    { name: 'Clearing', at: '2026-05-02T01:00:00.000Z' },
    { name: 'Open end' },
  ],
};
const hostile: Period = { id: 'p-2', name: '=1+1\u202e\u001b[2J', markers: [] };

test('lists periods with times to the minute, markers and a count', async () => {
  const { exit, lines, stderr, calls } = await runLine('periods', { periods: [derby, hostile] });
  expect(lines).toEqual([
    'ID   NAME              START (UTC)       END    MARKERS',
    '31   City – United     2026-05-01 17:00  22:30  Doors 17:00, Clearing 2026-05-02 01:00, Open end',
    'p-2  =1+1<U+202E>␛[2J',
    '',
    '2 periods.',
  ]);
  expect(calls).toEqual([['periods.list', {}]]);
  expect([exit, stderr]).toEqual([0, '']);
});

test('an end on another day has its date', async () => {
  const { lines } = await runLine('periods', { periods: [{ ...derby, endAt: '2026-05-02T02:00:00.000Z' }] });
  expect(lines[1]).toContain('  2026-05-01 17:00  2026-05-02 02:00  ');
});

test('asks for a range in UTC', async () => {
  const { calls } = await runLine('periods --from 2026-05-01 --to 2026-05-02T02:00+02:00');
  const range = { startAt: '2026-05-01T00:00:00.000Z', endAt: '2026-05-02T00:00:00.000Z' };
  expect(calls).toEqual([['periods.list', range]]);
});

test('fits a terminal of 80 columns, and is not cut in a pipe', async () => {
  const { lines } = await runLine('periods', { periods: [derby], columns: 80 });
  expect(Math.max(...lines.map((line) => line.length))).toBe(80);
  expect(lines[1]).toBe('31  City – United  2026-05-01 17:00  22:30  Doors 17:00, Clearing 2026-05-02 01…');
});

test('--json gives the periods as they are', async () => {
  const { stdout } = await runLine('periods --json', { periods: [derby, hostile] });
  expect(JSON.parse(stdout)).toEqual([derby, hostile]);
  expect(stdout).not.toContain('\u202e');
  expect(await runLine('periods --json')).toMatchObject({ stdout: '[]\n' });
});

test('--csv has whole times, and guards names that look like formulas', async () => {
  const { stdout } = await runLine('periods --csv', { periods: [derby, hostile] });
  expect(stdout.slice(1).split('\r\n')).toEqual([
    '"id","name","startAt","endAt","createdAt","updatedAt","markers"',
    '"31","City – United","2026-05-01T17:00:00.000Z","2026-05-01T22:30:00.000Z","2026-04-01T08:00:00.000Z","","Doors 2026-05-01T17:00:00.000Z; Clearing 2026-05-02T01:00:00.000Z; Open end"',
    `"p-2","'=1+1<U+202E>␛[2J","","","","",""`,
    '',
  ]);
});

test.each([
  ['NOT_FOUND', 1],
  ['VALIDATION', 1],
  ['METHOD_REFUSED', 1],
  ['API_PAGING', 12],
  ['KEY_REFUSED', 11],
  ['PERMISSION_MISSING', 11],
  ['NETWORK', 12],
  ['SERVICE_FAULT', 12],
  ['CONFIG_RANGE', 10],
] as const)('%s ends with %d', async (code, exit) => {
  const result = await runLine('periods', { failure: failure(code) });
  expect(result).toMatchObject({ exit, stdout: '', stderr: `${code}: ${code} happened. Do something.\n` });
});

test('tells a failure to a program too, with everything that is known of it', async () => {
  const fields = [{ name: 'start_date', text: 'is \u001b[2J wrong' }];
  const { stdout, stderr } = await runLine('periods --json', {
    failure: { ...failure('VALIDATION'), status: 422, fields },
  });
  expect(JSON.parse(stdout)).toEqual({
    event: 'error',
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    ...failure('VALIDATION'),
    status: 422,
    fields,
  });
  expect(stderr).toBe('VALIDATION: VALIDATION happened. Do something.\n  start_date: is ␛[2J wrong\n');
});

test('does not say twice what is wrong with a field', async () => {
  const fields = [{ name: 'start_date', text: 'VALIDATION happened' }];
  const { stderr } = await runLine('periods', { failure: { ...failure('VALIDATION'), fields } });
  expect(stderr).toBe('VALIDATION: VALIDATION happened. Do something.\n');
});

test('ends with 10 and asks nothing when the configuration is wrong', async () => {
  const { exit, stderr, calls } = await runLine('periods', { settings: { baseUrl: 'ftp://a' } });
  expect(exit).toBe(10);
  expect(stderr).toMatch(/^CONFIG_/);
  expect(calls).toEqual([]);
});
