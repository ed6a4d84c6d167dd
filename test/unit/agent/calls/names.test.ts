import { expect, it } from 'vitest';
import { createNameCalls } from '../../../../electron/agent/calls/create-calls.ts';

const idle = new AbortController().signal;
const calls = createNameCalls();
const tryName = (name: string, rules: { readonly profile?: string; readonly timeZone?: string } = {}) =>
  calls['names.try'].handle({ name, profile: 'auto', clockOffsetSeconds: 0, ...rules }, idle);

it('a pasted name is read by the rules of the form: zone, profile and correction', async () => {
  const name = 'Gate 4 North_2026_05_01_19_30_05.mkv';
  expect(await tryName(name, { timeZone: 'Europe/London' })).toEqual({
    ok: true,
    value: {
      reading: {
        profile: 'nx',
        cameraName: 'Gate 4 North',
        startedAt: { at: '2026-05-01T18:30:05.000Z', confidence: 'medium' },
      },
    },
  });
  const corrected = await calls['names.try'].handle(
    { name, profile: 'nx', timeZone: 'UTC', clockOffsetSeconds: -5 },
    idle,
  );
  expect(corrected).toMatchObject({
    value: { reading: { startedAt: { at: '2026-05-01T19:30:00.000Z' } } },
  });
});

it('a doubled hour says so', async () => {
  expect(await tryName('Gate_2026_10_25_01_30_00.mkv', { timeZone: 'Europe/London' })).toMatchObject({
    value: { reading: { startedAt: { confidence: 'low', note: expect.stringContaining('twice') } } },
  });
});

it('a name that fits nothing has no reading; a zone or profile that is none is refused at its field', async () => {
  expect(await tryName('holiday.mp4', { timeZone: 'UTC' })).toEqual({ ok: true, value: {} });
  expect(await tryName('a.mp4', { timeZone: 'Europe/Lundon' })).toMatchObject({
    ok: false,
    error: { code: 'CONFIG_RANGE', fields: [{ name: 'timeZone' }] },
  });
  expect(await tryName('a.mp4', { timeZone: 'UTC', profile: 'nix' })).toMatchObject({
    ok: false,
    error: { fields: [{ name: 'profile' }] },
  });
});

it('the ways to choose from are those that can be tried', async () => {
  const listed = await calls['names.profiles'].handle({}, idle);
  if (!listed.ok) throw new Error('No profiles');
  expect(listed.value.profiles).toContain('nx');
  for (const profile of listed.value.profiles)
    expect((await tryName('a.mp4', { timeZone: 'UTC', profile })).ok).toBe(true);
});
