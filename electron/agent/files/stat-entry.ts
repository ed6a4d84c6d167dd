import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import type { FileSeen } from '../core/settle/file-seen.ts';
import type { RootGate } from './root-gate.ts';
import { errorCodeOf } from './watch-failures.ts';

/** How an entry stands now, links not followed; undefined when there is none. Rejects as `lstat` does otherwise. */
export async function statOf(
  gate: RootGate,
  path: string,
  signal?: AbortSignal,
): Promise<BigIntStats | undefined> {
  try {
    return await gate.run(() => lstat(path, { bigint: true }), signal);
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** The file system's description of an entry in the agent's words. */
export function fileSeenOf(path: string, stats: BigIntStats): FileSeen {
  return {
    path,
    kind: kindOf(stats),
    sizeBytes: Number(stats.size),
    mtimeNs: String(stats.mtimeNs),
    inode: String(stats.ino),
    device: String(stats.dev),
    links: Number(stats.nlink),
  };
}

function kindOf(stats: BigIntStats): FileSeen['kind'] {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'link' : 'other';
}
