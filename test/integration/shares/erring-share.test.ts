import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, type TestContext } from 'vitest';
import { BENCH_TIMEOUT_MS, PART_BYTES, startBench } from '../../helpers/agent-bench.ts';
import { createFaultZone, faultyThreads, type FaultyOperation } from '../../helpers/file-faults.ts';
import { createSkipClock } from '../../helpers/skip-clock.ts';

/** Real time that the agent gets between two steps of time, milliseconds. */
const WORK_MS = 60;
/** One step of time, milliseconds. */
const STEP_MS = 5_000;

const all: readonly FaultyOperation[] = ['list', 'stat', 'open', 'read', 'fstat', 'close'];
const HANG = 0;

/** Two watched folders: the one of the zone errs, the other must not notice. */
async function openDesk(context: TestContext) {
  const clock = createSkipClock();
  // The folder is made by the bench: its zone waits for its name
  const bench = await startBench(context, {
    clock,
    threads: faultyThreads,
    moreRoots: ['other'],
  });
  const zone = createFaultZone(bench.root);
  context.onTestFinished(zone.end);

  /** Lets so much time pass, or as much as it takes until `fact` holds. Answers whether it does, then or soon after. */
  async function within(limitMs: number, fact: () => boolean): Promise<boolean> {
    for (let passedMs = 0; passedMs < limitMs; passedMs += STEP_MS) {
      if (fact()) return true;
      bench.skip(STEP_MS);
      await sleep(WORK_MS);
    }
    for (let tries = 0; tries < 400 && !fact(); tries += 1) await sleep(25);
    return fact();
  }

  const said = (): boolean =>
    bench.events.some((event) => 'message' in event && event.message.includes(bench.root)) ||
    bench.of('root.offline').some(({ root }) => root === bench.root);
  const uploaded = (): readonly string[] => bench.of('clip.uploaded').map(({ file }) => file);
  const writeExports = async (): Promise<void> => {
    await bench.write('Gate 4/a.avi', 3_000);
    await bench.write('Gate 4/b.mp4', { fixture: 'car-park.mp4', sizeBytes: 2_000_000 });
    await bench.write('Gate 5/large.mp4', { fixture: 'car-park.mp4', sizeBytes: 3 * PART_BYTES });
    await bench.write('Gate 5/incident.json', JSON.stringify({ title: 'From the sidecar' }));
  };
  return { bench, zone, within, said, uploaded, writeExports };
}

const files = {
  'Gate 4/a.avi': 3_000,
  'Gate 4/b.mp4': 2_000_000,
  'Gate 5/large.mp4': 3 * PART_BYTES,
};

interface Fault {
  readonly name: string;
  readonly operations: readonly FaultyOperation[];
  readonly errno: number;
  readonly after: number;
  readonly lastsMs: number;
}

async function play(context: TestContext, { operations, errno, after, lastsMs }: Fault): Promise<void> {
  const { bench, zone, within, said, uploaded, writeExports } = await openDesk(context);
  await bench.until(() => bench.progress() !== undefined);
  zone.begin({ operations, errno, after });
  await writeExports();
  await bench.until(() => zone.hits() > 0 || uploaded().length === 3, 'the fault');
  const isHit = zone.hits() > 0 && uploaded().length < 3;
  if (isHit) expect(await within(40_000, said), JSON.stringify(bench.events)).toBe(true);
  // Another folder goes on meanwhile
  await bench.write('../other/Gate 9/other.avi', 4_000);
  expect(await within(60_000, () => uploaded().includes('other.avi')), 'the other root').toBe(true);
  for (let passedMs = 0; passedMs < lastsMs; passedMs += STEP_MS) {
    bench.skip(STEP_MS);
    if (passedMs % 60_000 === 0) await sleep(WORK_MS);
  }
  await sleep(WORK_MS);
  expect(bench.of('clip.failed')).toEqual([]);
  const hits = zone.hits();
  zone.end();
  expect(await within(90_000, () => uploaded().length === 4), JSON.stringify(bench.events.slice(-8))).toBe(
    true,
  );
  await within(10_000, () => bench.of('incident.synced').length > 0);
  expect([...bench.simulator.incidents().values()].flatMap((one) => one.failed_videos)).toEqual([]);
  expect(bench.of('clip.failed')).toEqual([]);
  expect([...bench.simulator.incidents().values()].map(({ title }) => title)).toContain('From the sidecar');
  console.log(
    errno,
    operations.join(),
    hits,
    isHit,
    JSON.stringify(
      [
        ...new Set(
          bench.events.map(
            (e) => `${e.event} ${'code' in e ? e.code : ''} ${'message' in e ? e.message.slice(0, 60) : ''}`,
          ),
        ),
      ],
      null,
      1,
    ),
    bench.logs.filter((l) => l.level !== 'info' && l.level !== 'debug').length,
  );
}

test.concurrent.for([
  { name: 'EIO on everything, from the start', operations: all, errno: 5, after: 0, lastsMs: 75_000 },
  { name: 'ESTALE on everything', operations: all, errno: 116, after: 30, lastsMs: 75_000 },
  { name: 'EIO on reads alone', operations: ['read'], errno: 5, after: 3, lastsMs: 75_000 },
  { name: 'ENODEV when a file is opened', operations: ['open'], errno: 19, after: 0, lastsMs: 1_800_000 },
  { name: 'EACCES on lists', operations: ['list'], errno: 13, after: 0, lastsMs: 75_000 },
  { name: 'hanging reads', operations: ['read'], errno: HANG, after: 5, lastsMs: 75_000 },
  { name: 'everything hangs', operations: all, errno: HANG, after: 20, lastsMs: 1_800_000 },
] satisfies readonly Fault[])('fault 38: $name', { timeout: BENCH_TIMEOUT_MS }, (fault, context) =>
  play(context, fault),
);
