import { afterAll, beforeAll, expect, it } from 'vitest';
import { createNameCalls } from '../../../../electron/agent/calls/names.ts';
import { createSiteRules } from '../../../../electron/agent/core/naming/recognisers.ts';
import { settingsSchema } from '../../../../shared/domain/settings.ts';
import { clipRow, incidentRow, openQueue, type QueueFixture } from '../../../helpers/queue-fixture.ts';

const idle = new AbortController().signal;
let queue: QueueFixture;
let calls: ReturnType<typeof createNameCalls>;
const settings = settingsSchema.parse({
  patterns: [
    {
      name: 'doors',
      template: 'door {camera}@{epoch}',
      folder: '/exports',
      samples: ['door A@1777660205.mp4'],
    },
  ],
});
beforeAll(async () => {
  queue = await openQueue();
  calls = createNameCalls({ db: queue.db, config: { settings }, site: createSiteRules(settings) });
});
afterAll(() => queue.close());
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

it('a pattern of the desk counts in the folder that it is for, and is offered as a profile', async () => {
  const name = 'door A@1777660205.mp4';
  const input = { name, profile: 'auto', timeZone: 'UTC', clockOffsetSeconds: 0 };
  expect(await calls['names.try'].handle({ ...input, folder: '/exports' }, idle)).toMatchObject({
    value: { reading: { profile: 'doors', cameraName: 'A', startedAt: { at: '2026-05-01T18:30:05.000Z' } } },
  });
  expect(await calls['names.try'].handle({ ...input, folder: '/other' }, idle)).toEqual({
    ok: true,
    value: {},
  });
  expect(await calls['names.profiles'].handle({}, idle)).toMatchObject({
    value: { profiles: expect.arrayContaining(['doors', 'nx']) },
  });
});

it('a preview of a pattern shows each part, both times, and how many clips it would read differently', async () => {
  queue.tables.incidents.insert(incidentRow({ rootPath: '/exports', exportPath: 'Fight' }));
  const paths = ['Gate 4_2026_05_01_19_30_05.mkv', 'x/1_2_20260501_193005.mp4', 'holiday.mp4'];
  for (const [index, path] of paths.entries()) queue.tables.clips.insert(clipRow({ id: `c${index}`, path }));
  const [watch] = settingsSchema.parse({ watch: [{ path: '/exports', timeZone: 'Europe/London' }] }).watch;
  const [pattern] = settingsSchema.parse({
    patterns: [
      {
        name: 'own',
        template: '{number}_{camera}_{date:YYYYMMDD}_{time:HHmmss}',
        samples: ['1_Gate_20260501_193005.mp4', 'x.mp4', '1_Gate_20261301_193005.mp4'],
      },
    ],
  }).patterns;
  if (watch === undefined || pattern === undefined) throw new Error('no settings');
  const answer = await calls['names.preview'].handle({ pattern, watch }, idle);
  expect(answer).toMatchObject({
    value: {
      samples: [
        {
          fits: 'yes',
          parts: [{ kind: 'camera', from: 2, to: 6 }, {}, {}, {}, {}, {}, {}],
          reading: { cameraName: 'Gate', startedAt: { at: '2026-05-01T18:30:05.000Z' } },
          local: '2026-05-01 19:30:05',
        },
        { fits: 'no', parts: [] },
        { fits: 'no-time' },
      ],
      looked: 3,
      different: 1,
      examples: ['Fight/x/1_2_20260501_193005.mp4'],
    },
  });
  const wrong = { ...pattern, template: '{camera' };
  expect(await calls['names.preview'].handle({ pattern: wrong, watch }, idle)).toMatchObject({
    value: { problem: expect.stringContaining('brace'), looked: 0 },
  });
});

it('lists the cameras that nobody has named, the most frequent first', async () => {
  const fresh = await openQueue();
  fresh.tables.incidents.insert(incidentRow());
  const cameras = [
    ['Gate 4', 'gate-4', 'file-name'],
    ['Gate 4', 'gate-4', 'file-name'],
    [null, '7', 'file-name'],
    ['Named', 'n', 'registry'],
    ['Written', 'w', 'sidecar'],
  ] as const;
  for (const [index, [cameraName, cameraId, source]] of cameras.entries()) {
    const sources = JSON.stringify({ cameraName: { source, confidence: 'low' } });
    fresh.tables.clips.insert(
      clipRow({ id: `u${index}`, path: `${index}.mp4`, cameraName, cameraId, sources }),
    );
  }
  const unnamed = createNameCalls({ db: fresh.db, config: { settings } });
  expect(await unnamed['cameras.unnamed'].handle({}, idle)).toEqual({
    ok: true,
    value: {
      cameras: [
        { cameraName: 'Gate 4', cameraId: 'gate-4', clips: 2 },
        { cameraId: '7', clips: 1 },
      ],
    },
  });
  await fresh.close();
});
