import { isUtf8 } from 'node:buffer';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { fsPromises, type BigIntStats, type Dir, type Dirent } from './plain-fs.ts';
import type { FileSeen } from '../core/settle/file-seen.ts';
import { entryStats, isNone, kindOf, MOST_OPERATION_MS, type EntryStats } from './entry-stats.ts';
import type { RootGate } from './root-gate.ts';
import { isProcessTrouble } from '../system-errors.ts';

/** Names read at a time from a large folder: few enough that the event loop is free again within milliseconds. */
const SLICE_ENTRIES = 256;
/**
 * A folder record of this size holds some ten thousand names, bytes. Reading it whole would stop the event loop for
 * 130 ms at 100,000 names; reading slices costs three times as much in a small folder, so only large ones are.
 */
const LARGE_FOLDER_BYTES = 512 * 1024;
/** Fewer entries are read without a thread: starting one costs as much as some hundreds. */
const FEW_ENTRIES = 32;

/** A name in a folder. Nothing was opened, links were not followed. */
export interface Entry {
  readonly name: string;
  readonly kind: FileSeen['kind'];
}

/** The contents of a folder. */
export interface Entries {
  readonly entries: readonly Entry[];
  /** Names that are not valid UTF-8, in hexadecimal: nothing can be done with them through Node's text paths. */
  readonly unreadable: readonly string[];
}

/** Lists one folder through the gate. Rejects as `readdir` does. */
export async function readEntries(
  gate: Pick<RootGate, 'run'>,
  path: string,
  folderBytes: bigint,
  signal?: AbortSignal,
): Promise<Entries> {
  const entries: Entry[] = [];
  const unreadable: string[] = [];
  const take = (name: Buffer, kind: Entry['kind']): void => {
    if (isUtf8(name)) entries.push({ name: name.toString('utf8'), kind });
    else unreadable.push(name.toString('hex'));
  };
  if (folderBytes > LARGE_FOLDER_BYTES) {
    await readInSlices(gate, path, take, signal);
  } else {
    const dirents = await gate.run(
      () => fsPromises.readdir(path, { withFileTypes: true, encoding: 'buffer' }),
      signal,
    );
    for (const dirent of dirents) take(dirent.name, kindOf(dirent));
  }
  return { entries, unreadable };
}

async function readInSlices(
  gate: Pick<RootGate, 'run'>,
  path: string,
  take: (name: Buffer, kind: Entry['kind']) => void,
  signal?: AbortSignal,
): Promise<void> {
  // latin1 keeps every byte of a name as one character; `opendir` cannot return buffers
  const open = (): Promise<Dir> =>
    fsPromises.opendir(path, { encoding: 'latin1', bufferSize: SLICE_ENTRIES });
  const folder = await gate.run(open, signal, closeQuietly);
  try {
    for (;;) {
      const slice = await gate.run(() => readSlice(folder), signal);
      for (const dirent of slice) take(Buffer.from(dirent.name, 'latin1'), kindOf(dirent));
      if (slice.length < SLICE_ENTRIES) return;
    }
  } finally {
    // not through the gate: while something hangs it would refuse, and the handle would leak
    closeQuietly(folder);
  }
}

async function readSlice(folder: Dir): Promise<readonly Dirent[]> {
  const slice: Dirent[] = [];
  while (slice.length < SLICE_ENTRIES) {
    const dirent = await folder.read();
    if (dirent === null) break;
    slice.push(dirent);
  }
  return slice;
}

function closeQuietly(folder: Dir): void {
  folder.close().catch(() => undefined);
}

/** Stats of an entry; undefined where there is none. Errors: the system's. */
type StatOutcome = Result<EntryStats | undefined, unknown>;

/** Current stats of entries, in their order. Never rejects. */
export async function statsOf(
  gate: RootGate,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<readonly StatOutcome[]> {
  const outcomes: StatOutcome[] = [];
  while (outcomes.length < paths.length) {
    const rest = paths.slice(outcomes.length);
    const some = await gate.run(() => statSome(gate, rest), signal).catch((error: unknown) => [err(error)]);
    outcomes.push(...some);
  }
  return outcomes;
}

/** As many as fit in one operation: the gate costs more than a look. Rejects when this program lacks resources. */
async function statSome({ reader }: RootGate, paths: readonly string[]): Promise<readonly StatOutcome[]> {
  if (reader !== undefined && paths.length >= FEW_ENTRIES) {
    const looks = await reader.stats(paths);
    return looks.map((look) => (look.ok ? look : otherwise(Object.assign(new Error(), look.error))));
  }
  const untilMs = performance.now() + MOST_OPERATION_MS;
  const outcomes: StatOutcome[] = [];
  for (const path of paths) {
    outcomes.push(await lstatOf(path).then((stats) => ok(stats && entryStats(stats)), otherwise));
    if (performance.now() >= untilMs) break;
  }
  return outcomes;
}

function otherwise(error: unknown): StatOutcome {
  if (isProcessTrouble(error)) throw error;
  return err(error);
}

/** Current stats of an entry, links not followed; undefined when there is none. Otherwise rejects as `lstat` does. */
export const statOf = (
  gate: RootGate,
  path: string,
  signal?: AbortSignal,
): Promise<BigIntStats | undefined> => gate.run(() => lstatOf(path), signal);

async function lstatOf(path: string): Promise<BigIntStats | undefined> {
  try {
    return await fsPromises.lstat(path, { bigint: true });
  } catch (error) {
    if (isNone(error)) return undefined;
    throw error;
  }
}

/** A `FileSeen` from an entry's stats. */
export function fileSeenOf(path: string, stats: EntryStats): FileSeen {
  return {
    path,
    kind: stats.kind,
    sizeBytes: Number(stats.size),
    mtimeNs: String(stats.mtimeNs),
    ctimeNs: String(stats.ctimeNs),
    inode: String(stats.ino),
    device: String(stats.dev),
    links: Number(stats.nlink),
  };
}
