import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { FileSeen } from '../core/settle/file-seen.ts';
import { fs, type BigIntStats, type Dirent } from './plain-fs.ts';
import { systemErrorName } from '../system-errors.ts';

/** One operation goes on to further entries for this long, milliseconds: on a slow share that is one or two. */
export const MOST_OPERATION_MS = 50;

/** What the file system says of an entry, without methods: it passes between threads. */
export interface EntryStats extends Pick<
  BigIntStats,
  'dev' | 'ino' | 'nlink' | 'size' | 'mtimeNs' | 'ctimeNs' | 'mtimeMs' | 'birthtimeMs'
> {
  readonly kind: FileSeen['kind'];
}

/** A system's error as it passes between threads, which would keep its text only. */
type SentError = Pick<NodeJS.ErrnoException, 'message' | 'errno' | 'code'>;

/** How entries stand, links not followed; undefined where there is none. */
export type Looks = readonly Result<EntryStats | undefined, SentError>[];

/** Looks at entries synchronously, for a thread: there that costs a tenth of what it costs the main loop. At the first ones, as many as there is time for. */
export function lookAtSome(paths: readonly string[]): Looks {
  const untilMs = performance.now() + MOST_OPERATION_MS;
  const looks: Looks[number][] = [];
  for (const path of paths) {
    looks.push(lookAtOne(path));
    if (performance.now() >= untilMs) break;
  }
  return looks;
}

function lookAtOne(path: string): Result<EntryStats | undefined, SentError> {
  try {
    return ok(entryStats(fs.lstatSync(path, { bigint: true })));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { message, errno, code }: NodeJS.ErrnoException = error;
    return isNone(error) ? ok(undefined) : err({ message, errno, code });
  }
}

/** The facts that are asked for of what `lstat` answers. */
export function entryStats(stats: BigIntStats): EntryStats {
  const { dev, ino, nlink, size, mtimeNs, ctimeNs, mtimeMs, birthtimeMs } = stats;
  return { dev, ino, nlink, size, mtimeNs, ctimeNs, mtimeMs, birthtimeMs, kind: kindOf(stats) };
}

/** What an entry is, as the folder or the file system says. */
export function kindOf(entry: Pick<Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): FileSeen['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

/** Whether an error means that the entry does not exist. */
export function isNone(error: unknown): boolean {
  const name = systemErrorName(error);
  return name === 'ENOENT' || name === 'ENOTDIR';
}
