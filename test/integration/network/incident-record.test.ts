import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const files = { 'Gate 4/a.avi': 100_000, 'Gate 4/b.avi': 100_000, 'Gate 4/c.ts': 6_000_000 };
const INTERVAL_MS = 5000;

// service.md gap 14
test.concurrent(
  'the control room sees each clip as it arrives, in at most one PUT per 5 s, and the last at once',
  async (context) => {
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
    // What was listed stays listed, and both arrays are always whole (row 13)
    const listed = puts.map(({ written }) => written.uploaded_videos.map(({ id }) => id));
    for (const [index, ids] of listed.entries())
      expect(listed[index + 1] ?? ids).toEqual(expect.arrayContaining(ids));
    for (const { written } of puts) expect(written.failed_videos).toEqual([]);
  },
);

// service.md gap 14
test.concurrent(
  'with whenComplete the incident is told once, when its last clip has arrived',
  async (context) => {
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
  },
);

// service.md gap 13
test.concurrent(
  'a title that others edited in the service, and a video that they added, stay',
  async (context) => {
    const bench = await startBench(context, { files: { 'Gate 4/a.avi': 100_000 } });
    await bench.untilIdle();
    const { incidentId } = await bench.ids('Gate 4/a.avi');
    const { simulator } = bench;
    const [first] = simulator.putHistory(incidentId);
    expect(first?.written.title).toBe('Gate 4');
    const uploaded = simulator.incidents().get(incidentId)?.uploaded_videos ?? [];
    const edit = { title: 'Crowd at gate 4', uploaded_videos: uploaded, failed_videos: [] };
    const answer = await fetch(`${simulator.baseUrl}/vms/incidents/${incidentId}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${simulator.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ vms_incident: edit }),
    });
    expect(answer.status).toBe(200);
    await bench.write('Gate 4/b.avi', 100_000);
    await bench.until(() => bench.of('clip.uploaded').length === 2, 'the late clip');
    bench.skip(INTERVAL_MS);
    await bench.untilIdle();
    await bench.expectWhole({ files: { 'Gate 4/a.avi': 0, 'Gate 4/b.avi': 0 } });
    expect(simulator.incidents().get(incidentId)?.title).toBe('Crowd at gate 4');
    const ours = simulator
      .putHistory(incidentId)
      .filter(({ written }) => written.title !== 'Crowd at gate 4');
    expect(ours.slice(1).map(({ written }) => written.title)).toEqual(ours.slice(1).map(() => undefined));
  },
);
