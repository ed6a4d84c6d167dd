import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, startBench, type Bench } from '../../helpers/agent-bench.ts';
import type { StoredIncident } from '../../simulator/service/incident-store.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const files = { 'Gate 4/a.avi': 100_000, 'Gate 4/b.avi': 100_000, 'Gate 4/c.ts': 6_000_000 };
const INTERVAL_MS = 5000;

// service.md gap 14
test.concurrent('the control room sees each clip as it arrives, in at most one PUT per 5 s, and the last at once', async (context) => {
  const bench = await startBench(context, { files, hold: { call: 'completeMultipartUpload' } });
  await bench.until(() => bench.of('clip.uploaded').length === 2, 'the small clips');
  const { incidentId } = await bench.ids('Gate 4/a.avi');
  const history = () => bench.simulator.putHistory(incidentId);
  await bench.until(
    () => (bench.skip(100), history().at(-1)?.written.uploaded_videos.length === 2),
    'the second PUT',
  );
  bench.hold.release();
  await bench.untilIdle();
  await bench.expectWhole({ files });
  const puts = history();
  expect(puts[0]?.written.uploaded_videos).toEqual([]);
  const gapsMs = puts.slice(1).map(({ at }, index) => at - (puts[index]?.at ?? 0));
  for (const gapMs of gapsMs.slice(0, -1)) expect(gapMs).toBeGreaterThanOrEqual(INTERVAL_MS - 50);
  expect(puts.length).toBeLessThanOrEqual(4);
  // Listed clips stay listed, and both arrays are always complete (row 13)
  const listed = puts.map(({ written }) => written.uploaded_videos.map(({ id }) => id));
  for (const [index, ids] of listed.entries())
    expect(listed[index + 1] ?? ids).toEqual(expect.arrayContaining(ids));
  for (const { written } of puts) expect(written.failed_videos).toEqual([]);
});

// service.md gap 14
test.concurrent('with whenComplete the incident is told once, when its last clip has arrived', async (context) => {
  const bench = await startBench(context, {
    files,
    settings: { incident: { publish: 'whenComplete' } },
    hold: { call: 'completeMultipartUpload' },
  });
  await bench.hold.arrived;
  await bench.until(() => bench.of('clip.uploaded').length === 2, 'the small clips');
  expect(bench.simulator.requests.of('putIncident')).toEqual([]);
  bench.hold.release();
  await bench.untilIdle();
  await bench.expectWhole({ files });
  const { incidentId } = await bench.ids('Gate 4/a.avi');
  expect(bench.simulator.putHistory(incidentId)).toHaveLength(1);
});

// service.md gap 31
test.concurrent('with fileTime a clip of unknown time is sent with the time when its file was written', async (context) => {
  const bench = await startBench(context, {
    files: { 'Ramp/clip.avi': 1_000 },
    settings: { incident: { unknownTimes: 'fileTime' } },
  });
  await bench.untilIdle();
  const { incidentId } = await bench.ids('Ramp/clip.avi');
  const { mtimeMs } = await stat(join(bench.root, 'Ramp', 'clip.avi'));
  const at = new Date(Math.round(mtimeMs)).toISOString();
  const incident = bench.simulator.incidents().get(incidentId);
  expect(incident).toMatchObject({ incident_at: at, uploaded_videos: [{ started_at: at }] });
  expect(incident?.description).toMatch(/^Recording time not known; file last written /);
});

/** Another client of the service: reads an incident and writes it back, videos included, with a change. */
async function edit(
  { simulator }: Bench,
  incidentId: string,
  change: (incident: StoredIncident) => Partial<StoredIncident>,
): Promise<void> {
  const incident = simulator.incidents().get(incidentId);
  if (incident === undefined) throw new Error('The service does not know the incident');
  const { uploaded_videos, failed_videos } = incident;
  const answer = await fetch(`${simulator.baseUrl}/vms/incidents/${incidentId}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${simulator.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ vms_incident: { uploaded_videos, failed_videos, ...change(incident) } }),
  });
  expect(answer.status).toBe(200);
}

/** Uploads a clip as another client would, and returns the video entry for it. */
async function uploadAsOther({ simulator }: Bench, incidentId: string, id: string) {
  const headers = { authorization: `Bearer ${simulator.apiKey}`, 'content-type': 'application/json' };
  const granted = await fetch(`${simulator.baseUrl}/vms/incidents/${incidentId}/upload_urls`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ files: { [id]: { filename: `${id}.avi` } } }),
  });
  const { uploads } = (await granted.json()) as {
    uploads: Record<string, { storage_key: string; signed_urls: string }>;
  };
  const grant = uploads[id];
  if (grant === undefined) throw new Error('No URL came');
  expect((await fetch(grant.signed_urls, { method: 'PUT', body: `bytes of ${id}` })).status).toBe(200);
  return { id, storage_key: grant.storage_key, camera_name: 'Door of somebody else', upload_errors: [] };
}

const listedIn = ({ simulator }: Bench, incidentId: string) =>
  (simulator.incidents().get(incidentId)?.uploaded_videos ?? []).map(({ id }) => id);

// service.md gap 13
test.concurrent('a title that others edited in the service, and a video that they added between two of our writes, stay', async (context) => {
  const bench = await startBench(context, { files: { 'Gate 4/a.avi': 100_000 } });
  await bench.untilIdle();
  const { incidentId, clipId } = await bench.ids('Gate 4/a.avi');
  const { simulator } = bench;
  const [first] = simulator.putHistory(incidentId);
  expect(first?.written.title).toBe('Gate 4');
  const late = await uploadAsOther(bench, incidentId, 'late-video');
  await edit(bench, incidentId, ({ uploaded_videos: ours }) => ({
    title: 'Crowd at gate 4',
    uploaded_videos: [...ours, late],
  }));
  await bench.write('Gate 4/b.avi', 100_000);
  await bench.until(() => bench.of('clip.uploaded').length === 2, 'the late clip');
  bench.skip(INTERVAL_MS);
  await bench.untilIdle();
  const second = await bench.ids('Gate 4/b.avi');
  expect(listedIn(bench, incidentId).toSorted()).toEqual([clipId, second.clipId, 'late-video'].toSorted());
  expect(simulator.incidents().get(incidentId)?.uploaded_videos).toContainEqual(late);
  expect(simulator.incidents().get(incidentId)?.title).toBe('Crowd at gate 4');
  const ours = simulator.putHistory(incidentId).filter(({ written }) => written.title !== 'Crowd at gate 4');
  expect(ours.slice(1).map(({ written }) => written.title)).toEqual(ours.slice(1).map(() => undefined));
});

// service.md gap 13
test.concurrent('a service whose PUT erases what it leaves out keeps the title of each incident, and one that others edited', async (context) => {
  const bench = await startBench(context, { files: { 'Gate 4/a.avi': 100_000, 'Ramp/a.avi': 100_000 } });
  const { simulator } = bench;
  simulator.configure({ omittedDetails: 'erased' });
  await bench.untilIdle();
  const { incidentId } = await bench.ids('Gate 4/a.avi');
  const titles = () => [...simulator.incidents().values()].map(({ title }) => title).toSorted();
  expect(titles()).toEqual(['Gate 4', 'Ramp']);
  const created = simulator.incidents().get(incidentId)?.created_at ?? null;
  await edit(bench, incidentId, () => ({ title: 'Crowd', description: 'Pushing', created_at: created }));
  await bench.write('Gate 4/b.avi', 100_000);
  await bench.until(() => bench.of('clip.uploaded').length === 3, 'the late clip');
  bench.skip(INTERVAL_MS);
  await bench.untilIdle();
  expect(titles()).toEqual(['Crowd', 'Ramp']);
  const { written } = simulator.putHistory(incidentId).at(-1) ?? {};
  expect(written).toMatchObject({ title: 'Crowd', description: 'Pushing', created_at: created });
  expect(listedIn(bench, incidentId)).toHaveLength(2);
});

// service.md gap 13
test.concurrent('a video that others took off the list again is not put back by us', async (context) => {
  const bench = await startBench(context, { files: { 'Gate 4/a.avi': 100_000 } });
  await bench.untilIdle();
  const { incidentId, clipId } = await bench.ids('Gate 4/a.avi');
  const videos = [
    await uploadAsOther(bench, incidentId, 'one'),
    await uploadAsOther(bench, incidentId, 'two'),
  ];
  const writeOurs = async (name: string, count: number): Promise<void> => {
    await bench.write(`Gate 4/${name}`, 100_000);
    await bench.until(() => bench.of('clip.uploaded').length === count, name);
    bench.skip(INTERVAL_MS);
    await bench.untilIdle();
  };
  await edit(bench, incidentId, ({ uploaded_videos: ours }) => ({ uploaded_videos: [...ours, ...videos] }));
  await writeOurs('b.avi', 2);
  expect(listedIn(bench, incidentId)).toEqual(expect.arrayContaining(['one', 'two']));
  await edit(bench, incidentId, ({ uploaded_videos: all }) => ({
    uploaded_videos: all.filter(({ id }) => id !== 'one'),
  }));
  await writeOurs('c.avi', 3);
  const ours = [clipId, (await bench.ids('Gate 4/b.avi')).clipId, (await bench.ids('Gate 4/c.avi')).clipId];
  expect(listedIn(bench, incidentId).toSorted()).toEqual([...ours, 'two'].toSorted());
});

// service.md gap 13
test.concurrent('two desks with one incident id from a sidecar list the clips of both', async (context) => {
  const sidecar = Buffer.from(JSON.stringify({ id: 'CASE-77', title: 'Fall at gate 4' }));
  const one = await startBench(context, {
    files: { 'Gate 4/a.avi': 100_000, 'Gate 4/incident.json': sidecar },
  });
  await one.untilIdle();
  const two = await startBench(context, {
    files: { 'North/x.avi': 100_000, 'North/incident.json': sidecar },
    baseUrl: () => one.simulator.baseUrl,
    secrets: { apiKey: async () => one.simulator.apiKey },
  });
  await two.untilIdle();
  await one.write('Gate 4/late.avi', 100_000);
  await one.until(() => one.of('clip.uploaded').length === 2, 'the late clip');
  one.skip(INTERVAL_MS);
  await one.untilIdle();
  expect(listedIn(one, 'CASE-77')).toHaveLength(3);
});
