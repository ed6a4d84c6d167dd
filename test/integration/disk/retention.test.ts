import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createRetention } from '../../../electron/agent/queue/retention.ts';
import { DATABASE_FILE, openDb } from '../../../electron/agent/store/open-db.ts';
import { createTables } from '../../../electron/agent/store/tables.ts';
import { BENCH_TIMEOUT_MS, startBench, type Bench } from '../../helpers/agent-bench.ts';
import { noise } from '../../helpers/bench-files.ts';
import { createKeptLog } from '../../helpers/queue-fixture.ts';
import { long } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const files = {
  'Gate 4/a.ts': 100_000,
  'Gate 4/b.mp4': { fixture: 'gate-4-north.mp4' },
  'Ramp/c.ts': 50_000,
};

/** A hundred days pass, and everything finished leaves the database. */
async function passTime({ dataDir, clock }: Bench): Promise<number> {
  const opened = openDb(join(dataDir, DATABASE_FILE));
  if (!opened.ok) throw new Error(opened.error.message);
  try {
    const retention = createRetention({
      tables: createTables(opened.value),
      clock: { ...clock, sleep: async () => undefined },
      logger: createKeptLog(),
      periods: { incidentsDays: 90, auditMonths: 24 },
      serviceClock: { isKnown: () => true, earlierNow: () => clock.now() + 100 * 24 * 60 * 60_000 },
      trail: { note: () => undefined },
      removeThumbnail: async () => undefined,
    });
    return await retention.pass(new AbortController().signal);
  } finally {
    opened.value.close();
  }
}

async function startWithoutRows(context: Parameters<typeof startBench>[0]) {
  const bench = await startBench(context, { files });
  await bench.untilIdle();
  await bench.stopAgent();
  expect(await passTime(bench)).toBe(2);
  const puts = () => bench.simulator.requests.of('putObject').length;
  const found = () => bench.of('incident.found').length;
  return { bench, puts, found };
}

test.concurrent('exports that left the database are neither shown nor sent again', async (context) => {
  const { bench, puts, found } = await startWithoutRows(context);
  const before = [puts(), found(), bench.simulator.requests.of('getIncident').length];
  await bench.startAgent();
  await bench.untilIdle();
  expect([puts(), found(), bench.simulator.requests.of('getIncident').length]).toEqual(before);
  expect(bench.progress()).toMatchObject({ incidents: 0, clips: 0 });
});

test.concurrent('a clip that comes to such an export is sent alone, and the service goes on listing the others', async (context) => {
  const { bench, puts } = await startWithoutRows(context);
  const before = puts();
  await bench.write('Gate 4/late.ts', 70_000);
  await bench.startAgent();
  await bench.untilIdle();
  expect(puts()).toBe(before + 1);
  await bench.expectWhole({ files: { ...files, 'Gate 4/late.ts': 70_000 } });
  expect(bench.progress()).toMatchObject({ incidents: 1, clips: 1 });
});

test.concurrent('a clip that changed since is sent beside the one that was', async (context) => {
  const { bench, puts } = await startWithoutRows(context);
  const before = puts();
  await bench.write('Ramp/c.ts', 60_000);
  const touched = new Date(Date.now() - 60_000);
  await utimes(join(bench.root, 'Ramp/c.ts'), touched, touched);
  await bench.startAgent();
  await bench.untilIdle();
  expect(puts()).toBe(before + 1);
  const { incidentId } = await bench.ids('Ramp/c.ts');
  const listed = bench.simulator
    .incidents()
    .get(incidentId)
    ?.uploaded_videos.map(({ id }) => id);
  const ids = await Promise.all([1, 2].map((generation) => bench.ids('Ramp/c.ts', generation)));
  expect(listed?.toSorted()).toEqual(ids.map(({ clipId }) => clipId).toSorted());
});

// Its block has the same size and time as the previous one
test.concurrent(
  'a clip that a recorder without a clock has overwritten since is sent',
  long(),
  async (context) => {
    const bench = await startBench(context);
    const path = join(bench.root, 'SD card/hiv00000.avi');
    const noClock = new Date('1980-01-01T00:00:00Z');
    const record = async (): Promise<void> => {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, noise(50_000));
      await utimes(path, noClock, noClock);
    };
    await record();
    await bench.until(() => bench.of('clip.uploaded').length === 1, 'the first block');
    await bench.untilIdle();
    await bench.stopAgent();
    expect(await passTime(bench)).toBe(1);
    await record();
    await bench.startAgent();
    await bench.untilIdle();
    expect(await bench.simulator.objects()).toHaveLength(2);
  },
);
