import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExportRef, FileVersion, FileSeen, KnownFile, NotedVersion } from '../core/settle/file-seen.ts';
import type { WriteDb, ReadDb } from './open-db.ts';
import type { Duplicate } from '../../../shared/domain/explanation.ts';
import type { DescribedClip } from '../core/naming/described-export.ts';
import { baseName } from '../core/naming/file-kinds.ts';

/** A clip that was sent. The row outlives its clip and incident in the database. */
export interface SentRow {
  readonly clipId: string;
  readonly incidentId: string;
  /** Inside the export. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly mtimeNs: string;
  /** Null where only the service knows the clip: it cannot be compared with a file. */
  readonly sha256: string | null;
  readonly storageKey: string;
}

/** A clip that was sent and is still in the queue, with the location of its export. */
export interface PlacedRow extends SentRow {
  readonly inode: string;
  readonly rootId: string;
  readonly birthMs: number;
}

/** A clip that only the service knows to be sent, and where its file is. */
export interface UnreadRow extends FileVersion {
  readonly clipId: string;
  readonly rootPath: string;
  /** The folder inside the root that the export's paths are relative to. */
  readonly folder: string;
  readonly path: string;
  readonly folderGone: number;
}

/** A file of an export that is a copy and has no incident of its own, with its SHA-256. */
export interface CopiedFile extends NotedVersion {
  readonly path: string;
  readonly sha256: string;
}

/** Most clips with equal bytes that are compared; usually there is one. */
const MOST_EQUAL = 50;

const columns = `clip_id AS clipId, incident_id AS incidentId, path, size_bytes AS sizeBytes, mtime_ns AS mtimeNs,
  sha256, storage_key AS storageKey`;

/** The statements on `sent_files` and `copied_files`. A trigger on `clips` adds the files that were sent. */
export function createSentRows(db: WriteDb) {
  const hasSize = db
    .prepare<[number], number>('SELECT 1 FROM sent_files WHERE size_bytes = ? AND sha256 IS NOT NULL LIMIT 1')
    .pluck();
  const equal = db.prepare<[number, string], SentRow>(
    `SELECT ${columns} FROM sent_files WHERE size_bytes = ? AND sha256 = ? LIMIT ${MOST_EQUAL}`,
  );
  const byId = db
    .prepare<[string, string], number>('SELECT 1 FROM sent_files WHERE incident_id = ? AND clip_id = ?')
    .pluck();
  const ofIncident = db.prepare<[string], SentRow>(`SELECT ${columns} FROM sent_files WHERE incident_id = ?`);
  const countOf = db
    .prepare<[string], number>('SELECT count(*) FROM sent_files WHERE incident_id = ?')
    .pluck();
  const any = db.prepare<[], number>('SELECT 1 FROM sent_files LIMIT 1').pluck();
  const inFolder = db.prepare<[string], PlacedRow>(`SELECT clips.id AS clipId,
    incident_id AS incidentId, path, size_bytes AS sizeBytes, mtime_ns AS mtimeNs, inode, sha256,
    storage_key AS storageKey, root_id AS rootId, birth_ms AS birthMs FROM incidents CROSS JOIN clips ON clips.incident_id = incidents.id
    WHERE export_path = ? AND state = 'uploaded' AND storage_key IS NOT NULL`);
  const copies = db.prepare<[string, string], CopiedFile>(`SELECT path, size_bytes AS sizeBytes,
    mtime_ns AS mtimeNs, inode, device, ctime_ns AS ctimeNs, sha256 FROM copied_files WHERE root_id = ? AND export_path = ?`);
  const putCopy = db.prepare<CopiedFile & { rootId: string; exportPath: string }>(`INSERT OR REPLACE INTO
    copied_files VALUES (@rootId, @exportPath, @path, @sizeBytes, @mtimeNs, @inode, @device, @sha256, @ctimeNs)`);
  const dropCopies = db.prepare<[string, string]>(
    'DELETE FROM copied_files WHERE root_id = ? AND export_path = ?',
  );
  const unread = db.prepare<[string, number], UnreadRow>(`SELECT clips.id AS clipId, root_path AS rootPath,
    coalesce(folder, export_path) AS folder, clips.path, clips.size_bytes AS sizeBytes, clips.mtime_ns AS mtimeNs, inode, device,
    folder_gone AS folderGone FROM sent_files INDEXED BY sent_files_unread
    JOIN clips ON clips.id = sent_files.clip_id JOIN incidents ON incidents.id = clips.incident_id
    WHERE sent_files.sha256 IS NULL AND sent_files.clip_id > ? ORDER BY sent_files.clip_id LIMIT ?`);
  const setSum = db.prepare<[string, string]>(
    'UPDATE sent_files SET sha256 = ? WHERE clip_id = ? AND sha256 IS NULL',
  );
  return {
    /** The next clips after this ID that only the service knows to be sent. */
    unread: (after: string, limit: number) => unread.all(after, limit),
    /** Stores the SHA-256 of such a clip's file; an empty string when it can no longer be determined. */
    setSum: (clipId: string, sha256: string) => setSum.run(sha256, clipId),
    hasAny: () => any.get() === 1,
    /** Whether a clip of that size and with a known SHA-256 was sent. */
    hasSize: (sizeBytes: number) => hasSize.get(sizeBytes) === 1,
    equal: (sizeBytes: number, sha256: string): readonly SentRow[] => equal.all(sizeBytes, sha256),
    has: (incidentId: string, clipId: string) => byId.get(incidentId, clipId) === 1,
    ofIncident: (incidentId: string): readonly SentRow[] => ofIncident.all(incidentId),
    countOf: (incidentId: string) => countOf.get(incidentId) ?? 0,
    /** Sent clips of every export folder with that name, in any root. */
    inFolder: (exportPath: string) => inFolder.all(exportPath),
    copies: (rootId: string, exportPath: string): readonly CopiedFile[] => copies.all(rootId, exportPath),
    putCopy: (
      rootId: string,
      exportPath: string,
      { path, sizeBytes, mtimeNs, ctimeNs = null, inode, device, sha256 }: CopiedFile,
    ) => putCopy.run({ rootId, exportPath, path, sizeBytes, mtimeNs, ctimeNs, inode, device, sha256 }),
    dropCopies: (rootId: string, exportPath: string) => dropCopies.run(rootId, exportPath),
  };
}

/** A clip of the queue whose bytes are, or are said to be, the same. */
interface SameClipRow {
  readonly clipId: string;
  readonly incidentId: string;
  readonly incidentTitle: string;
  readonly path: string;
  readonly mtimeNs: string;
  readonly sha256: string | null;
  readonly expectedSha256: string | null;
}

/** A file that may be in the queue already. */
interface SameClipQuestion {
  readonly sizeBytes: number;
  readonly mtimeNs: string;
  /** SHA-256 that the exporter stated, lower-case hexadecimal. */
  readonly sha256: string | null;
}

/** Most rows for one file: a person reads no more. */
const MOST_ROWS = 10;

/** Reads that find clips already in the queue. */
function createDuplicateReads(db: Pick<ReadDb, 'prepare'>) {
  // All states are named so that the index on state and size is used: scanning every row would take too long
  const same = db.prepare<SameClipQuestion, SameClipRow>(`SELECT clips.id AS clipId,
    clips.incident_id AS incidentId, incidents.title AS incidentTitle, clips.path, clips.mtime_ns AS mtimeNs,
    clips.sha256, clips.expected_sha256 AS expectedSha256
    FROM clips JOIN incidents ON incidents.id = clips.incident_id
    WHERE clips.state IN ('queued', 'uploaded', 'failed') AND clips.size_bytes = @sizeBytes
      AND (clips.mtime_ns = @mtimeNs OR clips.sha256 = @sha256 OR clips.expected_sha256 = @sha256)
    ORDER BY clips.created_at, clips.id LIMIT ${MOST_ROWS}`);
  return {
    /** Clips of that size with that time or SHA-256, oldest first. */
    same: (question: SameClipQuestion) => same.all(question),
  };
}

/** Queue look-ups before the event loop gets a turn: each takes some tens of microseconds. */
const READS_PER_TURN = 100;

/**
 * Clips that the queue already has, by path of the file: same name, size and time, or the SHA-256 stated in a sidecar.
 * The files themselves are not read. `knownAs`: the incident of this folder, whose own rows do not count.
 */
export async function findDuplicates(
  db: Pick<ReadDb, 'prepare'>,
  files: readonly FileSeen[],
  clips: readonly DescribedClip[],
  knownAs: string | undefined,
): Promise<ReadonlyMap<string, readonly Duplicate[]>> {
  const reads = createDuplicateReads(db);
  const sums = new Map(clips.map(({ path, expectedSha256 }) => [path, expectedSha256 ?? null]));
  const found = new Map<string, readonly Duplicate[]>();
  for (const [index, { path, sizeBytes, mtimeNs }] of files.entries()) {
    if (index % READS_PER_TURN === READS_PER_TURN - 1) await nextTurn();
    const question = { sizeBytes, mtimeNs, sha256: sums.get(path) ?? null };
    const rows = reads.same(question).filter((row) => row.incidentId !== knownAs || row.path !== path);
    const duplicates = rows.flatMap((row) => duplicateOf(row, path, question));
    if (duplicates.length > 0) found.set(path, duplicates);
  }
  return found;
}

function duplicateOf(
  row: SameClipRow,
  path: string,
  { mtimeNs, sha256 }: SameClipQuestion,
): readonly Duplicate[] {
  const { clipId, incidentId, incidentTitle } = row;
  const same = { clipId, incidentId, incidentTitle, file: row.path };
  if (sha256 !== null && (row.sha256 ?? row.expectedSha256) === sha256) return [{ ...same, by: 'sha256' }];
  const isVersion = row.mtimeNs === mtimeNs && baseName(row.path) === baseName(path);
  return isVersion ? [{ ...same, by: 'version' }] : [];
}

/** Most clips that are looked at for the files of one size. */
const MOST_COMPARED = 1_000;

/** Clips of one size, in bytes, except (`but`) those of one incident. */
interface OfSize {
  readonly sizeBytes: number;
  readonly but: string | null;
}

/** A clip that a new one is compared with. */
export type WaitingClip = FileVersion & {
  readonly id: string;
  readonly incidentId: string;
  readonly path: string;
  readonly state: string;
};

/** The statements that find clips still to be sent by the contents of their files. */
export function createWaitingClips(db: WriteDb) {
  const waiting = `FROM clips WHERE state = 'queued' AND size_bytes = @sizeBytes
    AND incident_number IS NOT (SELECT number FROM incidents WHERE id = @but)`;
  const isWaiting = db.prepare<[OfSize], number>(`SELECT EXISTS (SELECT 1 ${waiting})`).pluck();
  const waitingRow = `SELECT id, incident_id AS incidentId, path, state, size_bytes AS sizeBytes,
    mtime_ns AS mtimeNs, inode, device ${waiting}`;
  const withoutEnds = db.prepare<[OfSize], WaitingClip>(
    `${waitingRow} AND ends IS NULL LIMIT ${MOST_COMPARED}`,
  );
  const withEnds = db.prepare<[OfSize & { ends: string }], WaitingClip>(
    `${waitingRow} AND ends = @ends LIMIT ${MOST_COMPARED}`,
  );
  const setEnds = db.prepare<[string, string, number, string]>(
    'UPDATE clips SET ends = ? WHERE id = ? AND size_bytes = ? AND mtime_ns = ?',
  );

  return {
    /** Whether a clip of that size waits to be sent. */
    isWaiting: (clips: OfSize) => isWaiting.get(clips) === 1,
    /** Some of the clips of that size that wait to be sent and whose ends are not known. */
    withoutEnds: (clips: OfSize) => withoutEnds.all(clips),
    /** Clips of that size with these ends that wait to be sent. */
    withEnds: (clips: OfSize, ends: string) => withEnds.all({ ...clips, ends }),
    /** Stores the digest of its first and last bytes; does nothing if its file has been replaced meanwhile. */
    setEnds: ({ id, sizeBytes, mtimeNs }: WaitingClip, ends: string) =>
      setEnds.run(ends, id, sizeBytes, mtimeNs),
  };
}

/** A clip with the location of its incident. */
export interface TreeClip extends NotedVersion {
  /** Relative to `folder`, which is inside the root. */
  readonly path: string;
  readonly exportPath: string;
  readonly folder: string;
  readonly birthMs: number;
  readonly folderGone: number;
  /** 1: only the vendor's player can show it. */
  readonly isNative: number;
  /** When it was recorded: when its file was written says nothing of what it belongs to. */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
}

/** Where the known files of an export are read from. */
interface Known {
  readonly clips: { inTree(rootId: string, tree: string): readonly TreeClip[] };
  readonly sent: Pick<ReturnType<typeof createSentRows>, 'copies'>;
}

/** Versions of an export's files that were read before: clips in their newest generation, and its copies. */
export function knownFiles(
  { clips, sent }: Known,
  { rootId, exportPath: tree }: Pick<ExportRef, 'rootId' | 'exportPath'>,
): ReadonlyMap<string, KnownFile> {
  const files = new Map<string, KnownFile>();
  const above = tree === '' ? '' : `${tree}/`;
  for (const clip of clips.inTree(rootId, tree)) {
    const { exportPath, folder, birthMs, startedAt, endedAt } = clip;
    const path = folder === '' ? clip.path : `${folder}/${clip.path}`;
    if (!path.startsWith(above)) continue;
    const { sizeBytes, mtimeNs, ctimeNs, inode, device } = clip;
    files.set(path.slice(above.length), {
      ...{ sizeBytes, mtimeNs, ctimeNs, inode, device },
      ...(clip.folderGone === 0 && { owner: { exportPath, folder, birthMs } }),
      ...(startedAt !== null && { startMs: startedAt }),
      ...(endedAt !== null && { endMs: endedAt }),
      ...(clip.isNative === 1 && { isNative: true }),
    });
  }
  for (const copy of sent.copies(rootId, tree)) files.set(copy.path, copy);
  return files;
}
