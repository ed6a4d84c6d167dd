import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';
import { mostlyLong } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const HOUR_MS = 3_600_000;
const files = { 'Ramp/c.ts': 6_000_000, 'Ramp/a.avi': 100_000 };

// service.md gap 27
mostlyLong(
  [
    { offsetMs: 72 * HOUR_MS, direction: 'behind' },
    { offsetMs: -72 * HOUR_MS, direction: 'ahead of' },
  ],
  1,
  (some) =>
    test.concurrent.for(some)(
      'input D21: a clock of the PC that is three days $direction the service is told once, and URLs are not taken for lapsed',
      async ({ offsetMs, direction }, context) => {
        const bench = await startBench(context, { files, simulator: { clockOffsetMs: offsetMs } });
        await bench.untilIdle();
        await bench.expectWhole();
        const warnings = bench.of('warning').filter(({ code }) => code === 'CLOCK_SKEW');
        expect(warnings).toHaveLength(1);
        expect(warnings[0]?.message).toContain(`3 d ${direction} the service's`);
        // One call for the parts, one for the small clip
        expect(bench.simulator.requests.of('getUploadUrls')).toHaveLength(2);
      },
    ),
);

// service.md gap 27
test.concurrent('a clock that is right within a minute is not talked about', async (context) => {
  const bench = await startBench(context, { files, simulator: { clockOffsetMs: 40_000 } });
  await bench.untilIdle();
  await bench.expectWhole();
  expect(bench.of('warning')).toEqual([]);
});

const until = (text: string): number => Date.parse(text) - Date.now();

// service.md gap 27
test.concurrent('fault 63: a clock that jumps while clips are sent, by days, by an hour, to 2038 and to 2099, loses nothing', async (context) => {
  const bench = await startBench(context);
  const jumps = {
    'two days on': 48 * HOUR_MS,
    'three days back': -72 * HOUR_MS,
    'as local time in autumn': -HOUR_MS,
    'past 32 bits': until('2038-01-19T03:14:00Z'),
    'far ahead': until('2099-12-31T23:59:00Z'),
    'back to the truth': 0,
  };
  const sent: Record<string, number> = {};
  for (const [name, wrongByMs] of Object.entries(jumps)) {
    const hold = bench.simulator.faults.hold({ call: 'putPart', partNumber: 1 });
    sent[`${name}/c.ts`] = 6_000_000 + Object.keys(sent).length;
    sent[`${name}/a.avi`] = 100_000 + Object.keys(sent).length;
    for (const file of ['c.ts', 'a.avi']) await bench.write(`${name}/${file}`, sent[`${name}/${file}`] ?? 0);
    await hold.arrived;
    bench.clock.setWrongBy(wrongByMs);
    hold.release();
    await bench.until(() => bench.of('clip.uploaded').length === Object.keys(sent).length, name);
  }
  await bench.untilIdle();
  await bench.expectWhole({ files: sent });
  expect(bench.of('clip.failed')).toEqual([]);
});
