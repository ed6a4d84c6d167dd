import { appendFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import type { TestContext } from 'vitest';
import { DATABASE_FILE } from '../../../electron/agent/store/open-db.ts';
import type { Bench } from '../../helpers/agent-bench.ts';
import { noise } from '../../helpers/bench-files.ts';
import { startFolderBench } from './folder-bench.ts';

/** Time without changes after which a file settles, seconds; looks come four times as often. */
const SETTLE_SECONDS = 2;
/** The size of a recorder's writes, and their interval. */
export const PIECE_BYTES = 64 * 1024;
export const PIECE_MS = 50;

type FolderOptions = NonNullable<Parameters<typeof startFolderBench>[1]>;

/** An agent that sends parts of a file while it is still written. */
export async function startGrowingBench(
  context: Pick<TestContext, 'onTestFinished'>,
  options: FolderOptions = {},
) {
  const upload = { whileWriting: 'auto', ...(options.settings?.['upload'] as object | undefined) };
  const bench = await startFolderBench(context, {
    ...options,
    watch: { settleSeconds: SETTLE_SECONDS, ...options.watch },
    settings: { ...options.settings, upload },
  });
  return {
    ...bench,
    ...growingFiles(bench),
    /** Waits until this many clips are sent and everything has settled. */
    async untilSent(clips = 1): Promise<void> {
      await bench.until(() => bench.of('clip.uploaded').length >= clips, 'the clip');
      await bench.untilIdle();
    },
  };
}

export type GrowingBench = Awaited<ReturnType<typeof startGrowingBench>>;

/** Writes files as a recorder does, and reads the queue's state of them. */
export function growingFiles(bench: Pick<Bench, 'root' | 'dataDir' | 'simulator'>) {
  const pathOf = (path: string): string => join(bench.root, path);
  const prints = new Map<string, Set<string>>();
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- rows come untyped from the driver
  function rows<Row>(sql: string): readonly Row[] {
    const db = new Database(join(bench.dataDir, DATABASE_FILE), { readonly: true });
    try {
      return db.prepare<[], Row>(sql).all();
    } finally {
      db.close();
    }
  }
  return {
    rows,
    pathOf,
    /** The number of parts in storage of files that are still written. */
    livePartCount: (): number =>
      rows<{ count: number }>('SELECT count(*) AS count FROM live_parts WHERE etag IS NOT NULL')[0]?.count ??
      0,
    liveCount: (): number =>
      rows<{ count: number }>('SELECT count(*) AS count FROM live_uploads')[0]?.count ?? 0,
    /** The number of different states of an export seen so far, as sampled by the calls of this function. */
    looksAt(folder: string): number {
      const seen = prints.get(folder) ?? new Set<string>();
      prints.set(folder, seen);
      for (const row of rows<{ path: string; print: string }>(
        'SELECT export_path AS path, print FROM seen_exports',
      ))
        if (row.path === folder) seen.add(row.print);
      return seen.size;
    },
    /** The part numbers that were uploaded for one file, in order. */
    putParts: (fileId?: string): readonly number[] =>
      bench.simulator.requests
        .of('putPart')
        .filter((request) => fileId === undefined || request.fileId === fileId)
        .map(({ partNumber = 0 }) => partNumber),
    /** Writes `bytes`, then continues piece by piece like a recorder, until `fact` holds. */
    async growUntil(
      path: string,
      bytes: number,
      fact: () => unknown,
      next: (length: number) => Uint8Array = noise,
    ): Promise<void> {
      await mkdir(dirname(pathOf(path)), { recursive: true });
      await appendFile(pathOf(path), next(bytes));
      for (let pieces = 0; !fact(); pieces += 1) {
        if (pieces > 1_000) throw new Error(`${path} grew for long, and nothing came of it`);
        await appendFile(pathOf(path), next(PIECE_BYTES));
        await new Promise((resolve) => setTimeout(resolve, PIECE_MS));
      }
    },
  };
}
