import { createHash } from 'node:crypto';
import { isClipFile } from '../core/naming/recognise-export.ts';
import type { EqualClip } from '../core/records/judge-equal.ts';
import type { ExportSnapshot, FileSeen } from '../core/settle/file-seen.ts';
import { SMALL_BYTES } from '../files/snapshot-file.ts';
import { openSource, type SourceRef } from '../files/source-file.ts';
import { incidentOf, type IncidentRow } from '../store/incident-rows.ts';
import type { WaitingClip } from '../store/sent-rows.ts';
import type { Tables } from '../store/tables.ts';
import type { RootTerms } from './check-root.ts';
import { queueClip, type EqualDeps } from './find-equal.ts';
import { findStanding, inSlices, sourceOf } from './read-equal.ts';
import { isSameClip } from './store-clip.ts';

/** Bytes at each end by which a copy is recognised before all of it is read: exporters write files of equal size. */
const END_BYTES = 64 * 1024;
/** Most files whose digests are remembered: 2 MB at most. */
const MOST_REMEMBERED = 5_000;

/** Files of an export that equal clips which are still to be sent. */
export interface WaitingFound {
  /** The clip that each of them equals, by path. */
  readonly copies: ReadonlyMap<string, EqualClip>;
  /** The newest clip in the queue when it was searched. */
  readonly asOf: number;
}

/** The export to search for, or a batch of it. */
interface Looked {
  readonly whole: ExportSnapshot;
  readonly snapshot: ExportSnapshot;
  readonly terms: RootTerms;
}

/** The source of a clip in the queue. */
const sourceIn = ({ rootPath, folder }: IncidentRow, { path, ...version }: WaitingClip): SourceRef => ({
  rootPath,
  folder,
  path,
  version,
  isFolderGone: false,
});

/**
 * Finds new clips that equal clips of other exports which are still to be sent: those are not queued as well. Once the
 * others are sent they are copies (service.md gap 12), and if the others cannot be sent, they are taken in themselves.
 * Equal files of one export are all sent: their names tell them apart. A file that cannot be read now is no copy.
 * Rejects with the signal's reason.
 */
export type FindWaiting = (looked: Looked, signal: AbortSignal) => Promise<WaitingFound>;

/** Creates the search for waiting clips; it remembers what it read of each file. */
export function createFindWaiting(deps: EqualDeps): FindWaiting {
  const { tables } = deps;
  const sources = createSources(deps);

  return async ({ whole: { ref }, snapshot, terms }, signal) => {
    const asOf = tables.clips.newest();
    const own = incidentOf(tables, ref);
    const standing = new Map<string, Promise<boolean>>();
    const copies = new Map<string, EqualClip>();
    const sizes = Map.groupBy(newClips(tables, own, snapshot), ({ sizeBytes }) => sizeBytes);
    for (const [sizeBytes, files] of sizes) {
      const others = { sizeBytes, but: own?.id ?? null };
      if (!tables.clips.isWaiting(others)) continue;
      await noteEnds(tables.clips.withoutEnds(others), signal);
      await inSlices(files, async (file) => {
        const mine = sourceOf(ref, file);
        const ends = await sources.ends(mine, signal);
        const alike = ends === undefined ? [] : tables.clips.withEnds(others, ends);
        const equal = await firstEqual(alike, mine);
        if (equal !== undefined) copies.set(file.path, equal);
      });
    }
    return { copies, asOf };

    async function firstEqual(
      alike: readonly WaitingClip[],
      mine: SourceRef,
    ): Promise<EqualClip | undefined> {
      for (const row of alike) {
        const incident = tables.incidents.byId(row.incidentId);
        // A clip whose folder was moved is not a copy of itself
        if (incident === undefined || !isMeant(incident) || !(await stands(incident))) continue;
        const sum = await sources.sum(sourceIn(incident, row), signal);
        if (sum !== undefined && sum === (await sources.sum(mine, signal))) return queueClip(row);
      }
      return undefined;
    }

    function isMeant({ createdAt }: IncidentRow): boolean {
      return terms.kind !== 'send' || createdAt >= terms.askedAt;
    }

    function stands(incident: IncidentRow): Promise<boolean> {
      const { id, rootId, exportPath, folderGone } = incident;
      const isElsewhere = async (): Promise<boolean> => {
        if (folderGone === 1 || (rootId === ref.rootId && exportPath === ref.exportPath)) return false;
        return (await findStanding(deps, ref, incident, signal)) !== 'left';
      };
      const known = standing.get(id) ?? isElsewhere();
      standing.set(id, known);
      return known;
    }
  };

  /** There may be thousands of files of one size: each is read once, and its row remembers the result. */
  async function noteEnds(rows: readonly WaitingClip[], signal: AbortSignal): Promise<void> {
    const read: (readonly [WaitingClip, string])[] = [];
    await inSlices(rows, async (row) => {
      const incident = tables.incidents.byId(row.incidentId);
      const ends = incident && (await sources.ends(sourceIn(incident, row), signal));
      if (ends !== undefined) read.push([row, ends]);
    });
    // What a power cut undoes is read again
    if (read.length > 0)
      tables.writeUnsynced(() => {
        for (const [row, ends] of read) tables.clips.setEnds(row, ends);
      });
  }
}

/** Clips that are not in the queue, or were sent in another version. A waiting clip is updated in its own row. */
function newClips(
  { clips }: Pick<Tables, 'clips'>,
  own: IncidentRow | undefined,
  { settled }: ExportSnapshot,
): readonly FileSeen[] {
  const files = settled.filter(isClipFile);
  const paths = files.map(({ path }) => path);
  const rows = new Map(own && clips.ofPaths(own.id, paths).map((row) => [row.path, row]));
  return files.filter((file) => {
    const row = rows.get(file.path);
    return row === undefined || (row.state === 'uploaded' && !isSameClip(row, file));
  });
}

/** Reads each version of a file once; undefined for one that cannot be read now. */
function createSources({ gates, fileSum }: EqualDeps) {
  const ends = new Map<string, string>();
  const sums = new Map<string, string>();
  const once = async (
    known: Map<string, string>,
    { rootPath, folder, path, version }: SourceRef,
    read: () => Promise<string | undefined>,
  ): Promise<string | undefined> => {
    const { sizeBytes, mtimeNs, inode } = version;
    const key = [rootPath, folder, path, sizeBytes, mtimeNs, inode].join('\n');
    const value = known.get(key) ?? (await read());
    if (value === undefined || known.has(key)) return value;
    const [oldest] = known.keys();
    if (known.size >= MOST_REMEMBERED && oldest !== undefined) known.delete(oldest);
    known.set(key, value);
    return value;
  };

  async function readEnds(source: SourceRef, signal: AbortSignal): Promise<string | undefined> {
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

  const sumOf = (source: SourceRef, signal: AbortSignal): Promise<string | undefined> =>
    once(sums, source, async () => {
      const sum = await fileSum(source, signal);
      signal.throwIfAborted();
      return sum.ok ? sum.value : undefined;
    });

  return {
    /**
     * A digest of the first and last bytes; of all bytes for a small file, which costs less than reading its ends here.
     */
    ends: (source: SourceRef, signal: AbortSignal) =>
      source.version.sizeBytes <= SMALL_BYTES
        ? sumOf(source, signal)
        : once(ends, source, () => readEnds(source, signal)),
    sum: sumOf,
  };
}
