import { basename, dirname, join, sep } from 'node:path';
import { fs, fsPromises, type BigIntStats, type FileHandle } from './plain-fs.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { FileVersion } from '../core/settle/file-seen.ts';
import { fileChanged, fileFailure, fileNotRegular, fileOutside, fileIsLink } from './file-failures.ts';
import { isProcessTrouble } from '../system-errors.ts';

/** Non-blocking: a pipe never hangs the open. Windows lacks both optional flags and relies on the check before it. */
export const OPEN_FLAGS =
  fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0);

/** Smallest size at which no blocks mean offline, bytes: Windows keeps smaller files in its folder records. */
const LEAST_OFFLINE_BYTES = 64 * 1024;

/** Whether a Windows cloud drive keeps a file's bytes elsewhere. On other systems a file without blocks is sparse. */
export function isOffline(
  { size, blocks }: Pick<BigIntStats, 'size' | 'blocks'>,
  platform: NodeJS.Platform = process.platform,
): boolean {
  return platform === 'win32' && size >= LEAST_OFFLINE_BYTES && blocks === 0n;
}

/** A regular file of a watched folder, opened once; everything that is sent or hashed is read through this. */
export interface OpenedFile {
  /** Its name in messages. */
  readonly name: string;
  readonly version: FileVersion;
  /** A cloud drive keeps the bytes: the first read would download them. */
  readonly isOffline: boolean;
  /** Descriptor for worker threads, which must have finished with it before `close`. */
  readonly fd: number;
  /** Reads `length` bytes, or up to the end of the file; returns the number read. Rejects with the system's error. */
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<number>;
  /** Reads exactly `length` bytes. FILE_CHANGED when the file ends before, FILE_READ and its like on errors. */
  readExactly(buffer: Uint8Array, length: number, position: number): Promise<Result<void, Failure>>;
  /**
   * Whether handle and path are still the version that was opened: FILE_CHANGED, FILE_GONE. `isTouched` when the file
   * system noted any change since then, be it of name, permissions or times only: no program can undo that.
   */
  verifyUnchanged(): Promise<Result<StillSame, Failure>>;
  /** Waits for reads in flight. Safe to call twice, and never rejects. */
  close(): Promise<void>;
}

/** A file that is still the version that was opened. `ctimeNs`: its current change time, nanoseconds since 1970. */
export interface StillSame {
  readonly isTouched: boolean;
  readonly ctimeNs: string;
}

/**
 * Opens the file at `path` (absolute, inside `root`) for reading, without following a link and without touching
 * anything but a regular file. With `expected`, any other version is FILE_CHANGED. Messages call the file `name`: they
 * may become part of the incident, where a path of this desk does not belong. Rejects with the system's error when this
 * program has run out of handles.
 */
export async function openFile(
  path: string,
  expected: FileVersion | undefined,
  root: string,
  name: string = path,
): Promise<Result<OpenedFile, Failure>> {
  let handle: FileHandle | undefined;
  try {
    const refusal = refusalOf(await fsPromises.lstat(path, { bigint: true }), name);
    if (refusal !== undefined) return err(refusal);
    handle = await fsPromises.open(path, OPEN_FLAGS);
    const stats = await handle.stat({ bigint: true });
    const problem = await problemOf(stats, path, expected, root, name);
    if (problem === undefined) return ok(openedFile(handle, path, stats, name));
    await handle.close();
    return err(problem);
  } catch (error) {
    await handle?.close().catch(() => undefined);
    // The gate retries
    if (isProcessTrouble(error)) throw error;
    return err(fileFailure(error, name));
  }
}

async function problemOf(
  stats: BigIntStats,
  path: string,
  expected: FileVersion | undefined,
  root: string,
  name: string,
): Promise<Failure | undefined> {
  if (!stats.isFile()) return fileNotRegular(name);
  const change = expected === undefined ? undefined : differenceSince(expected, versionOf(stats));
  if (change !== undefined) return fileChanged(name, change);
  const [realRoot, realFolder] = await Promise.all([
    fsPromises.realpath(root),
    fsPromises.realpath(dirname(path)),
  ]);
  if (!isInside(realRoot, realFolder)) return fileOutside(name);
  // The folder may have been swapped for a link after the open: its real path must name the very file that is open.
  const named = await fsPromises.lstat(join(realFolder, basename(path)), { bigint: true });
  return isSameFile(named, stats) ? undefined : fileChanged(name, 'was replaced while it was being opened');
}

function openedFile(handle: FileHandle, path: string, stats: BigIntStats, name: string): OpenedFile {
  const version = versionOf(stats);
  let closing: Promise<void> | undefined;
  return {
    name,
    version,
    isOffline: isOffline(stats),
    fd: handle.fd,
    read: (buffer, offset, length, position) => readUntil(handle, buffer, offset, length, position),
    readExactly: (buffer, length, position) => readExactly(handle, name, buffer, length, position),
    verifyUnchanged: () => verifyUnchanged(handle, path, stats, name),
    // Nothing was written: a share that answers with an error has closed it anyway
    close: () => (closing ??= handle.close().catch(() => undefined)),
  };
}

async function readUntil(
  handle: FileHandle,
  buffer: Uint8Array,
  offset: number,
  length: number,
  position: number,
): Promise<number> {
  let done = 0;
  while (done < length) {
    const { bytesRead } = await handle.read(buffer, offset + done, length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return done;
}

async function readExactly(
  handle: FileHandle,
  name: string,
  buffer: Uint8Array,
  length: number,
  position: number,
): Promise<Result<void, Failure>> {
  try {
    const bytes = await readUntil(handle, buffer, 0, length, position);
    return bytes === length
      ? ok(undefined)
      : err(fileChanged(name, 'became shorter while it was being read'));
  } catch (error) {
    return err(fileFailure(error, name));
  }
}

async function verifyUnchanged(
  handle: FileHandle,
  path: string,
  opened: BigIntStats,
  name: string,
): Promise<Result<StillSame, Failure>> {
  const version = versionOf(opened);
  try {
    const [open, named] = await Promise.all([
      handle.stat({ bigint: true }),
      fsPromises.lstat(path, { bigint: true }),
    ]);
    const change = differenceOf(version, versionOf(open)) ?? differenceOf(version, versionOf(named));
    if (change !== undefined) return err(fileChanged(name, change));
    return ok({ isTouched: open.ctimeNs !== opened.ctimeNs, ctimeNs: open.ctimeNs.toString() });
  } catch (error) {
    return err(fileFailure(error, name));
  }
}

/**
 * Opens a file for reading, synchronously, for use in a worker. Links are not followed, pipes do not block, and
 * anything but a regular file is closed again immediately. The caller closes the file.
 */
export function openRegular(path: string): Result<OpenFile, Failure> {
  const name = basename(path);
  try {
    const descriptor = fs.openSync(path, OPEN_FLAGS);
    const stats = fs.fstatSync(descriptor);
    if (stats.isFile()) return ok({ descriptor, sizeBytes: stats.size });
    closeQuietly(descriptor);
    return err(fileNotRegular(name));
  } catch (error) {
    return err(fileFailure(error, name));
  }
}

/** Closes a descriptor that was only read from; errors are ignored because they do not matter then. */
export function closeQuietly(descriptor: number): void {
  try {
    fs.closeSync(descriptor);
  } catch {
    // The system has closed it anyway
  }
}

/** A regular file, open for reading in a worker. */
export interface OpenFile {
  readonly descriptor: number;
  readonly sizeBytes: number;
}

/** Why an entry must not even be opened; undefined for a regular file. */
export function refusalOf(stats: BigIntStats, name: string): Failure | undefined {
  if (stats.isSymbolicLink()) return fileIsLink(name);
  return stats.isFile() ? undefined : fileNotRegular(name);
}

/** Whether a folder is the root or inside it; both paths without links. */
export function isInside(realRoot: string, realFolder: string): boolean {
  const prefix = realRoot.endsWith(sep) ? realRoot : realRoot + sep;
  return realFolder === realRoot || realFolder.startsWith(prefix);
}

/** Whether both are the same file of the same disk. */
export function isSameFile(one: BigIntStats, other: BigIntStats): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}

/** The file version that these stats describe. */
export function versionOf(stats: BigIntStats): FileVersion {
  return {
    sizeBytes: Number(stats.size),
    mtimeNs: stats.mtimeNs.toString(),
    inode: stats.ino.toString(),
    device: stats.dev.toString(),
  };
}

/** How the found version differs from the expected one; undefined when it does not. */
export function differenceOf(expected: FileVersion, found: FileVersion): string | undefined {
  if (found.inode !== expected.inode || found.device !== expected.device)
    return 'was replaced by another file';
  if (found.sizeBytes < expected.sizeBytes) return 'became shorter';
  if (found.sizeBytes > expected.sizeBytes) return 'became longer';
  return found.mtimeNs === expected.mtimeNs ? undefined : 'was modified';
}

/**
 * `differenceOf` for a version that was noted earlier. A disk or share that was mounted again may renumber its files:
 * if the device differs, only size and time tell whether it is the same file.
 */
export function differenceSince(noted: FileVersion, found: FileVersion): string | undefined {
  const { inode, device } = found;
  return differenceOf(noted.device === device ? noted : { ...noted, inode, device }, found);
}
