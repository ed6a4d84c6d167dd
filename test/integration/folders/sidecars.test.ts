import { open, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { incidentOf, startFolderBench, videoOf, warningCodes } from './folder-bench.ts';

// Several agents run at the same time here, on machines that may be busy
vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const clip = 'Gate 4 North_2026_05_01_19_30_05.mkv';
const example = {
  schema_version: 1,
  external_id: 'VMS-2026-0042',
  title: 'Pitch invasion, Gate 4',
  description: 'Two persons over the barrier',
  incident_at: '2026-05-01T19:30:05Z',
  longitude: -0.2795,
  latitude: 51.556,
  timezone: 'Europe/London',
  tags: ['north'],
  vms: 'Any VMS',
  unknown_key: { kept: true },
  videos: [
    {
      file: clip,
      camera_id: 'GATE4N',
      camera_name: 'Gate Four',
      camera_description: 'PTZ over turnstiles',
      camera_longitude: -0.2796,
      camera_latitude: 51.5561,
      started_at: '2026-05-01T18:30:00Z',
      ended_at: '2026-05-01T18:32:00Z',
      thumbnail: 'thumbs/gate4n.jpg',
    },
  ],
};

// service.md gap 31
test.concurrent('incident.json wins over the names of folder and files', async (context) => {
  const files = {
    [`2026-04-30 Wrong title/${clip}`]: { fixture: 'concourse.mkv' },
    '2026-04-30 Wrong title/thumbs/gate4n.jpg': { fixture: 'concourse.jpg' },
    '2026-04-30 Wrong title/incident.json': JSON.stringify(example),
  };
  const bench = await startFolderBench(context, { files, watch: { timeZone: 'Europe/Paris' } });
  await bench.untilIdle();
  await bench.expectWhole();
  const path = `2026-04-30 Wrong title/${clip}`;
  expect(await incidentOf(bench, path)).toMatchObject({
    title: 'Pitch invasion, Gate 4',
    description: 'Two persons over the barrier',
    incident_at: '2026-05-01T19:30:05.000Z',
    longitude: -0.2795,
    latitude: 51.556,
  });
  expect(await videoOf(bench, path)).toMatchObject({
    camera_id: 'GATE4N',
    camera_name: 'Gate Four',
    camera_description: 'PTZ over turnstiles',
    camera_longitude: -0.2796,
    camera_latitude: 51.5561,
    started_at: '2026-05-01T18:30:00.000Z',
    ended_at: '2026-05-01T18:32:00.000Z',
    storage_thumbnail_key: expect.stringMatching(/gate4n-[0-9a-f]{8}\.jpg$/),
  });
});

// service.md gap 11
test.concurrent('the id of incident.json is the id of the incident, once', async (context) => {
  const bench = await startFolderBench(context, {
    files: {
      'A/a.avi': 300,
      'A/incident.json': '{"id": "CASE-42"}',
      'B/b.avi': 400,
      'B/incident.json': '{"id": "CASE-42"}',
    },
  });
  await bench.untilIdle();
  const { incidentId } = await bench.ids('B/b.avi');
  expect([...bench.simulator.incidents().keys()].toSorted()).toEqual(['CASE-42', incidentId].toSorted());
  expect(warningCodes(bench, 'B')).toEqual(['SIDECAR_SHAPE']);
  expect(bench.of('clip.uploaded')).toHaveLength(2);
});

const utf16 = (text: string, swap: boolean) => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return swap ? bytes.swap16() : bytes;
};
const titled = (rest: string) => `{"title": "Kept out", ${rest}}`;

/** The content of a sidecar, and the code of the warning about it; none if it can be read. */
const oddities: Readonly<Record<string, readonly [string | Buffer, string?]>> = {
  'C1 no JSON at all': ['title = Gate 4', 'SIDECAR_UNREADABLE'],
  'C1 empty': [' ', 'SIDECAR_UNREADABLE'],
  'C1 a list': ['["Gate 4"]', 'SIDECAR_SHAPE'],
  'C2 cut off': ['{"title": "Gate', 'SIDECAR_UNREADABLE'],
  'C3 UTF-8 BOM': ['\ufeff{"title": "Read"}'],
  'C3 UTF-16LE': [utf16('{"title": "Read"}', false)],
  'C3 UTF-16BE': [utf16('{"title": "Read"}', true)],
  'C4 Latin-1': [Buffer.from('{"title": "Caf\u00e9"}', 'latin1'), 'SIDECAR_ENCODING'],
  'C6 entities': ['<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>', 'SIDECAR_UNREADABLE'],
  'C7 prototype': [
    '{"title": "Read", "__proto__": {"title": "Evil"}, "constructor": {"prototype": {"x": 1}}}',
  ],
  'C8 twice': ['{"title": "One", "title": "Two"}', 'SIDECAR_DUPLICATE_KEY'],
  'C9 large number': [titled('"longitude": 9007199254740993'), 'SIDECAR_NUMBER'],
  'C9 infinite number': [titled('"longitude": 1e400'), 'SIDECAR_NUMBER'],
  'C9 out of range': [titled('"longitude": 181'), 'SIDECAR_SHAPE'],
  'C10 no such day': [titled('"incident_at": "2026-02-31T10:00:00Z"'), 'SIDECAR_DATE'],
  'C10 other form': [titled('"incident_at": "31.02.2026"'), 'SIDECAR_DATE'],
  'C10 seconds': [titled('"incident_at": 1777660205'), 'SIDECAR_DATE'],
  'C12 nested': [`{"title": ${'['.repeat(100_000)}`, 'SIDECAR_TOO_DEEP'],
  'C13 outside': [titled('"videos": [{"file": "../../x.mp4"}]'), 'SIDECAR_PATH'],
  'C13 absolute': [titled('"videos": [{"file": "/etc/passwd"}]'), 'SIDECAR_PATH'],
  'C id as a path': [titled('"id": "../../users"'), 'SIDECAR_SHAPE'],
  'C wrong type': [titled('"description": ["a"]'), 'SIDECAR_SHAPE'],
};

test('input C1, input C2, input C3, input C4, input C6, input C7, input C8, input C9, input C10, input C12, input C13: a sidecar that is broken or odd is named with a code, and its clips are sent all the same', async (context) => {
  const folders = Object.keys(oddities);
  const clips = Object.fromEntries(folders.map((folder) => [`${folder}/a.avi`, 300]));
  const sidecars = Object.fromEntries(
    folders.map((folder) => [`${folder}/incident.json`, oddities[folder]?.[0] ?? '']),
  );
  const bench = await startFolderBench(context, { files: { ...clips, ...sidecars } });
  await bench.untilIdle();
  await bench.expectWhole(clips);
  const said = Object.fromEntries(folders.map((folder) => [folder, warningCodes(bench, folder)]));
  expect(said).toEqual(
    Object.fromEntries(folders.map((folder) => [folder, [oddities[folder]?.[1] ?? []].flat()])),
  );
  for (const folder of folders) {
    const title = (await incidentOf(bench, `${folder}/a.avi`))?.title;
    const isRead = String(oddities[folder]?.[0]).replaceAll('\0', '').includes('Read');
    expect(title, folder).toBe(isRead ? 'Read' : folder);
  }
  const raw = bench
    .of('warning')
    .filter(({ code }) => code === 'SIDECAR_DATE')
    .map(({ message }) => message);
  for (const text of ['2026-02-31T10:00:00Z', '31.02.2026', '1777660205'])
    expect(raw.join(' ')).toContain(text);
});

test.concurrent('input C5: a sidecar of 100 MB is not read', async (context) => {
  const bench = await startFolderBench(context, {
    files: { 'Gate 4/a.avi': 300 },
    async prepare(root) {
      const path = join(root, 'Gate 4/incident.json');
      await (await open(path, 'w')).close();
      await truncate(path, 100_000_000);
    },
  });
  await bench.untilIdle();
  await bench.expectWhole();
  expect(warningCodes(bench, 'Gate 4')).toEqual(['SIDECAR_TOO_LARGE']);
});

// The service may refuse a clip that ends before it starts; one wrong time must not hold up the record
test.concurrent('input C11: a clip that ends before it starts, or after 400 years, is listed with a warning', async (context) => {
  const said = (ended_at: string) =>
    JSON.stringify({ videos: [{ file: 'a.avi', started_at: '2026-05-01T19:30:05Z', ended_at }] });
  const bench = await startFolderBench(context, {
    files: {
      'Backwards/a.avi': 300,
      'Backwards/incident.json': said('2026-05-01T19:30:00Z'),
      'Centuries/a.avi': 300,
      'Centuries/incident.json': said('2426-05-01T19:30:00Z'),
    },
  });
  await bench.untilIdle();
  await bench.expectWhole();
  expect(warningCodes(bench, 'Backwards')).toContain('TIME_ORDER');
  expect(warningCodes(bench, 'Centuries')).toContain('TIME_ORDER');
  expect(await videoOf(bench, 'Backwards/a.avi')).toMatchObject({ started_at: '2026-05-01T19:30:05.000Z' });
});

// A time without offset is in the file's zone, otherwise in that of the watched folder
test.concurrent('times of a sidecar without offset are in its zone, else in that of the folder', async (context) => {
  const at = { incident_at: '2026-07-01T12:00:00' };
  const bench = await startFolderBench(context, {
    files: {
      'Own zone/a.avi': 300,
      'Own zone/incident.json': JSON.stringify({ ...at, timezone: 'America/New_York' }),
      'Folder zone/a.avi': 300,
      'Folder zone/incident.json': JSON.stringify(at),
    },
    watch: { timeZone: 'Europe/Berlin' },
  });
  await bench.untilIdle();
  expect((await incidentOf(bench, 'Own zone/a.avi'))?.incident_at).toBe('2026-07-01T16:00:00.000Z');
  expect((await incidentOf(bench, 'Folder zone/a.avi'))?.incident_at).toBe('2026-07-01T10:00:00.000Z');
});
