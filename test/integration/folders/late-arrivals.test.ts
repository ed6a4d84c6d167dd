import { copyFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { bytesSent, incidentOf, startFolderBench, videoOf } from './folder-bench.ts';
import { long, mostlyLong } from '../../helpers/long.ts';

// Several agents run at the same time here, on machines that may be busy
vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const first = { 'Gate 4/a.mp4': { fixture: 'car-park.mp4' } } as const;

test.concurrent('a clip that arrives later joins its incident, over a restart too', async (context) => {
  const bench = await startFolderBench(context, { files: first });
  await bench.untilIdle();
  await bench.write('Gate 4/b.avi', 5_000);
  await bench.until(() => bench.of('clip.uploaded').length === 2, 'the second clip');
  await bench.untilIdle();
  await bench.stopAgent();
  await bench.write('Gate 4/sub/c.avi', 6_000);
  await bench.startAgent();
  await bench.untilIdle();
  await bench.expectWhole({ ...first, 'Gate 4/b.avi': 0, 'Gate 4/sub/c.avi': 0 });
  expect(bench.simulator.incidents().size).toBe(1);
  expect(bytesSent(bench, 'a')).toHaveLength(1);
});

test.concurrent('a thumbnail that arrives later is sent and listed, and its clip is not sent again', async (context) => {
  const bench = await startFolderBench(context, { files: first });
  await bench.untilIdle();
  expect(await videoOf(bench, 'Gate 4/a.mp4')).not.toHaveProperty('storage_thumbnail_key');
  await bench.write('Gate 4/a.jpg', { fixture: 'car-park.jpg' });
  await bench.until(
    async () => (await videoOf(bench, 'Gate 4/a.mp4'))?.storage_thumbnail_key,
    'the thumbnail',
  );
  await bench.untilIdle();
  await bench.expectWhole();
  expect(
    bytesSent(bench, 'a')
      .map(({ key }) => key?.slice(-3))
      .toSorted(),
  ).toEqual(['jpg', 'mp4']);
});

// service.md "Limits"
test.concurrent('a thumbnail of 100 MB is not sent, with the reason, and its clip is sent without it', async (context) => {
  const bench = await startFolderBench(context, { files: first });
  await bench.untilIdle();
  const outside = join(bench.root, '..', 'large.jpg');
  await copyFile('test/fixtures/clips/car-park.jpg', outside);
  await truncate(outside, 100_000_000);
  await rename(outside, join(bench.root, 'Gate 4', 'a.jpg'));
  await bench.until(() => bench.of('warning').length > 0, 'the warning');
  expect(bench.of('warning')).toMatchObject([
    { code: 'FILE_TOO_LARGE', message: expect.stringContaining('a.jpg: Too large: 100.000000 MB') },
  ]);
  await bench.untilIdle();
  expect(await videoOf(bench, 'Gate 4/a.mp4')).not.toHaveProperty('storage_thumbnail_key');
  expect(bench.simulator.requests.of('getUploadUrls')).toHaveLength(1);
});

// service.md gap 13
test.concurrent('a sidecar that arrives later changes the record: only the details that changed are sent', async (context) => {
  const bench = await startFolderBench(context, { files: first });
  await bench.untilIdle();
  const { incidentId } = await bench.ids('Gate 4/a.mp4');
  const before = bench.simulator.putHistory(incidentId).length;
  await bench.write('Gate 4/incident.json', '{"title": "Pitch invasion", "description": "Two persons"}');
  await bench.until(
    async () => (await incidentOf(bench, 'Gate 4/a.mp4'))?.title === 'Pitch invasion',
    'the title',
  );
  await bench.untilIdle();
  await bench.expectWhole();
  const [put, ...more] = bench.simulator.putHistory(incidentId).slice(before);
  expect(more).toEqual([]);
  expect(put?.written).toMatchObject({ title: 'Pitch invasion', description: 'Two persons' });
  expect(Object.keys(put?.written ?? {}).toSorted()).toEqual([
    'description',
    'failed_videos',
    'title',
    'updated_at',
    'uploaded_videos',
  ]);
});

// Each field of a clip
mostlyLong(
  [
    { field: 'camera_name', before: 'Gate', after: 'Gate Four' },
    { field: 'camera_description', before: 'Dome', after: 'PTZ over turnstiles' },
    { field: 'camera_latitude', before: 51.5, after: 51.556 },
    { field: 'started_at', before: '2026-05-01T18:30:00.000Z', after: '2026-05-01T18:30:07.000Z' },
  ],
  1,
  (some) =>
    test.concurrent.for(some)(
      'input C15: a sidecar whose $field of a clip changes after the upload changes the record',
      async ({ field, before, after }, context) => {
        const said = (value: unknown) => JSON.stringify({ videos: [{ file: 'a.mp4', [field]: value }] });
        const bench = await startFolderBench(context, {
          files: { ...first, 'Gate 4/incident.json': said(before) },
        });
        await bench.untilIdle();
        expect(await videoOf(bench, 'Gate 4/a.mp4')).toMatchObject({ [field]: before });
        await writeFile(join(bench.root, 'Gate 4/incident.json'), said(after));
        await bench.until(
          async () => (await videoOf(bench, 'Gate 4/a.mp4'))?.[field as 'camera_name'] === after,
          'the change',
        );
        await bench.untilIdle();
        await bench.expectWhole();
        expect(bytesSent(bench, 'a')).toHaveLength(1);
      },
    ),
);

// A list that is open in another program, half written or removed does not change what an earlier one said
mostlyLong(
  [
    { what: 'is half written', end: (path: string) => writeFile(path, '{"videos": [') },
    { what: 'was taken away', end: (path: string) => rm(path) },
  ],
  1,
  (some) =>
    test.concurrent.for(some)(
      'a clip keeps its camera and start when its sidecar $what and another clip arrives',
      async ({ end }, context) => {
        const says = { file: 'a.mp4', camera_name: 'Gate Four', started_at: '2026-05-01T18:30:07.000Z' };
        const list = JSON.stringify({ videos: [says] });
        const bench = await startFolderBench(context, { files: { ...first, 'Gate 4/incident.json': list } });
        await bench.untilIdle();
        await end(join(bench.root, 'Gate 4/incident.json'));
        await bench.write('Gate 4/b.avi', 5_000);
        await bench.until(() => bench.of('clip.uploaded').length === 2, 'the late clip');
        await bench.untilIdle();
        const { file: _file, ...said } = says;
        expect(await videoOf(bench, 'Gate 4/a.mp4')).toMatchObject(said);
      },
    ),
);

// service.md gap 13: changes by others in the service remain
test.concurrent('a title that others changed in the service outlives late clips', long(), async (context) => {
  const bench = await startFolderBench(context, { files: first });
  await bench.untilIdle();
  const { incidentId } = await bench.ids('Gate 4/a.mp4');
  const {
    id: _id,
    created_at: _at,
    description: _text,
    latitude: _lat,
    longitude: _lon,
    incident_at: _time,
    ...now
  } = bench.simulator.incidents().get(incidentId) ?? expect.fail('no incident');
  const body = JSON.stringify({ vms_incident: { ...now, title: 'Renamed by the control room' } });
  const answer = await fetch(`${bench.simulator.baseUrl}/vms/incidents/${incidentId}`, {
    method: 'PUT',
    body,
    headers: { authorization: `Bearer ${bench.simulator.apiKey}`, 'content-type': 'application/json' },
  });
  expect(answer.status).toBe(200);
  await bench.write('Gate 4/b.avi', 5_000);
  await bench.until(() => bench.of('clip.uploaded').length === 2, 'the late clip');
  await bench.untilIdle();
  expect((await incidentOf(bench, 'Gate 4/a.mp4'))?.title).toBe('Renamed by the control room');
});

// An export that appears while the agent starts gives no hint: its folder was listed just before
test.concurrent('an export that appears while the agent starts is found long before the next scan', async (context) => {
  const bench = await startFolderBench(context, { files: first });
  await bench.write('Ramp/b.avi', 5_000);
  await bench.until(() => bench.of('clip.uploaded').length === 2, 'the clip of the new export');
  await bench.untilIdle();
  await bench.expectWhole({ ...first, 'Ramp/b.avi': 0 });
});
