import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const LIMIT_BYTES_PER_SECOND = 2_000_000;

// The settings' limit, within 5 % over 10 s; the one test that has to take that long
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
  // How close it comes from below is up to the machine as well: rate-limit.test.ts has that, on a clock in hand.
  expect(bytesPerSecond / LIMIT_BYTES_PER_SECOND).toBeGreaterThan(0.5);
  expect(bytesPerSecond / LIMIT_BYTES_PER_SECOND).toBeLessThan(1.05);
});
