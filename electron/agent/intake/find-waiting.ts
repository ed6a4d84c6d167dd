import { createHash } from 'node:crypto';
import { folderOfExport, type ExportSnapshot, type FileSeen } from '../core/settle/file-seen.ts';
import { openSource, type SourceRef } from '../files/source-file.ts';
import type { ClipRow } from '../store/clip-rows.ts';
import type { IncidentRow } from '../store/incident-rows.ts';
import type { EqualDeps } from './find-equal.ts';
import { findStanding } from './read-equal.ts';

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
