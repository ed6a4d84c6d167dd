import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const HOUR_MS = 3_600_000;
const files = { 'Ramp/c.ts': 6_000_000, 'Ramp/a.avi': 100_000 };

// service.md gap 27
test.concurrent.for([
  { offsetMs: 72 * HOUR_MS, direction: 'behind' },
  { offsetMs: -72 * HOUR_MS, direction: 'ahead of' },
])(
  'input D21: a clock of the PC that is three days $direction the service is told once, and URLs are not taken for lapsed',
  async ({ offsetMs, direction }, context) => {
    const bench = await startBench(context, { files, simulator: { clockOffsetMs: offsetMs } });
    await bench.untilIdle();
    await bench.expectWhole();
    const warnings = bench.of('warning').filter(({ code }) => code === 'CLOCK_SKEW');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.message).toContain(`s ${direction} the service's`);
    // One call for the parts, one for the small clip
    expect(bench.simulator.requests.of('getUploadUrls')).toHaveLength(2);
  },
);

// service.md gap 27
test.concurrent('a clock that is right within a minute is not talked about', async (context) => {
  const bench = await startBench(context, { files, simulator: { clockOffsetMs: 40_000 } });
  await bench.untilIdle();
  await bench.expectWhole();
  expect(bench.of('warning')).toEqual([]);
});

// service.md gap 27
test.concurrent(
  'fault 63: a clock that jumps two days while clips are sent loses nothing',
  async (context) => {
    const bench = await startBench(context, { files, hold: { call: 'putPart', partNumber: 1 } });
    await bench.hold.arrived;
    bench.clock.setWrongBy(48 * HOUR_MS);
    bench.hold.release();
    await bench.untilIdle();
    await bench.expectWhole({ files });
  },
);
