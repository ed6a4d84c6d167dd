import Database from 'better-sqlite3';
import { createHash } from 'node:crypto';
import { open, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi, type TestContext } from 'vitest';
import { DATABASE_FILE } from '../../../electron/agent/store/open-db.ts';
import { BENCH_TIMEOUT_MS, PART_BYTES, startBench, type Bench } from '../../helpers/agent-bench.ts';
import { mostlyLong } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const FILE = 'Ramp/big.ts';
const SIZE = 2 * PART_BYTES + 1_000_000;
/** A whole second, which can be restored exactly. */
const WRITTEN_AT = new Date('2026-08-01T12:00:00Z');

interface Row {
  readonly number: number;
  readonly sha256: string;
  readonly from_start: number;
}

function inQueue<T>(bench: Bench, work: (db: Database.Database) => T): T {
  const db = new Database(join(bench.dataDir, DATABASE_FILE));
  try {
    return work(db);
  } finally {
    db.close();
  }
}

const rowsOf = (bench: Bench): Row[] =>
  inQueue(bench, (db) =>
    db.prepare<[], Row>('SELECT number, sha256, from_start FROM parts ORDER BY number').all(),
  );
const sumOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const putsOf = (bench: Bench, part: number): number =>
  bench.simulator.requests.of('putPart').filter(({ partNumber }) => partNumber === part).length;

/** A clip of three parts whose agent was stopped when storage had the first two. */
async function stoppedHalfway(context: TestContext): Promise<{ bench: Bench; bytes: Buffer }> {
  const bench = await startBench(context, { hold: { call: 'putPart', partNumber: 3 } });
  await bench.write(FILE, SIZE);
  await utimes(join(bench.root, FILE), WRITTEN_AT, WRITTEN_AT);
  await bench.hold.arrived;
  await bench.until(() => rowsOf(bench).length === 2, 'two acknowledged parts');
  const stopped = bench.stopAgent();
  bench.hold.release();
  await stopped;
  return { bench, bytes: await readFile(join(bench.root, FILE)) };
}

/** Changes the rows to those of an earlier version, which kept only each part's own hash. */
function asEarlier(bench: Bench, bytes: Buffer): void {
  inQueue(bench, (db) => {
    const put = db.prepare('UPDATE parts SET sha256 = ?, from_start = 0 WHERE number = ?');
    for (const number of [1, 2])
      put.run(sumOf(bytes.subarray((number - 1) * PART_BYTES, number * PART_BYTES)), number);
  });
}

/** As if the share had been mounted under other numbers when the clip was found. */
function remount(bench: Bench): void {
  inQueue(bench, (db) => db.exec("UPDATE clips SET device = '7', inode = '8'"));
}

const kept = [
  { rows: 'of this version', prepare: () => undefined },
  { rows: 'of a file on a share that was remounted', prepare: remount },
  { rows: 'of an earlier version', prepare: asEarlier },
];

test.concurrent('a part is kept with the hash of everything up to its end', async (context) => {
  const { bench, bytes } = await stoppedHalfway(context);
  expect(rowsOf(bench)).toEqual(
    [1, 2].map((number) => ({
      number,
      sha256: sumOf(bytes.subarray(0, number * PART_BYTES)),
      from_start: 1,
    })),
  );
});

mostlyLong(kept, 2, (some) =>
  test.concurrent.for(some)(
    'after a restart the parts that storage has are not sent again (rows $rows)',
    async ({ prepare }, context) => {
      const { bench, bytes } = await stoppedHalfway(context);
      prepare(bench, bytes);
      await bench.startAgent();
      await bench.untilIdle();
      await bench.expectWhole({ files: { [FILE]: SIZE } });
      expect([putsOf(bench, 1), putsOf(bench, 2)]).toEqual([1, 1]);
      expect(bench.simulator.requests.of('createMultipartUpload')).toHaveLength(1);
      expect(bench.of('clip.retrying')).toEqual([]);
    },
  ),
);

mostlyLong(kept, 2, (some) =>
  test.concurrent.for(some)(
    'a part that was altered since it was sent, whatever its times say, is found after a restart (rows $rows)',
    async ({ prepare }, context) => {
      const { bench, bytes } = await stoppedHalfway(context);
      prepare(bench, bytes);
      const file = await open(join(bench.root, FILE), 'r+');
      await file.write(Buffer.from([(bytes[70] ?? 0) ^ 1]), 0, 1, 70);
      await file.close();
      await utimes(join(bench.root, FILE), WRITTEN_AT, WRITTEN_AT);
      await bench.startAgent();
      await bench.untilIdle();
      await bench.expectWhole({ files: { [FILE]: SIZE } });
      expect(bench.simulator.requests.of('createMultipartUpload')).toHaveLength(2);
      expect(bench.simulator.requests.of('abortMultipartUpload')).toHaveLength(1);
      expect(bench.of('clip.retrying').map(({ code }) => code)).toContain('FILE_CHANGED');
    },
  ),
);

mostlyLong(
  [
    { etags: 'none', simulator: { hashing: 'none' } },
    { etags: 'MD5', simulator: { hashing: 'full' } },
  ] as const,
  1,
  (some) =>
    test.concurrent.for(some)(
      'a clip in parts that are too large to be held is read twice, and sent whole (etags: $etags)',
      async ({ simulator }, context) => {
        const partSizeBytes = 9 * 1024 * 1024;
        const sizeBytes = 2 * partSizeBytes + 1_000_000;
        const settings = { upload: { partSizeBytes } };
        const bench = await startBench(context, { simulator, settings, files: { [FILE]: sizeBytes } });
        await bench.untilIdle();
        await bench.expectWhole({ files: { [FILE]: sizeBytes } });
        expect([1, 2, 3].map((part) => putsOf(bench, part))).toEqual([1, 1, 1]);
      },
    ),
);
