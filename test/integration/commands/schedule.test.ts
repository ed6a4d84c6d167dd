import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { weekdays } from '../../../shared/domain/line-schedule.ts';
import { createSkipClock } from '../../helpers/skip-clock.ts';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

/** A time of this PC's clock, such as `07:30`. */
const clockTime = (ms: number): string => {
  const at = new Date(ms);
  return [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
};
const HOUR_MS = 3_600_000;
/** Time in which a clip that must not be sent would have been sent, milliseconds. */
const LONG_ENOUGH_MS = 1_000;

test('a pause by the schedule holds the clips back and not the records, and ends by itself', async (context) => {
  const clock = createSkipClock();
  const [from, to] = [clockTime(clock.now() - HOUR_MS), clockTime(clock.now() + 2 * HOUR_MS)];
  const bench = await startBench(context, {
    files: { 'Ramp/a.ts': 40_000 },
    clock,
    settings: { upload: { schedule: [{ days: [...weekdays], from, to, limit: 'pause' }] } },
  });
  const { requests } = bench.simulator;
  await bench.until(() => requests.of('putIncident').length > 0, 'the record of the incident');
  const health = await bench.call('health.get', {});
  expect(health).toMatchObject({ isPaused: false, line: { limit: 'pause' } });
  expect(Date.parse(health.line?.until ?? '')).toBeGreaterThan(clock.now());
  // Without the pause the clip is sent right after it
  await delay(LONG_ENOUGH_MS);
  expect(requests.of('putObject')).toEqual([]);
  clock.skip(2 * HOUR_MS);
  await bench.untilIdle();
  await bench.expectWhole();
  expect(await bench.call('health.get', {})).toMatchObject({ line: { limit: 'full' } });
});
