import Database from 'better-sqlite3';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, type TestContext } from 'vitest';
import { firstSchema } from '../../electron/agent/store/migrations/0001-to-0003.ts';
import { APPLICATION_ID } from '../../electron/agent/store/open-db.ts';
import { eventually } from '../helpers/eventually.ts';
import { noStrace } from '../helpers/agent-under.ts';
import { rowsOf, startRowWriter } from './rows-desk.ts';

const CUTS = Number(process.env['FAULT_CUTS'] ?? 10);
const DISK_MIB = 64;

function makeFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'queue-on-disk-'));
  context.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const killAt = (calls: string, when: number, path: string): readonly string[] => [
  // Without --seccomp-bpf, which misses writes
  ...['strace', '-f', '-qq', '-o', '/dev/null', '-P', path],
  ...['-e', `trace=${calls}`, '-e', `inject=${calls}:signal=KILL:when=${when}`],
];

test.skipIf(noStrace !== undefined)(
  `fault 4: kills at each write of a migration leave the old queue or the new one (${noStrace ?? 'strace'})`,
  async (context) => {
    const folder = makeFolder(context);
    const versions = new Set<number>();
    for (const [calls, when] of [1, 2, 3, 5, 8, 12, 20, 30, 45].flatMap(
      (number) =>
        [
          ['pwrite64', number],
          ['fsync,fdatasync', number],
        ] as const,
    )) {
      const file = join(folder, `${calls}-${when}.db`);
      const old = new Database(file);
      old.pragma(`application_id = ${APPLICATION_ID}`);
      old.exec(firstSchema);
      old.pragma('user_version = 1');
      old.exec(`INSERT INTO desk VALUES (1, 'desk-1'); INSERT INTO incidents (id, root_id, root_path, export_path,
        birth_ms, title, sources, created_at, updated_at) VALUES ('one', 'r', '/r', 'e', 1, 'One', '{}', 1, 1)`);
      old.close();
      const writer = startRowWriter(file, {
        command: killAt(calls, when, file),
        args: ['1000', 'full', '1'],
      });
      await writer.ended;
      const left = new Database(file);
      expect(left.pragma('integrity_check', { simple: true })).toBe('ok');
      versions.add(Number(left.pragma('user_version', { simple: true })));
      left.close();
      expect(rowsOf(file)).toBeGreaterThanOrEqual(1);
    }
    expect([...versions].toSorted((a, b) => a - b)[0]).toBe(1);
  },
);

test.skipIf(noStrace !== undefined)(
  `fault 5: kills during a checkpoint lose no row that was said to be stored (${noStrace ?? 'strace'})`,
  async (context) => {
    const file = join(makeFolder(context), 'queue.db');
    for (const when of [3, 7, 15, 31, 63]) {
      const writer = startRowWriter(file, {
        command: killAt('pwrite64', when, file),
        args: ['4', 'full', '500'],
      });
      await writer.ended;
      expect(rowsOf(file)).toBeGreaterThanOrEqual(writer.said());
    }
    expect(rowsOf(file)).toBeGreaterThan(10);
  },
);

/** Why a power cut of a disk cannot be simulated here; undefined when it can. */
const noDisk = ((): string | undefined => {
  if (process.getuid?.() !== 0) return 'needs root on Linux';
  const folder = mkdtempSync(join(tmpdir(), 'loop-'));
  try {
    makeDisk(folder)();
    return undefined;
  } catch {
    return 'a file cannot be mounted as a disk';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
})();

/** An ext4 file system in `disk.img`, mounted at `disk`; returns a function that unmounts it. */
function makeDisk(folder: string): () => void {
  const image = join(folder, 'disk.img');
  execFileSync('truncate', ['-s', `${DISK_MIB}M`, image]);
  execFileSync('mkfs.ext4', ['-q', '-F', image], { stdio: 'ignore' });
  return mountImage(image, join(folder, 'disk'));
}

function mountImage(image: string, at: string): () => void {
  mkdirSync(at, { recursive: true });
  execFileSync('mount', ['-o', 'loop', image, at], { stdio: 'ignore' });
  return () => void execFileSync('umount', [at]);
}

/**
 * Compares the disk at moments during writing with the rows reported as stored by then. Returns how many rows were lost
 * in all.
 */
async function cutPower(
  context: TestContext,
  args: readonly string[],
  cuts: number,
  untilLost = Number.POSITIVE_INFINITY,
): Promise<number> {
  const folder = makeFolder(context);
  const unmount = makeDisk(folder);
  const writer = startRowWriter(join(folder, 'disk', 'queue.db'), { args });
  let lost = 0;
  try {
    await eventually(() => writer.said() > 20, 'the first rows', 60_000);
    for (let cut = 0; cut < cuts && lost < untilLost; cut += 1) {
      await sleep(40 + Math.random() * 200);
      const said = writer.said();
      const copy = join(folder, 'copy.img');
      // Copying takes a while: anything written meanwhile would be in the end of the copy but not in its beginning
      writer.child.kill('SIGSTOP');
      copyFileSync(join(folder, 'disk.img'), copy);
      writer.child.kill('SIGCONT');
      const unmountCopy = mountImage(copy, join(folder, 'copy'));
      try {
        lost += Math.max(0, said - rowsOf(join(folder, 'copy', 'queue.db')));
      } finally {
        unmountCopy();
      }
    }
  } finally {
    writer.child.kill('SIGKILL');
    await writer.ended;
    unmount();
  }
  return lost;
}

const waits = [
  ['full', 'synced by each commit'],
  ['beside', 'synced beside the main thread'],
  ['thread', 'with checkpoints on a thread of their own'],
] as const;

test.skipIf(noDisk !== undefined).for(waits)(
  `fault 21: ${CUTS} power cuts lose no row that was said to be stored, $1 (${noDisk ?? 'ext4 in a file'})`,
  async ([durability], context) => {
    expect(await cutPower(context, ['1000', durability], CUTS)).toBe(0);
  },
);

test.skipIf(noDisk !== undefined).for(waits)(
  `fault 22: ${CUTS} power cuts with a checkpoint every few rows lose none either, $1 (${noDisk ?? 'ext4 in a file'})`,
  async ([durability], context) => {
    expect(await cutPower(context, ['4', durability], CUTS)).toBe(0);
  },
);

test.skipIf(noDisk !== undefined)(
  `fault 21: the same power cuts lose rows of a queue that does not wait for the disk (${noDisk ?? 'ext4 in a file'})`,
  async (context) => {
    expect(await cutPower(context, ['1000', 'normal'], 30, 1)).toBeGreaterThan(0);
  },
);
