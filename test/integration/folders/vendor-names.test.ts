import { execFileSync } from 'node:child_process';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { incidentOf, startFolderBench, videoOf, warningCodes } from './folder-bench.ts';
import { long } from '../../helpers/long.ts';

// Several agents run at the same time here, on machines that may be busy
vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

/** Names and their meaning in London, in summer and in the hour that occurs twice: camera, start, end. */
const londonNames: readonly (readonly [string, string | undefined, string, string?])[] = [
  [
    'NVR_ch1_main_20260501193005_20260501193205.dav',
    'Channel 1',
    '2026-05-01T18:30:05',
    '2026-05-01T18:32:05',
  ],
  [
    'XVR_ch12_main_20260604130000_20260604135959_camera2.avi',
    undefined,
    '2026-06-04T12:00:00',
    '2026-06-04T12:59:59',
  ],
  [
    'front_door_20260501_193005-20260501_193205_a1b2c3.mp4',
    'front_door',
    '2026-05-01T18:30:05',
    '2026-05-01T18:32:05',
  ],
  ['Gate 4 North_2026_05_01_19_30_05.avi', 'Gate 4 North', '2026-05-01T18:30:05'],
  ['Lobby_2026_01_05_7PM_30_05.avi', 'Lobby', '2026-01-05T19:30:05'],
  ['Gate 4_2026-05-01T18-30-05Z.avi', 'Gate 4', '2026-05-01T18:30:05'],
  [
    'north-stand_20260501T193005+0100_20260501T193205+0100.avi',
    'north-stand',
    '2026-05-01T18:30:05',
    '2026-05-01T18:32:05',
  ],
  ['Turnstile 7 - 2026-05-01 19-30-05.avi', 'Turnstile 7', '2026-05-01T18:30:05'],
  // 01:30 occurred twice on the 25th: the earlier one
  ['Ramp_2026_10_25_01_30_00.avi', 'Ramp', '2026-10-25T00:30:00'],
  // from the first 01:50 into the second 01:10
  ['Stand_20261025_015000-20261025_011000_d4e5f6.mp4', 'Stand', '2026-10-25T00:50:00', '2026-10-25T01:10:00'],
  // an hour that did not exist on 29 March
  ['Tunnel_2026_03_29_01_30_00.avi', 'Tunnel', '2026-03-29T01:30:00'],
];

test('names of several vendors become camera, start and end, in the zone of the watched folder', async (context) => {
  const files = Object.fromEntries(londonNames.map(([name]) => [`Match/${name}`, 400]));
  const bench = await startFolderBench(context, { files, watch: { timeZone: 'Europe/London' } });
  await bench.untilIdle();
  await bench.expectWhole();
  for (const [name, camera, start, end] of londonNames) {
    const video = await videoOf(bench, `Match/${name}`);
    expect([video?.started_at, video?.ended_at], name).toEqual([`${start}.000Z`, end && `${end}.000Z`]);
    if (camera !== undefined) expect(video?.camera_name, name).toBe(camera);
    else expect(video?.camera_id, name).toBe('12');
  }
  expect(warningCodes(bench, 'Match')).toEqual(
    expect.arrayContaining(['TIME_DOUBLED', 'TIME_MISSING_HOUR', 'NEEDS_VENDOR_PLAYER']),
  );
  // service.md gap 31: without a time in the folder's name, the earliest clip gives the time
  expect((await incidentOf(bench, 'Match/x'))?.incident_at).toBe('2026-01-05T19:30:05.000Z');
});

test.concurrent(
  'another zone and a clock offset move the times of names, and nothing else',
  long(),
  async (context) => {
    const bench = await startFolderBench(context, {
      files: { 'Gate/Gate_2026_05_01_19_30_05.avi': 400, 'Gate/Ramp_2026-05-01T18-30-05Z.avi': 400 },
      watch: { timeZone: 'America/New_York', clockOffsetSeconds: -37 },
    });
    await bench.untilIdle();
    expect((await videoOf(bench, 'Gate/Gate_2026_05_01_19_30_05.avi'))?.started_at).toBe(
      '2026-05-01T23:29:28.000Z',
    );
    expect((await videoOf(bench, 'Gate/Ramp_2026-05-01T18-30-05Z.avi'))?.started_at).toBe(
      '2026-05-01T18:29:28.000Z',
    );
  },
);

test.concurrent(
  'a profile that is set reads its own names only; one that does not exist is named',
  long(),
  async (context) => {
    const files = { 'Gate/Gate_2026_05_01_19_30_05.avi': 400 };
    const [set, unknown] = await Promise.all(
      ['dahua', 'milestnoe'].map((profile) => startFolderBench(context, { files, watch: { profile } })),
    );
    for (const bench of [set, unknown]) await bench?.untilIdle();
    const starts: unknown[] = [];
    for (const bench of [set, unknown]) {
      const video = bench && (await videoOf(bench, 'Gate/Gate_2026_05_01_19_30_05.avi'));
      starts.push(video?.started_at);
    }
    expect(starts.map((startedAt) => startedAt === undefined)).toEqual([true, false]);
    expect(unknown && warningCodes(unknown, 'Gate')).toEqual(['PROFILE_UNKNOWN']);
  },
);

// Section 3 "Intake": duration, so ended_at follows
test.concurrent('the length of real clips gives their end', long(), async (context) => {
  const files = {
    'Gate/Gate 4_2026_05_01_19_30_05.mp4': { fixture: 'gate-4-north.mp4' },
    'Gate/Car park_2026_05_01_19_30_05.mp4': { fixture: 'car-park.mp4' },
    'Gate/Concourse_2026_05_01_19_30_05.mkv': { fixture: 'concourse.mkv' },
    'Gate/Corridor_2026_05_01_19_30_05.mp4': { fixture: 'corridor-fragmented.mp4' },
  };
  const bench = await startFolderBench(context, { files, watch: { timeZone: 'UTC' } });
  await bench.untilIdle();
  await bench.expectWhole();
  for (const path of Object.keys(files)) {
    const video = await videoOf(bench, path);
    expect(video?.started_at, path).toBe('2026-05-01T19:30:05.000Z');
    const seconds = (Date.parse(video?.ended_at ?? '') - Date.parse('2026-05-01T19:30:05Z')) / 1000;
    expect(seconds, path).toBeGreaterThan(2);
    expect(seconds, path).toBeLessThan(20);
  }
  expect((await videoOf(bench, 'Gate/Gate 4_2026_05_01_19_30_05.mp4'))?.ended_at).toBe(
    '2026-05-01T19:30:09.000Z',
  );
  expect((await videoOf(bench, 'Gate/Car park_2026_05_01_19_30_05.mp4'))?.ended_at).toBe(
    '2026-05-01T19:30:11.000Z',
  );
});

test.concurrent('input A32: clips of 1970 and 2099 are sent, and their odd times are flagged', async (context) => {
  const files = { '1970/a.avi': 400, '2099/b.avi': 400, 'Before/c.avi': 400 };
  const bench = await startFolderBench(context, {
    files,
    async prepare(root) {
      await utimes(join(root, '1970/a.avi'), 0, 0);
      await utimes(join(root, '2099/b.avi'), 4_070_908_800, 4_070_908_800);
      execFileSync('touch', ['-d', '1960-01-01', join(root, 'Before/c.avi')]);
    },
  });
  await bench.untilIdle();
  await bench.expectWhole();
  for (const folder of ['1970', '2099', 'Before'])
    expect(warningCodes(bench, folder)).toContain('FILE_TIME_UNLIKELY');
  for (const path of Object.keys(files)) expect(await videoOf(bench, path)).not.toHaveProperty('started_at');
});

test.concurrent('an image with the stem of a clip is its thumbnail; others are not sent', async (context) => {
  const files = {
    'Gate/a.mp4': { fixture: 'turnstile-7.mp4' },
    'Gate/a.jpg': { fixture: 'car-park.jpg' },
    'Gate/b.avi': 500,
    'Gate/b.avi.png': 600,
    'Gate/sub/a.avi': 700,
    'Gate/plan.jpg': { fixture: 'concourse.jpg' },
  };
  const bench = await startFolderBench(context, { files });
  await bench.untilIdle();
  await bench.expectWhole();
  const keyOf = async (path: string) => (await videoOf(bench, path))?.storage_thumbnail_key;
  expect(await keyOf('Gate/a.mp4')).toMatch(/a-[0-9a-f]{8}\.jpg$/);
  expect(await keyOf('Gate/b.avi')).toMatch(/b_avi-[0-9a-f]{8}\.png$/);
  expect(await keyOf('Gate/sub/a.avi')).toBeUndefined();
  expect(
    (await bench.simulator.objects()).map(({ key }) => key).filter((key) => key.includes('plan')),
  ).toEqual([]);
  const { clipId } = await bench.ids('Gate/a.mp4');
  expect(bench.simulator.requests.of('getUploadUrls', { fileId: `${clipId}-thumbnail` })).toHaveLength(1);
});

/** Path, camera, start, end, in Berlin in winter. */
const folders: readonly (readonly [string, string | undefined, string | undefined, string?])[] = [
  ['Yard/2026-01-05/07-08-09.avi', 'Yard', '2026-01-05T06:08:09'],
  [
    '2026-01-05/001/dav/08/08.00.00-08.59.59[M][0@0][0].dav',
    'Channel 1',
    '2026-01-05T07:00:00',
    '2026-01-05T07:59:59',
  ],
  ['2026/01/05/18/0530-0A000100.ps', undefined, '2026-01-05T17:05:30'],
  ['North gate/2026/01/05/18/North gate_05.h264.1', 'North gate', '2026-01-05T18:05:00'],
  ['20260105/09244102D.DSF', 'Channel 3', '2026-01-05T08:24:41'],
  ['ch01_00000000229000000.avi', 'Channel 1', undefined],
  ['phone/VID_20260105_051351.mp4', undefined, '2026-01-05T04:13:51'],
  ['WhatsApp Video 2026-01-05 at 21.11.05.mp4', undefined, undefined],
];

test('folders of several systems carry cameras, dates and hours, and nothing that nobody states', async (context) => {
  const indexes = { '2026/01/05/18/0530-0A000100.psi': 50, '20260105/09244102D.INX': 50 };
  const files = Object.fromEntries(folders.map(([path], index) => [path, 400 + index]));
  const all = Object.entries({ ...files, ...indexes }).map(([path, size]) => [`Match/${path}`, size]);
  const bench = await startFolderBench(context, {
    files: Object.fromEntries(all) as Record<string, number>,
    watch: { timeZone: 'Europe/Berlin' },
  });
  await bench.untilIdle();
  await bench.expectExactly(await Promise.all(folders.map(([path]) => bench.note(`Match/${path}`))));
  for (const [path, camera, start, end] of folders) {
    const video = await videoOf(bench, `Match/${path}`);
    const said = [video?.camera_name, video?.started_at, video?.ended_at];
    expect(said, path).toEqual([camera, start && `${start}.000Z`, end && `${end}.000Z`]);
  }
});

test('nothing of a Milestone project is sent, and it is said what to do', async (context) => {
  const bench = await startFolderBench(context, {
    files: {
      'Fight/SmartClient-Player.exe': 500,
      'Fight/Client Files/Data/block0.blk': 500,
      'Fight/Client Files/Project.scp': 90,
      'Good/a.avi': 400,
    },
  });
  await bench.untilIdle();
  await bench.expectExactly([await bench.note('Good/a.avi')]);
  const state = bench.of('export.state').find(({ state: at }) => at === 'unrecognised');
  expect(state).toMatchObject({ folder: 'Fight' });
  expect(`${state?.message} ${state?.advice}`).toMatch(/XProtect format.*as MP4 or MKV/);
});

test(
  'clips beside a Milestone project are sent, and no second export is asked for',
  long(),
  async (context) => {
    const files = { 'Fight/Client Files/Project.scp': 90, 'Fight/Media player format/Gate 4.avi': 400 };
    const bench = await startFolderBench(context, { files });
    await bench.untilIdle();
    await bench.expectWhole();
    const [warning] = bench.of('warning');
    expect(warning).toMatchObject({ code: 'PROJECT_NOT_SENT' });
    expect(warning?.message).toContain('The clips beside it are sent.');
    expect(warning?.message).not.toContain('Export the incident again');
  },
);
