import { constants, type BigIntStats } from 'node:fs';
import { sep } from 'node:path';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { FileVersion } from '../core/settle/file-seen.ts';
import { fileIsLink, fileNotRegular } from './evidence-failure.ts';

/** Windows has neither flag; there the look before the open is all there is. Non-blocking: a pipe never hangs the open. */
export const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** What may not even be opened. */
export function refusalOf(stats: BigIntStats, name: string): Failure | undefined {
  if (stats.isSymbolicLink()) return fileIsLink(name);
  return stats.isFile() ? undefined : fileNotRegular(name);
}

/** Whether a folder is the root or lies in it; both without links. */
export function isInside(realRoot: string, realFolder: string): boolean {
  const prefix = realRoot.endsWith(sep) ? realRoot : realRoot + sep;
  return realFolder === realRoot || realFolder.startsWith(prefix);
}

/** Whether both are the same file of the same disk. */
export function isSameFile(one: BigIntStats, other: BigIntStats): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}

/** The version that these facts tell. */
export function versionOf(stats: BigIntStats): FileVersion {
  return {
    sizeBytes: Number(stats.size),
    mtimeNs: stats.mtimeNs.toString(),
    inode: stats.ino.toString(),
    device: stats.dev.toString(),
  };
}

/** How the version that was found differs from the one that was meant; undefined when it does not. */
export function differenceOf(expected: FileVersion, found: FileVersion): string | undefined {
  if (found.inode !== expected.inode || found.device !== expected.device)
    return 'was replaced by another file';
  if (found.sizeBytes < expected.sizeBytes) return 'became shorter';
  if (found.sizeBytes > expected.sizeBytes) return 'became longer';
  return found.mtimeNs === expected.mtimeNs ? undefined : 'was written to';
}
