import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, type TestContext } from 'vitest';
import { BENCH_TIMEOUT_MS, PART_BYTES, startBench } from '../../helpers/agent-bench.ts';
import { eventually } from '../../helpers/eventually.ts';
import { createFaultZone, faultyThreads, type FileFault } from '../../helpers/file-faults.ts';
import { createSkipClock } from '../../helpers/skip-clock.ts';
import { mostlyLong } from '../../helpers/long.ts';

/**
 * A share that fails or hangs, drawn from operations, errors and moments. All time is skipped: `within` counts the time
 * it skips, and also gives work in progress real time.
 */

/** Step of the clock, milliseconds: at most as long as the gate counts at once. */
const STEP_MS = 1_000;
/** Real time that the agent gets after each step, milliseconds. */
const WORK_MS = 8;
/** Time for pauses that had not begun when time was skipped, milliseconds: a busy machine begins them late. */
const GRACE_MS = 10_000;
/** Seed and number of draws; `SHARE_SEED` and `SHARE_DRAWS` change them. */
const SEED = Number(process.env['SHARE_SEED'] ?? 11);
const DRAWS = Number(process.env['SHARE_DRAWS'] ?? 10);

const HANG = 0;
const operationSets: readonly FileFault['operations'][] = [
  ['list', 'stat', 'open', 'read', 'fstat', 'close'],
  ['list'],
  ['stat'],
  ['open'],
  ['read'],
  ['fstat'],
  ['read', 'close'],
];
/**
 * EPERM, EIO, ENXIO, EACCES, EBUSY, ENODEV, ENOTCONN, EHOSTDOWN, ESTALE (without a name in Node), an unknown number.
 */
const errors = [1, 5, 6, 13, 16, 19, 107, 112, 116, 1_999, HANG, HANG, HANG];

interface Draw extends FileFault {
  readonly errno: number;
  readonly after: number;
  readonly lastsMs: number;
}

/** Draws from a small generator of its own, so that the same seed gives the same draws everywhere. */
function draw(seed: number, count: number): readonly Draw[] {
  let state = seed;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return Array.from({ length: count }, () => ({
    operations: operationSets[next(operationSets.length)] ?? ['read'],
    errno: errors[next(errors.length)] ?? HANG,
    after: next(60),
    lastsMs: next(3) === 0 ? 30 * 60_000 : 75_000,
  }));
}

/** Two watched folders: the one of the zone fails, the other must not be affected. */
async function openDesk(context: TestContext) {
  const bench = await startBench(context, {
    clock: createSkipClock(),
    threads: faultyThreads,
    moreRoots: ['other'],
  });
  const zone = createFaultZone(bench.root);
  context.onTestFinished(zone.end);

  /** Lets at most `limitMs` pass until `fact` holds, then waits for work in progress. */
  async function within(limitMs: number, fact: () => boolean, what: string): Promise<void> {
    for (let passedMs = 0; passedMs < limitMs + GRACE_MS && !fact(); passedMs += STEP_MS) {
      bench.skip(STEP_MS);
      await sleep(passedMs < limitMs ? WORK_MS : 10 * WORK_MS);
    }
    // Work in progress also gets real time
    await eventually(fact, `${what}: ${JSON.stringify(bench.events.slice(-6))}`, 15_000);
  }

  async function pass(durationMs: number): Promise<void> {
    const stepMs = Math.max(STEP_MS, durationMs / 100);
    for (let passedMs = 0; passedMs < durationMs; passedMs += stepMs) {
      bench.skip(stepMs);
      await sleep(WORK_MS);
    }
  }

  return {
    bench,
    zone,
    within,
    pass,
    /** Whether any event names the folder. */
    isNamed: () =>
      bench.events.some(
        (event) => event.event !== 'root.online' && JSON.stringify(event).includes(bench.root),
      ),
    uploaded: () => bench.of('clip.uploaded').map(({ file }) => file),
    blamed: () => [...bench.simulator.incidents().values()].flatMap((one) => one.failed_videos),
  };
}

mostlyLong(
  draw(SEED, DRAWS).map((one, index) => ({ index, ...one })),
  2,
  (some) =>
    test.concurrent.for(some)(
      'fault 38, fault 39: draw $index, error $errno of $operations after $after for $lastsMs ms',
      { timeout: BENCH_TIMEOUT_MS },
      async ({ lastsMs, ...fault }, context) => {
        const { bench, zone, within, pass, isNamed, uploaded, blamed } = await openDesk(context);
        zone.begin(fault);
        await bench.write('Gate 4/a.avi', 3_000);
        await bench.write('Gate 4/b.mp4', { fixture: 'car-park.mp4', sizeBytes: 2_000_000 });
        await bench.write('Gate 5/incident.json', JSON.stringify({ title: 'From the sidecar' }));
        await bench.write('Gate 5/large.mp4', { fixture: 'car-park.mp4', sizeBytes: 3 * PART_BYTES });
        await bench.until(() => zone.hits() > 0 || uploaded().length === 3, 'the fault');
        // Everything was sent before the fault occurred
        if (zone.hits() === 0) zone.begin({ ...fault, after: 0 });
        await bench.write('Gate 6/late.avi', 2_000);
        await within(40_000, isNamed, 'the name of the folder');
        await bench.write('../other/Gate 9/other.avi', 4_000);
        await within(60_000, () => uploaded().includes('other.avi'), 'the other folder');
        await pass(lastsMs);
        expect(bench.of('clip.failed')).toEqual([]);
        expect(blamed()).toEqual([]);
        zone.end();
        await within(90_000, () => uploaded().length === 5, 'everything sent');
        await within(60_000, () => bench.of('incident.synced').length >= 4, 'the records');
        expect(bench.of('clip.failed')).toEqual([]);
        expect(blamed()).toEqual([]);
        const titles = [...bench.simulator.incidents().values()].map(({ title }) => title);
        expect(titles).toContain('From the sidecar');
        const minutes = (bench.clock.skippedMs() + 60_000) / 60_000;
        for (const message of new Set(
          bench.logs.filter(({ level }) => level !== 'info').map((line) => line.message),
        ))
          expect(bench.logs.filter((line) => line.message === message).length, message).toBeLessThan(
            minutes + 1,
          );
      },
    ),
);
