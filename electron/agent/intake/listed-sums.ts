import { FailureError } from '../../../shared/domain/failure.ts';
import { agentPolicyOf } from '../core/failures/failure-policy.ts';
import { folderOfExport, type ExportRef, type SettledFile } from '../core/settle/file-seen.ts';
import type { FileSums, ListedSums } from '../files/file-sum.ts';

/** Most sums that are remembered, so that a clip that differs is not hashed at every look. */
const MOST_REMEMBERED = 10_000;
/**
 * The same while an export is hashed over several calls: the largest has 100,000 clips, and others may be under way.
 */
const MOST_IN_PROGRESS = 200_000;

/** The sums of clips that lists name, each computed once. */
export interface SumMemory {
  /**
   * Undefined: the file changed, and the watch hands it over again; or it cannot be read while others can, and its
   * upload reports that. All other failures are retried: rejects with `FailureError`.
   */
  of(ref: ExportRef, file: SettledFile, signal: AbortSignal): Promise<ListedSums | undefined>;
  /** Whether the next call continues with this export: until then none of its sums is forgotten. */
  setUnfinished(ref: ExportRef, isUnfinished: boolean): void;
}

/** Creates an empty memory. */
export function createSumMemory(listSums: FileSums): SumMemory {
  const remembered = new Map<string, ListedSums>();
  const unfinished = new Set<string>();

  return {
    async of(ref, file, signal) {
      const { path, sizeBytes, mtimeNs, ctimeNs, inode } = file;
      const key = [keyOf(ref), path, sizeBytes, mtimeNs, ctimeNs, inode].join('\n');
      const before = remembered.get(key);
      if (before !== undefined) return before;
      const source = { rootPath: ref.rootPath, folder: folderOfExport(ref), path, version: file };
      const found = await listSums({ ...source, isFolderGone: false }, signal);
      if (!found.ok) {
        const { code, retryAfterMs } = found.error;
        const { file: became } = agentPolicyOf(code);
        const isChanged = became === 'changed' || became === 'leftOut';
        if (isChanged || (became === 'unreadable' && retryAfterMs !== undefined)) return undefined;
        throw new FailureError(found.error);
      }
      // An export whose first sums are forgotten before its last one is computed would start over forever
      const most = unfinished.size > 0 ? MOST_IN_PROGRESS : MOST_REMEMBERED;
      if (remembered.size >= most) remembered.clear();
      remembered.set(key, found.value);
      return found.value;
    },
    setUnfinished(ref, isUnfinished) {
      if (isUnfinished) unfinished.add(keyOf(ref));
      else unfinished.delete(keyOf(ref));
    },
  };
}

const keyOf = ({ rootId, exportPath }: ExportRef): string => `${rootId}\n${exportPath}`;
