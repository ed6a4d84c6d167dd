import type { ExportRef, KnownFile } from '../core/settle/file-seen.ts';
import type { Tables } from './tables.ts';

/** Versions of an export's files that were taken before: clips in their newest generation, and its copies. */
export function knownFiles(
  { clips, sent }: Pick<Tables, 'clips' | 'sent'>,
  { rootId, exportPath: tree }: Pick<ExportRef, 'rootId' | 'exportPath'>,
): ReadonlyMap<string, KnownFile> {
  const files = new Map<string, KnownFile>();
  const above = tree === '' ? '' : `${tree}/`;
  for (const clip of clips.inTree(rootId, tree)) {
    const { exportPath, folder, birthMs, startedAt, endedAt } = clip;
    const path = folder === '' ? clip.path : `${folder}/${clip.path}`;
    if (!path.startsWith(above)) continue;
    const { sizeBytes, mtimeNs, inode, device } = clip;
    files.set(path.slice(above.length), {
      ...{ sizeBytes, mtimeNs, inode, device },
      ...(clip.folderGone === 0 && { owner: { exportPath, folder, birthMs } }),
      ...(startedAt !== null && { startMs: startedAt }),
      ...(endedAt !== null && { endMs: endedAt }),
      ...(clip.isNative === 1 && { isNative: true }),
    });
  }
  for (const copy of sent.copies(rootId, tree)) files.set(copy.path, copy);
  return files;
}
