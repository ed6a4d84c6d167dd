import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

test('an export that was just taken counts among what quitting would leave', async (context) => {
  const bench = await startBench(context, { hold: { call: 'getUploadUrls' } });
  const counted: number[] = [];
  bench.agent().events.on(({ event }) => {
    if (event === 'incident.found') counted.push(bench.agent().progress().clips);
  });
  await bench.write('Ramp/cam1.ts', 100_000);
  await bench.until(() => {
    // As tray and window do all the time: the totals that they get are cached for a moment
    bench.progress();
    return counted.length > 0;
  });
  expect(counted).toEqual([1]);
});
