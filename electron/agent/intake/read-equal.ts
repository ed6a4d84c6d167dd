import { join } from 'node:path';
import { FailureError } from '../../../shared/domain/failure.ts';
import { policyOf } from '../../../shared/domain/failure-policy.ts';
import { agentPolicyOf } from '../core/failures/failure-policy.ts';
import type { Standing } from '../core/records/judge-equal.ts';
import { folderOfExport, type ExportRef, type FileSeen } from '../core/settle/file-seen.ts';
import { readEntries, statOf } from '../files/read-entries.ts';
import type { SourceRef } from '../files/source-file.ts';
import type { IncidentRow } from '../store/incident-rows.ts';
import { type EqualDeps, type Folder, type LookUp, placeOf, type ReadFromDisk } from './find-equal.ts';

/** Files that are hashed side by side: each small one is in memory meanwhile. */
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
  await inSlices(toSum, (file) => readSum(deps, ref, file, disk, signal));
  // What was hashed for the first reason is in the second list too
  const others = toHash.filter(({ path }) => !disk.sums.has(path));
  await inSlices(others, (file) => readFoundSum(deps, ref, file, disk, signal));
}

async function inSlices(files: readonly FileSeen[], read: (file: FileSeen) => Promise<void>): Promise<void> {
  for (let at = 0; at < files.length; at += SUMS_AT_ONCE)
    await Promise.all(files.slice(at, at + SUMS_AT_ONCE).map(read));
}

/** A clip of the export, to be read. */
export const sourceOf = (ref: ExportRef, file: FileSeen): SourceRef => ({
  rootPath: ref.rootPath,
  folder: folderOfExport(ref),
  path: file.path,
  version: file,
  isFolderGone: false,
});

/** A file that cannot be read now is taken all the same: its upload waits for it, and says so. */
async function readFoundSum(
  { fileSum }: EqualDeps,
  ref: ExportRef,
  file: FileSeen,
  disk: ReadFromDisk,
  signal: AbortSignal,
): Promise<void> {
  const sum = await fileSum(sourceOf(ref, file), signal);
  signal.throwIfAborted();
  disk.sums.set(file.path, sum.ok ? sum.value : null);
  const became = sum.ok ? undefined : agentPolicyOf(sum.error.code).file;
  if (became === 'changed' || became === 'gone') disk.changed.add(file.path);
}

async function readSum(
  { fileSum }: EqualDeps,
  ref: ExportRef,
  file: FileSeen,
  disk: ReadFromDisk,
  signal: AbortSignal,
): Promise<void> {
  const sum = await fileSum(sourceOf(ref, file), signal);
  disk.sums.set(file.path, sum.ok ? sum.value : null);
  if (sum.ok) return;
  const { code } = sum.error;
  if (agentPolicyOf(code).file !== undefined) disk.changed.add(file.path);
  // What only a person mends is said by the upload
  else if (policyOf(code).mends === 'itself') throw new FailureError(sum.error);
}

/** A place that cannot be looked at now counts as still there: nothing is sent twice, and nothing is moved wrongly. */
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
