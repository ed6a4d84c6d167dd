import { expect, test, vi } from 'vitest';
import { retryClips } from '../../../electron/agent/queue/retry-clips.ts';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const files = { 'Gate 4/a.avi': 200_000, 'Gate 4/b.ts': 6_000_000, 'Ramp/c.avi': 200_000 };

test.concurrent.for([404, 410])(
  'clips of an incident that was deleted in the service (%s) are held until someone decides',
  async (status, context) => {
    const bench = await startBench(context, { files: { 'Gate 4/a.avi': files['Gate 4/a.avi'] } });
    await bench.untilIdle();
    const { incidentId } = await bench.ids('Gate 4/a.avi');
    const deleted = {
      kind: 'answer',
      status,
      body: { message: 'Incident not found' },
      when: 'before',
    } as const;
    bench.simulator.faults.add({ match: { incidentId, listener: 'service' }, action: deleted });
    for (const [path, spec] of Object.entries(files).slice(1)) await bench.write(path, spec);
    await bench.until(() => bench.of('clip.failed').length > 0, 'the held clip');
    await bench.untilIdle();
    expect(bench.of('clip.failed')).toMatchObject([{ code: 'NOT_FOUND', file: 'b.ts' }]);
    expect(bench.of('clip.uploaded').map(({ file }) => file)).toEqual(['a.avi', 'c.avi']);
    const asked = bench.simulator.requests.all().filter(({ faultId }) => faultId !== undefined);
    expect(asked.length).toBeLessThanOrEqual(20);

    bench.simulator.faults.clear();
    const { clipId } = await bench.ids('Gate 4/b.ts');
    expect(await retryClips(bench.dataDir, { kind: 'id', id: clipId }, bench.clock)).toMatchObject({
      ok: true,
      value: { retried: 1 },
    });
    await bench.until(() => bench.of('clip.uploaded').length === 3, 'the retried clip');
    await bench.untilIdle();
    await bench.expectWhole({ files });
  },
);
