import { createHash } from 'node:crypto';
import {
  folderOfExport,
  type ExportSnapshot,
  type FileSeen,
  type ExportRef,
} from '../core/settle/file-seen.ts';
import { openSource, type SourceRef } from '../files/source-file.ts';
import type { ClipRow } from '../store/clip-rows.ts';
import type { IncidentRow } from '../store/incident-rows.ts';
import { join } from 'node:path';
import { FailureError } from '../../../shared/domain/failure.ts';
import { policyOf } from '../../../shared/domain/failure-policy.ts';
import { agentPolicyOf } from '../core/failures/failure-policy.ts';
import type { Standing } from '../core/records/judge-equal.ts';
import { readEntries, statOf } from '../files/read-entries.ts';
import { type EqualDeps, type Folder, type LookUp, placeOf, type ReadFromDisk } from './find-equal.ts';

/** A copy is recognised by its ends before all of it is read: exporters write files of one size. Bytes. */
const END_BYTES = 64 * 1024;

/** What a new folder is a copy of: clips that wait to be sent with another incident. */
export interface WaitingCopy {
  readonly incidentId: string;
  readonly clipIds: readonly string[];
}

/** `asOf`: the newest clip of the queue when it was looked through. */
export interface WaitingFound {
  readonly copy: WaitingCopy | undefined;
  readonly asOf: number;
}

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

const sourceOf = (ref: ExportRef, file: FileSeen): SourceRef => ({
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
async function findStanding(
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

/**
 * Finds out whether a new folder holds nothing but what waits to be sent with other incidents, whose folders are still
 * there. It is then not queued as well: once those clips are sent it is a copy (service.md gap 12), and if they cannot
 * be, it is taken in itself. A file that cannot be read now is no copy. Rejects with the signal's reason.
 */
export async function findWaiting(
  deps: EqualDeps,
  { ref }: ExportSnapshot,
  clips: readonly FileSeen[],
  signal: AbortSignal,
): Promise<WaitingFound> {
  const { tables } = deps;
  const asOf = tables.clips.newest();
  const sources = createSources(deps, signal);
  const isThere = new Map<string, boolean>();
  const matches: ClipRow[] = [];
  for (const file of clips) {
    const { rootPath } = ref;
    const folder = folderOfExport(ref);
    const source = { rootPath, folder, path: file.path, version: file, isFolderGone: false };
    const match = await findEqual(file, source);
    if (match === undefined) return { copy: undefined, asOf };
    matches.push(match);
  }
  const [first] = matches;
  if (first === undefined) return { copy: undefined, asOf };
  return { copy: { incidentId: first.incidentId, clipIds: matches.map(({ id }) => id) }, asOf };

  async function findEqual(file: FileSeen, source: SourceRef): Promise<ClipRow | undefined> {
    for (const row of tables.clips.waitingOfSize(file.sizeBytes)) {
      const incident = tables.incidents.byId(row.incidentId);
      if (incident === undefined || !(await stands(incident))) continue;
      const other = { ...incident, path: row.path, version: row, isFolderGone: false };
      const isEqual =
        (await sources.ends(file.path, source)) === (await sources.ends(row.id, other)) &&
        (await sources.sum(file.path, source)) === (await sources.sum(row.id, other));
      if (isEqual && (await sources.sum(row.id, other)) !== undefined) return row;
    }
    return undefined;
  }

  /** A folder that was moved is not a copy of itself. */
  async function stands(incident: IncidentRow): Promise<boolean> {
    const { id, rootId, exportPath, folderGone } = incident;
    const known = isThere.get(id);
    if (known !== undefined) return known;
    const isSamePlace = rootId === ref.rootId && exportPath === ref.exportPath;
    const standing =
      folderGone === 1 || isSamePlace ? 'left' : await findStanding(deps, ref, incident, signal);
    isThere.set(id, standing !== 'left');
    return standing !== 'left';
  }
}

/** Reads each file once; undefined for one that cannot be read now. */
function createSources({ gates, fileSum }: EqualDeps, signal: AbortSignal) {
  const ends = new Map<string, Promise<string | undefined>>();
  const sums = new Map<string, Promise<string | undefined>>();
  const once = (
    known: Map<string, Promise<string | undefined>>,
    key: string,
    read: () => Promise<string | undefined>,
  ): Promise<string | undefined> => {
    const reading = known.get(key) ?? read();
    known.set(key, reading);
    return reading;
  };

  async function readEnds(source: SourceRef): Promise<string | undefined> {
    const opened = await openSource(gates, source, signal);
    if (!opened.ok) return undefined;
    const { sizeBytes } = source.version;
    const length = Math.min(END_BYTES, sizeBytes);
    const hash = createHash('sha256');
    try {
      for (const position of [0, sizeBytes - length]) {
        const buffer = new Uint8Array(length);
        if (!(await opened.value.readExactly(buffer, length, position, signal)).ok) return undefined;
        hash.update(buffer);
      }
      return hash.digest('hex');
    } finally {
      opened.value.release();
    }
  }

  return {
    ends: (key: string, source: SourceRef) => once(ends, key, () => readEnds(source)),
    sum: (key: string, source: SourceRef) =>
      once(sums, key, async () => {
        const sum = await fileSum(source, signal);
        return sum.ok ? sum.value : undefined;
      }),
  };
}
