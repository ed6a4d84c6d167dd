import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const LIMIT_BYTES_PER_SECOND = 2_000_000;

// The limit from the settings, within 5 % over 10 s; the one test that must take that long
test.concurrent('a limit on the bandwidth is not exceeded by 5 % over 10 s', async (context) => {
  const sizeBytes = 10 * LIMIT_BYTES_PER_SECOND;
  const bench = await startBench(context, {
    files: { 'Ramp/c.ts': sizeBytes },
    settings: { upload: { maxBytesPerSecond: LIMIT_BYTES_PER_SECOND } },
  });
  await bench.untilIdle();
  await bench.expectWhole();
  const parts = bench.simulator.requests.of('putPart');
  const startedAt = Math.min(...parts.map(({ at }) => at));
  const endedAt = Math.max(...parts.map((part) => part.endedAt ?? 0));
  const bytesPerSecond = sizeBytes / ((endedAt - startedAt) / 1000);
  // The lower bound also depends on the machine: rate-limit.test.ts tests it on a clock that it controls
  expect(bytesPerSecond / LIMIT_BYTES_PER_SECOND).toBeGreaterThan(0.5);
  expect(bytesPerSecond / LIMIT_BYTES_PER_SECOND).toBeLessThan(1.05);
});
