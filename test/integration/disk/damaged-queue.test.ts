import { copyFile, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi, type TestContext } from 'vitest';
import { DATABASE_FILE, openDb, suspectFile } from '../../../electron/agent/store/open-db.ts';
import { createTables } from '../../../electron/agent/store/tables.ts';
import { BENCH_TIMEOUT_MS, startBench, type Bench } from '../../helpers/agent-bench.ts';
import { long, mostlyLong } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const PAGE_BYTES = 4096;
const files = {
  'Gate 4/a.ts': 100_000,
  'Gate 4/b.mp4': { fixture: 'gate-4-north.mp4' },
  'Ramp/c.ts': 6_000_000,
};
const queueFile = ({ dataDir }: Bench) => join(dataDir, DATABASE_FILE);
const warnings = (bench: Bench) => bench.of('warning').map(({ code }) => code);

/** A desk that has sent everything and whose agent is stopped. */
async function finished(context: TestContext): Promise<Bench> {
  const bench = await startBench(context, { files });
  await bench.untilIdle();
  await bench.stopAgent();
  return bench;
}

async function cutOff(file: string, bytes: number): Promise<void> {
  await using handle = await open(file, 'r+');
  await handle.truncate((await handle.stat()).size - bytes);
}

async function overwrite(file: string, from: number, bytes: Buffer): Promise<void> {
  await using handle = await open(file, 'r+');
  await handle.write(bytes, 0, bytes.length, from);
}

/** The next start reports its finding, once and in the trail too; nothing is sent twice or missing. */
async function expectHealed(bench: Bench, code: string, action: string): Promise<void> {
  const sent = bench.simulator.requests.of('putObject').length;
  await bench.startAgent();
  await bench.untilIdle();
  expect(warnings(bench)).toEqual([code]);
  expect((await bench.call('health.get', {})).findings.map((finding) => finding.code)).toEqual([code]);
  const { files: bundle } = await bench.call('health.bundle', {});
  expect(bundle.map(({ text }) => text).join('\n')).toContain(action);
  expect(bench.simulator.requests.of('putObject')).toHaveLength(sent);
  await bench.expectWhole();
  await bench.stopAgent();
  await bench.startAgent();
  await bench.untilIdle();
  expect(warnings(bench)).toEqual([code]);
}

const damages: readonly (readonly [what: string, damage: (file: string) => Promise<void>])[] = [
  ['was cut off', (file) => cutOff(file, 3 * PAGE_BYTES)],
  ['is text', (file) => overwrite(file, 0, Buffer.from('Dear reader, this is no database. '.repeat(50)))],
  ['has a page of 0xFF', (file) => overwrite(file, 2 * PAGE_BYTES, Buffer.alloc(PAGE_BYTES, 0xff))],
];

mostlyLong(damages, 1, (some) => {
  for (const [what, damage] of some)
    test.concurrent(`fault 23, input H1: a queue that ${what} is set aside, rebuilt from folders and service, and said once`, async (context) => {
      const bench = await finished(context);
      await damage(queueFile(bench));
      await expectHealed(bench, 'DB_BROKEN', 'queue.rebuilt');
      const aside = (await readdir(bench.dataDir)).filter((name) => name.startsWith('queue.db.broken-'));
      expect(aside.length).toBeGreaterThan(0);
    });
});

test.concurrent('input H1: a queue that is gone is said, and rebuilt', long(), async (context) => {
  const bench = await finished(context);
  for (const suffix of ['', '-wal', '-shm']) await rm(queueFile(bench) + suffix, { force: true });
  await expectHealed(bench, 'QUEUE_LOST', 'queue.lost');
});

test.concurrent('fault 20: pages that were reported as written and were not are found at the next start, and rebuilt', async (context) => {
  const bench = await finished(context);
  const { size } = await stat(queueFile(bench));
  // Holes, which a disk leaves in a file that grew when it confirmed writes it had not made
  await overwrite(queueFile(bench), size - 12 * PAGE_BYTES, Buffer.alloc(8 * PAGE_BYTES));
  await expectHealed(bench, 'DB_BROKEN', 'queue.rebuilt');
});

test.concurrent(
  'fault 20: pages that were lost in a queue too large to be checked at the start are found while it runs',
  long(),
  async (context) => {
    const bench = await finished(context);
    const file = queueFile(bench);
    const opened = openDb(file);
    if (!opened.ok) throw new Error(opened.error.message);
    // Large because of free pages, which cost nothing
    opened.value.exec('CREATE TABLE large (bytes BLOB); INSERT INTO large VALUES (zeroblob(80000000))');
    opened.value.exec('DROP TABLE large');
    const [, root] = opened.value
      .prepare<[], number>(
        "SELECT rootpage FROM sqlite_schema WHERE name IN ('parts', 'audit_tail') ORDER BY name",
      )
      .pluck()
      .all();
    opened.value.close();
    await overwrite(file, ((root ?? 2) - 1) * PAGE_BYTES, Buffer.alloc(PAGE_BYTES, 0xff));
    await bench.startAgent();
    await bench.until(
      () => bench.of('warning').some(({ message }) => message.includes('set aside as')),
      'the rebuilding',
    );
    await bench.untilIdle();
    await bench.expectWhole({ mayLogErrors: true });
    expect(await readdir(bench.dataDir)).not.toContain(suspectFile(DATABASE_FILE));
  },
);

test.concurrent('fault 24: a queue without its -shm is opened as it is', long(), async (context) => {
  const { bench, copy } = await killed(context);
  await rm(`${copy}-shm`, { force: true });
  const tables = openCopy(copy);
  expect(tables.clips.totals()).toMatchObject([{ state: 'uploaded', clips: 3 }]);
  expect(bench.of('clip.failed')).toEqual([]);
});

test.concurrent('fault 24: a log of another database is not mixed in without a word', async (context) => {
  const bench = await finished(context);
  const other = await killed(context);
  await copyFile(`${other.copy}-wal`, `${queueFile(bench)}-wal`);
  await rm(`${queueFile(bench)}-shm`, { force: true });
  const refusal = await bench.startAgent().catch((error: unknown) => error);
  // Refused as the queue of another desk, set aside as damaged, or reported as another queue: never accepted silently
  if (refusal instanceof Error) expect(refusal).toMatchObject({ failure: { code: 'DATA_FOLDER' } });
  else expect(['DB_BROKEN', 'QUEUE_REPLACED']).toContain(warnings(bench)[0]);
  expect(bench.of('clip.failed')).toEqual([]);
});

/** Another desk as after a kill: its database, and the log with the latest writes. */
async function killed(context: TestContext) {
  const bench = await startBench(context, { files });
  await bench.untilIdle();
  const copy = join(bench.dataDir, 'copy.db');
  for (const suffix of ['', '-wal', '-shm']) await copyFile(queueFile(bench) + suffix, copy + suffix);
  return { bench, copy };
}

function openCopy(file: string) {
  const opened = openDb(file);
  if (!opened.ok) throw new Error(opened.error.message);
  return createTables(opened.value);
}

/** The audit trail as the diagnostics show it. */
async function trailOf(bench: Bench): Promise<string> {
  const { files: bundle } = await bench.call('health.bundle', {});
  return bundle.map(({ text }) => text).join('\n');
}

test.concurrent(
  'a queue that is deleted while the agent runs is written again, and nothing is lost',
  long(),
  async (context) => {
    const bench = await startBench(context, { files });
    await bench.untilIdle();
    await bench.call('uploads.pause', { target: { kind: 'all' } });
    await bench.write('Ramp/late.ts', 70_000);
    await bench.until(() => bench.progress()?.clips === 4, 'the new clip');
    const sent = bench.simulator.requests.of('putObject').length;
    await rm(queueFile(bench));
    await bench.until(() => warnings(bench).length > 0, 'the warning');
    await bench.untilIdle();
    const [said] = bench.of('warning');
    expect(said).toMatchObject({
      code: 'DATA_FOLDER',
      message: expect.stringMatching(
        /queue\.db in .* was deleted or moved while the agent was running.*nothing was lost/,
      ),
    });
    expect(warnings(bench)).toEqual(['DATA_FOLDER']);
    expect(await trailOf(bench)).toMatch(/queue\.deleted/);
    await bench.call('uploads.resume', { target: { kind: 'all' } });
    await bench.untilIdle();
    await bench.expectWhole({ files: { ...files, 'Ramp/late.ts': 70_000 } });
    expect(bench.simulator.requests.of('putObject')).toHaveLength(sent + 1);
    expect((await readdir(bench.dataDir)).filter((name) => name.includes('saved'))).toEqual([]);
  },
);

test.concurrent(
  'a queue that is replaced while the agent runs is told, and nothing is sent twice',
  long(),
  async (context) => {
    const bench = await finished(context);
    const backup = join(bench.dataDir, '..', 'backup.db');
    await copyFile(queueFile(bench), backup);
    await bench.startAgent();
    await bench.write('Pier/new.ts', 70_000);
    await bench.until(() => bench.of('clip.uploaded').length === 4, 'the new clip');
    await bench.untilIdle();
    const sent = bench.simulator.requests.of('putObject').length;
    await rename(backup, queueFile(bench));
    // The backup's chain is shorter than the head that the desk has stated
    await bench.until(() => warnings(bench).includes('AUDIT_BROKEN'), 'the warnings');
    await bench.untilIdle();
    expect(warnings(bench)).toEqual(['DATA_FOLDER', 'QUEUE_REPLACED', 'AUDIT_BROKEN']);
    expect(await trailOf(bench)).toMatch(/queue\.replaced/);
    await bench.expectWhole({ files: { ...files, 'Pier/new.ts': 70_000 } });
    expect(bench.simulator.requests.of('putObject')).toHaveLength(sent);
  },
);
