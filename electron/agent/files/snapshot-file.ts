import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { fs, type BigIntStats } from './plain-fs.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { FileVersion } from '../core/settle/file-seen.ts';
import {
  closeQuietly,
  differenceOf,
  differenceSince,
  isInside,
  isOffline,
  isSameFile,
  OPEN_FLAGS,
  refusalOf,
  versionOf,
} from './opened-file.ts';
import { fileChanged, fileFailure, fileNotRegular, fileOffline, fileOutside } from './file-failures.ts';

/** Files of up to this size are read whole by the thread that reads small files, bytes. */
export const SMALL_BYTES = 256 * 1024;

/** A file of at most `SMALL_BYTES` to read whole. `path` is absolute, `name` is its name in messages. */
export interface SnapshotRequest {
  readonly path: string;
  readonly rootPath: string;
  readonly name: string;
  readonly version: FileVersion;
  /** Whether to compute its MD5, to compare with the etag of some storage. */
  readonly withMd5?: boolean;
  /** Whether the SHA-256 of an earlier read will do, if nothing has changed the file since. */
  readonly mayBeKnown?: boolean;
}

/** The file that a path names now. */
export interface FileLook {
  readonly version: FileVersion;
  /** Nanoseconds since 1970. */
  readonly ctimeNs: string;
}

/** Checks the path once more, synchronously and without opening anything. `name` is its name in messages. */
export function lookAgain({ path, name }: Pick<SnapshotRequest, 'path' | 'name'>): Result<FileLook, Failure> {
  try {
    const stats = fs.lstatSync(path, { bigint: true });
    return ok({ version: versionOf(stats), ctimeNs: stats.ctimeNs.toString() });
  } catch (error) {
    return err(fileFailure(error, name));
  }
}

/** All bytes of a file at one moment, and their sums. */
export interface Snapshot extends FileBytes {
  readonly version: FileVersion;
  readonly sha256: string;
  readonly md5?: string;
}

/** All bytes of a file at one moment. */
export interface FileBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A whole file at one moment, without its bytes. */
export type FileSums = Omit<Snapshot, 'bytes'>;

/** A snapshot is taken synchronously: no two files are ever in it. */
const sumBuffer = new Uint8Array(SMALL_BYTES);

/** Computes the sums of a whole file. Errors: those of `takeSnapshot`. */
export function sumFile(request: SnapshotRequest): Result<FileSums, Failure> {
  const known = request.mayBeKnown === true ? knownSums(request) : undefined;
  if (known !== undefined) return ok(known);
  const taken = takeSnapshot(request, sumBuffer);
  if (!taken.ok) return taken;
  const { bytes: _bytes, ...sums } = taken.value;
  return ok(sums);
}

/**
 * Reads a whole file as `takeSnapshot` does and returns no sums, but remembers its SHA-256: a file on a share is read
 * once while it is taken in. FILE_OFFLINE where a cloud drive would have to fetch it.
 */
export function readBytes(request: SnapshotRequest): Result<FileBytes, Failure> {
  return opened(request, (fd, stats) => {
    if (isOffline(stats)) return err(fileOffline(request.name));
    const file = read(fd, stats, request, new Uint8Array(request.version.sizeBytes));
    if (file.ok) remember(request.path, stats, sumOf('sha256', file.value.bytes));
    return file;
  });
}

/** What was read of a file, and its change time before that, nanoseconds since 1970. */
interface KnownSums {
  readonly sums: FileSums;
  readonly ctimeNs: bigint;
}

/** Most files whose sums are remembered: 2 to 3 MB at most. */
const MOST_KNOWN = 5_000;
/** By path, in the order in which they were read. */
const sumsRead = new Map<string, KnownSums>();

/** `stats`: of the open file before it was read. */
function remember(path: string, stats: BigIntStats, sha256: string): string {
  sumsRead.delete(path);
  const [oldest] = sumsRead.keys();
  if (sumsRead.size >= MOST_KNOWN && oldest !== undefined) sumsRead.delete(oldest);
  sumsRead.set(path, { sums: { version: versionOf(stats), sha256 }, ctimeNs: stats.ctimeNs });
  return sha256;
}

/**
 * A file that was written to has a new change time, and one in its place another inode. Where a file system keeps no
 * change time, size and time of modification tell, as everywhere else.
 */
function knownSums({ path, version }: SnapshotRequest): FileSums | undefined {
  const known = sumsRead.get(path);
  if (known === undefined || differenceSince(version, known.sums.version) !== undefined) return undefined;
  const stats = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
  const isSame =
    stats?.ctimeNs === known.ctimeNs && differenceOf(known.sums.version, versionOf(stats)) === undefined;
  return isSame ? known.sums : undefined;
}

/**
 * Reads a whole file by the rules of `openFile`, synchronously: in a thread of its own, that costs a fifth of what the
 * same calls cost on the main loop. The bytes are those of one version, which is checked before and after; they are at
 * the start of `buffer`, as a new one for each file would cost as much as reading it.
 */
export function takeSnapshot(
  request: SnapshotRequest,
  buffer: Uint8Array<ArrayBuffer>,
): Result<Snapshot, Failure> {
  if (request.version.sizeBytes > buffer.length) throw new Error('The file does not fit into its buffer');
  return opened(request, (fd, stats) => {
    const file = read(fd, stats, request, buffer.subarray(0, request.version.sizeBytes));
    if (!file.ok) return file;
    const { bytes } = file.value;
    const sha256 = remember(request.path, stats, sumOf('sha256', bytes));
    const md5 = request.withMd5 === true ? { md5: sumOf('md5', bytes) } : {};
    return ok({ bytes, version: versionOf(stats), sha256, ...md5 });
  });
}

const sumOf = (algorithm: string, bytes: Uint8Array): string =>
  createHash(algorithm).update(bytes).digest('hex');

function opened<T>(
  request: SnapshotRequest,
  use: (fd: number, stats: BigIntStats) => Result<T, Failure>,
): Result<T, Failure> {
  let fd: number | undefined;
  try {
    const refusal = refusalOf(fs.lstatSync(request.path, { bigint: true }), request.name);
    if (refusal !== undefined) return err(refusal);
    fd = fs.openSync(request.path, OPEN_FLAGS);
    const stats = fs.fstatSync(fd, { bigint: true });
    const problem = problemOf(stats, request);
    return problem === undefined ? use(fd, stats) : err(problem);
  } catch (error) {
    return err(fileFailure(error, request.name));
  } finally {
    if (fd !== undefined) closeQuietly(fd);
  }
}

function problemOf(stats: BigIntStats, request: SnapshotRequest): Failure | undefined {
  const { path, rootPath, name, version } = request;
  if (!stats.isFile()) return fileNotRegular(name);
  const change = differenceSince(version, versionOf(stats));
  if (change !== undefined) return fileChanged(name, change);
  const realFolder = fs.realpathSync.native(dirname(path));
  if (!isInside(fs.realpathSync.native(rootPath), realFolder)) return fileOutside(name);
  // The folder may have been swapped for a link after the open: its real path must name the very file that is open.
  const named = fs.lstatSync(join(realFolder, basename(path)), { bigint: true });
  return isSameFile(named, stats) ? undefined : fileChanged(name, 'was replaced while it was being opened');
}

function read(
  fd: number,
  stats: BigIntStats,
  { name }: SnapshotRequest,
  bytes: Uint8Array<ArrayBuffer>,
): Result<FileBytes, Failure> {
  let done = 0;
  while (done < bytes.length) {
    const count = fs.readSync(fd, bytes, done, bytes.length - done, done);
    if (count === 0) return err(fileChanged(name, 'became shorter while it was being read'));
    done += count;
  }
  const after = fs.fstatSync(fd, { bigint: true });
  const change = differenceOf(versionOf(stats), versionOf(after));
  return change === undefined ? ok({ bytes }) : err(fileChanged(name, change));
}
