import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { FileSeen } from '../core/settle/file-seen.ts';
import { fs, type BigIntStats, type Dirent } from './plain-fs.ts';
import { systemErrorName } from '../system-errors.ts';

/** How long one operation continues with further entries, milliseconds: on a slow share that is one or two entries. */
export const MOST_OPERATION_MS = 50;

/** An entry's stats without methods, so that they can be passed between threads. */
export interface EntryStats extends Pick<
  BigIntStats,
  'dev' | 'ino' | 'nlink' | 'size' | 'mtimeNs' | 'ctimeNs' | 'mtimeMs' | 'birthtimeMs'
> {
  readonly kind: FileSeen['kind'];
}

/** The fields of a system error, which would lose all but its text between threads. */
type SentError = Pick<NodeJS.ErrnoException, 'message' | 'errno' | 'code'>;

/** Stats of entries, links not followed; undefined where there is no entry. */
export type Looks = readonly Result<EntryStats | undefined, SentError>[];

/** Reads stats synchronously, of the first paths that time allows: in a thread, at a tenth of the main loop's cost. */
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

/** The fields in use of what `lstat` returns. */
export function entryStats(stats: BigIntStats): EntryStats {
  const { dev, ino, nlink, size, mtimeNs, ctimeNs, mtimeMs, birthtimeMs } = stats;
  return { dev, ino, nlink, size, mtimeNs, ctimeNs, mtimeMs, birthtimeMs, kind: kindOf(stats) };
}

/** Kind of an entry, from a listing or its stats. */
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
