import { access, constants } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Failure } from '../../../shared/domain/failure.ts';
import { FailureError } from '../../../shared/domain/failure-error.ts';
import type { FolderList } from '../../../shared/ipc/calls/incidents.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { isIgnoredFolderName } from '../core/naming/file-kinds.ts';
import type { BrowseGate } from '../files/browse-gate.ts';
import { findFolder, folderFailureOf } from '../files/find-folder.ts';
import { readEntries } from '../files/read-entries.ts';
import type { RootGate } from '../files/root-gate.ts';

/** Most folders in one answer: nobody chooses from more. */
const MOST_FOLDERS = 1_000;

interface Parts {
  /** For the folder that is listed. */
  readonly gate: BrowseGate;
  /** For looks at what lies in it: one child on a dead share must not keep the others from being listed. */
  readonly childGate: Pick<RootGate, 'run'>;
  /** Where a search starts, in order. */
  readonly places: readonly string[];
}

/**
 * Lists the child folders of a folder by name, or the places where a search starts. Links are neither listed nor
 * followed, hidden folders are left out, and no file is opened. Errors: as `findFolder`.
 */
export async function listFolders(
  parts: Parts,
  path: string | undefined,
  signal: AbortSignal,
): Promise<Result<FolderList, Failure>> {
  if (path === undefined) return ok(await startingPlaces(parts, signal));
  const found = await findFolder(parts.gate, path, signal);
  if (!found.ok) return found;
  const { realPath, stats } = found.value;
  const names = await childNames(parts.gate, realPath, stats.size, signal);
  if (!names.ok) return names;
  const listed = names.value.slice(0, MOST_FOLDERS).map((name) => ({ name, path: join(realPath, name) }));
  const parent = dirname(realPath);
  return ok({
    folder: realPath,
    ...(parent === realPath ? {} : { parent }),
    folders: await withReadable(parts.childGate, listed, signal),
    isCut: names.value.length > MOST_FOLDERS,
  });
}

async function startingPlaces({ gate, childGate, places }: Parts, signal: AbortSignal): Promise<FolderList> {
  const found = await Promise.all(places.map((place) => findFolder(gate, place, signal)));
  const real = new Set(found.flatMap((each) => (each.ok ? [each.value.realPath] : [])));
  const listed = [...real].map((path) => ({ name: basename(path) || path, path }));
  return { folders: await withReadable(childGate, listed, signal), isCut: false };
}

async function childNames(
  gate: BrowseGate,
  path: string,
  folderBytes: bigint,
  signal: AbortSignal,
): Promise<Result<readonly string[], Failure>> {
  try {
    const { entries } = await readEntries(gate, path, folderBytes, signal);
    const folders = entries.filter(({ kind, name }) => kind === 'directory' && !isIgnoredFolderName(name));
    const byName = new Intl.Collator('en', { numeric: true });
    return ok(folders.map(({ name }) => name).toSorted((one, other) => byName.compare(one, other)));
  } catch (error) {
    signal.throwIfAborted();
    const failure = folderFailureOf(error, path, gate.deadlineMs);
    if (failure === undefined) throw error;
    return err(failure);
  }
}

type Folder = FolderList['folders'][number];

function withReadable(
  gate: Parts['childGate'],
  listed: readonly Folder[],
  signal: AbortSignal,
): Promise<readonly Folder[]> {
  return Promise.all(
    listed.map(async (folder) => ({ ...folder, ...(await lookAtRights(gate, folder.path, signal)) })),
  );
}

async function lookAtRights(
  gate: Parts['childGate'],
  path: string,
  signal: AbortSignal,
): Promise<Pick<Folder, 'isReadable'>> {
  try {
    await gate.run(() => access(path, constants.R_OK | constants.X_OK), signal);
    return { isReadable: true };
  } catch (error) {
    signal.throwIfAborted();
    // It hangs, or another one does: nothing is known about its rights
    return error instanceof FailureError ? {} : { isReadable: false };
  }
}
