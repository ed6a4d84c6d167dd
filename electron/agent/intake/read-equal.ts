import { join } from 'node:path';
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import { policyOf } from '../../../shared/domain/failure-policy.ts';
import { agentPolicyOf } from '../core/failures/failure-policy.ts';
import type { Standing } from '../core/records/judge-equal.ts';
import { type ExportRef, type FileSeen, folderOfExport } from '../core/settle/file-seen.ts';
import { readEntries, statOf } from '../files/read-entries.ts';
import type { SourceRef } from '../files/source-file.ts';
import type { IncidentRow } from '../store/incident-rows.ts';
import { type EqualDeps, type Folder, type LookUp, placeOf, type ReadFromDisk } from './find-equal.ts';

/** Files hashed at a time: each small one is in memory meanwhile. */
const SUMS_AT_ONCE = 32;

/**
 * Reads from disk what `lookUpEqual` asked for. Rejects with `FailureError` when a file cannot be read now: the folder
 * is handed over again.
 */
export async function readEqual(
  deps: EqualDeps,
  { snapshot: { ref } }: Folder,
  { toSum, toHash, toFind }: LookUp,
  disk: ReadFromDisk,
  signal: AbortSignal,
): Promise<void> {
  for (const incident of toFind)
    disk.standings.set(placeOf(incident), await findStanding(deps, ref, incident, signal));
  // A file without an optional sum is still queued: its upload waits for it, and reports that
  const read = async (file: FileSeen, isNeeded: boolean): Promise<void> => {
    const sum = await deps.fileSum(sourceOf(ref, file), signal);
    signal.throwIfAborted();
    if (!sum.ok && !noteChange(file, sum.error, disk) && isNeeded && isWaitedFor(sum.error))
      throw new FailureError(sum.error);
    disk.sums.set(file.path, sum.ok ? sum.value : null);
  };
  await inSlices(toSum, (file) => read(file, true));
  // A file hashed for the first list may be in the second one too
  await inSlices(
    toHash.filter(({ path }) => !disk.sums.has(path)),
    (file) => read(file, false),
  );
}

export async function inSlices<T>(files: readonly T[], read: (file: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < files.length; at += SUMS_AT_ONCE)
    await Promise.all(files.slice(at, at + SUMS_AT_ONCE).map(read));
}

/** The source of a clip in the export. */
export const sourceOf = (ref: ExportRef, file: FileSeen): SourceRef => ({
  rootPath: ref.rootPath,
  folder: folderOfExport(ref),
  path: file.path,
  version: file,
  isFolderGone: false,
});

/** Whether to read again later. The upload reports what only a person can fix, and a file that fails alone. */
const isWaitedFor = ({ code, retryAfterMs }: Failure): boolean =>
  policyOf(code).recovery === 'automatic' && retryAfterMs === undefined;

/**
 * Notes a file that has changed since it was seen: the watch hands it over again. Throws `FailureError` for one that is
 * gone, because it may be back, unchanged, before the watch looks.
 */
function noteChange({ path }: FileSeen, failure: Failure, { changed }: ReadFromDisk): boolean {
  const { file } = agentPolicyOf(failure.code);
  if (file === 'gone') throw new FailureError(failure);
  if (file === undefined || file === 'unreadable') return false;
  changed.add(path);
  return true;
}

/**
 * Where an incident's folder is. One that cannot be checked now counts as still there, so nothing is sent twice or
 * moved.
 */
export async function findStanding(
  { gates }: Pick<EqualDeps, 'gates'>,
  ref: ExportRef,
  incident: IncidentRow,
  signal: AbortSignal,
): Promise<Standing> {
  const gate = gates.of(incident.rootPath);
  try {
    const root = await statOf(gate, incident.rootPath, signal);
    if (root === undefined) return 'stays';
    const before = await statOf(gate, join(incident.rootPath, incident.exportPath), signal);
    if (before === undefined) {
      // An empty folder may be the mount point of a disk that is away
      const { entries } = await readEntries(gate, incident.rootPath, root.size, signal);
      return entries.length > 0 || incident.rootId === ref.rootId ? 'left' : 'stays';
    }
    const now = await statOf(gates.of(ref.rootPath), join(ref.rootPath, ref.exportPath), signal);
    return now?.ino === before.ino && now.dev === before.dev ? 'left' : 'stays';
  } catch {
    signal.throwIfAborted();
    return 'stays';
  }
}
