import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';
import { createSkipClock } from '../../helpers/skip-clock.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

test.concurrent(
  'a refused key, an absent share, a wrong clock and the end of the agent show in its figures',
  async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'vms-metrics-'));
    context.onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const textfile = join(folder, 'desk.prom');
    const bench = await startBench(context, {
      files: { 'Gate 4/a.avi': 200_000 },
      settings: { metrics: { textfile } },
      clock: createSkipClock(),
    });
    const shows = async (sample: string): Promise<boolean> =>
      (await readFile(textfile, 'utf8').catch(() => '')).includes(`\nvms_export_${sample}\n`);
    const until = (sample: string) =>
      bench.until(() => (bench.skip(5_000), shows(sample)), `the sample ${sample}`);

    await bench.untilIdle();
    await until('clips{state="uploaded"} 1');
    expect(await shows('root_online{root="1"} 1')).toBe(true);

    bench.simulator.setKeys([]);
    await bench.write('Gate 5/b.avi', 200_000);
    await bench.until(() => bench.of('incident.found').length === 2, 'the second export');
    await until('circuit_open{circuit="service",code="KEY_REFUSED"} 1');
    expect(await shows('clips{state="waiting"} 1')).toBe(true);

    await rename(bench.root, `${bench.root}-away`);
    await until('root_online{root="1"} 0');
    await rename(`${bench.root}-away`, bench.root);

    bench.clock.skip(3_600_000);
    bench.simulator.setKeys([{ key: bench.simulator.apiKey, videoPermission: true }]);
    await until('clips{state="uploaded"} 2');
    await bench.until(
      async () =>
        /clock_offset_seconds -3[56]\d\d/.test((bench.clock.skip(15_000), await readFile(textfile, 'utf8'))),
      'the wrong clock',
    );

    await bench.stopAgent();
    expect(await shows('up 0')).toBe(true);
  },
);
