import type { ExportRef } from '../core/settle/file-seen.ts';

/** What tells one folder of one disk from another at the same path. */
export interface RootIdentity {
  readonly device: string;
  readonly inode: string;
}

/** An export as it is remembered. */
export interface ExportIdentity {
  readonly inode: string;
  readonly birthMs: number;
}

/** Remembered exports that are compared when the identity of a root differs: enough to be sure, few enough to be cheap. */
export const MOST_COMPARED = 16;

/**
 * What stands at a root's path now. `recreated`: a new folder on the same disk. `remounted`: device numbers changed
 * but the exports are the known ones. `other-disk`: neither.
 */
export type RootStanding = 'same' | 'recreated' | 'remounted' | 'other-disk';

/** Judges a root's identity; `matching` of `compared` remembered exports were found as they were. */
export function judgeRoot(
  before: RootIdentity | undefined,
  now: RootIdentity,
  found: { readonly compared: number; readonly matching: number },
): RootStanding {
  if (before === undefined) return 'same';
  if (before.device === now.device) return before.inode === now.inode ? 'same' : 'recreated';
  // with nothing remembered nothing can be mistaken for deleted
  if (found.compared === 0) return 'remounted';
  return found.matching * 2 >= found.compared ? 'remounted' : 'other-disk';
}

/**
 * Whether a folder of the same name is still the same export. Inode numbers change on some shares and memory cards,
 * birth times are missing on others: one that is known and equal is enough.
 */
export function isSameExport(
  before: ExportIdentity,
  ref: Pick<ExportRef, 'birthMs'>,
  inode: string,
): boolean {
  if (before.birthMs > 0 && ref.birthMs > 0) return before.birthMs === ref.birthMs;
  return before.inode === inode;
}
