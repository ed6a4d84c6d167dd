import type { FileVersion } from '../core/settle/file-seen.ts';
import type { AheadResult } from '../core/parts/plan-parts.ts';
import type { WriteDb } from './open-db.ts';

/** A clip whose parts are sent while it is being written. */
export interface LiveUpload extends Pick<FileVersion, 'inode' | 'device' | 'sizeBytes'> {
  /** The ID that intake will derive. */
  readonly clipId: string;
  readonly incidentId: string;
  readonly rootId: string;
  readonly rootPath: string;
  readonly exportPath: string;
  /** The folder inside the root that its path is relative to. */
  readonly folder: string;
  readonly path: string;
  readonly container: string;
  /** When it was last seen to grow, milliseconds since 1970. */
  readonly grownAt: number;
  readonly partSizeBytes: number;
  /** Null, as `uploadId`, until the service has opened the upload. */
  readonly storageKey: string | null;
  readonly uploadId: string | null;
}

/** A part of it, with the SHA-256 of its own bytes. `etag` null: it was begun, and storage has not acknowledged it. */
export interface LivePart {
  readonly clipId: string;
  readonly number: number;
  readonly etag: string | null;
  readonly sha256: string;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
}

/** A multipart upload that was begun before its clip was in the queue. */
export interface TakenOver {
  readonly clipId: string;
  readonly container: string;
  /** 1 once its parts were compared with the file. */
  readonly judged: number;
  /** JSON list of part numbers. */
  readonly twice: string;
}

/** What results are grouped by: watched folder and container. */
export interface LiveKind {
  readonly rootId: string;
  readonly container: string;
}

const columns = `clip_id AS clipId, incident_id AS incidentId, root_id AS rootId, root_path AS rootPath,
  export_path AS exportPath, folder, path, container, inode, device, size_bytes AS sizeBytes, grown_at AS grownAt,
  part_size_bytes AS partSizeBytes, storage_key AS storageKey, upload_id AS uploadId`;
const partColumns = 'clip_id AS clipId, number, etag, sha256, sent_at AS sentAt';
const sentBytes = `coalesce(sum(part_size_bytes), 0) FROM live_uploads JOIN live_parts USING (clip_id)
  WHERE etag IS NOT NULL`;

/** The statements on `live_uploads`, `live_parts`, `taken_over` and `live_results`. */
export function createLiveRows(db: WriteDb) {
  return { ...createUploads(db), ...createTakenOverRows(db), ...createResults(db) };
}

function createUploads(db: WriteDb) {
  const insert = db.prepare<LiveUpload>(`INSERT INTO live_uploads
    (clip_id, incident_id, root_id, root_path, export_path, folder, path, container, inode, device, size_bytes,
     grown_at, part_size_bytes, storage_key, upload_id)
    VALUES (@clipId, @incidentId, @rootId, @rootPath, @exportPath, @folder, @path, @container, @inode, @device,
     @sizeBytes, @grownAt, @partSizeBytes, @storageKey, @uploadId)`);
  const byClip = db.prepare<[string], LiveUpload>(`SELECT ${columns} FROM live_uploads WHERE clip_id = ?`);
  const ofExport = db.prepare<[string, string], LiveUpload>(
    `SELECT ${columns} FROM live_uploads WHERE root_id = ? AND export_path = ?`,
  );
  const all = db.prepare<[], LiveUpload>(`SELECT ${columns} FROM live_uploads`);
  const grew = db.prepare<[number, number, string]>(
    'UPDATE live_uploads SET size_bytes = ?, grown_at = ? WHERE clip_id = ?',
  );
  const opened = db.prepare<[string, string, string]>(
    'UPDATE live_uploads SET storage_key = ?, upload_id = ? WHERE clip_id = ?',
  );
  const remove = db.prepare<[string]>('DELETE FROM live_uploads WHERE clip_id = ?');
  const putPart =
    db.prepare<LivePart>(`INSERT OR REPLACE INTO live_parts (clip_id, number, etag, sha256, sent_at)
    VALUES (@clipId, @number, @etag, @sha256, @sentAt)`);
  const partsOf = db.prepare<[string], LivePart>(
    `SELECT ${partColumns} FROM live_parts WHERE clip_id = ? ORDER BY number`,
  );
  const dropPart = db.prepare<[string, number]>(
    'DELETE FROM live_parts WHERE clip_id = ? AND number = ? AND etag IS NULL',
  );
  const isLineWanted = db
    .prepare<[], number>(
      `SELECT EXISTS (SELECT 1 FROM jobs WHERE state = 'ready' AND pool = 'large')
         OR EXISTS (SELECT 1 FROM jobs WHERE state = 'leased' AND pool = 'large')`,
    )
    .pluck();
  const openBytes = db.prepare<[], number>(`SELECT ${sentBytes}`).pluck();
  const isLineFree = db
    .prepare<[string], number>(
      `SELECT NOT EXISTS (SELECT 1 FROM jobs WHERE state = 'ready' AND pool IN ('large', 'small'))
         AND NOT EXISTS (SELECT 1 FROM jobs WHERE state = 'leased' AND pool IN ('large', 'small'))
         AND NOT EXISTS (SELECT 1 FROM incidents WHERE id = ? AND paused = 1)`,
    )
    .pluck();
  return {
    /** Whether no settled clip needs the line, and nobody has paused the incident. */
    isLineFree: (incidentId: string) => isLineFree.get(incidentId) === 1,
    /** Whether a large clip that has settled waits for the line, or is on it. */
    isLineWanted: () => isLineWanted.get() === 1,
    insert: (row: LiveUpload) => insert.run(row),
    byClip: (clipId: string) => byClip.get(clipId),
    ofExport: (rootId: string, exportPath: string) => ofExport.all(rootId, exportPath),
    all: () => all.all(),
    grew: (clipId: string, sizeBytes: number, now: number) => grew.run(sizeBytes, now, clipId),
    opened: (clipId: string, storageKey: string, uploadId: string) =>
      opened.run(storageKey, uploadId, clipId),
    /** Forgets the upload and its parts. */
    remove: (clipId: string) => remove.run(clipId),
    putPart: (row: LivePart) => putPart.run(row),
    /** Forgets a part that storage has not acknowledged and cannot have, because too little of it was sent. */
    dropPart: (clipId: string, number: number) => dropPart.run(clipId, number),
    partsOf: (clipId: string) => partsOf.all(clipId),
    /** Bytes that storage has of files that are still being written. */
    openBytes: () => openBytes.get() ?? 0,
  };
}

function createTakenOverRows(db: WriteDb) {
  const insert = db.prepare<Pick<TakenOver, 'clipId' | 'container' | 'twice'>>(
    'INSERT INTO taken_over (clip_id, container, twice) VALUES (@clipId, @container, @twice)',
  );
  const byClip = db.prepare<[string], TakenOver>(
    'SELECT clip_id AS clipId, container, judged, twice FROM taken_over WHERE clip_id = ?',
  );
  const judged = db.prepare<[string, string]>(
    'UPDATE taken_over SET judged = 1, twice = ? WHERE clip_id = ?',
  );
  return {
    takeOver: (row: Pick<TakenOver, 'clipId' | 'container' | 'twice'>) => insert.run(row),
    takenOver: (clipId: string) => byClip.get(clipId),
    /** The parts were compared with the file. `twice`: JSON list of the parts that were sent twice, or will be. */
    judged: (clipId: string, twice: string) => judged.run(twice, clipId),
  };
}

function createResults(db: WriteDb) {
  const add = db.prepare<LiveKind & AheadResult>(`INSERT INTO live_results
    (root_id, container, at, sent_bytes, void_bytes) VALUES (@rootId, @container, @at, @sentBytes, @voidBytes)`);
  const forget = db.prepare<[number]>('DELETE FROM live_results WHERE at <= ?');
  const ofKind = db.prepare<[string, string], AheadResult>(`SELECT at, sent_bytes AS sentBytes,
    void_bytes AS voidBytes FROM live_results WHERE root_id = ? AND container = ? ORDER BY id DESC LIMIT 2`);
  const kinds = db.prepare<[], LiveKind>(
    'SELECT DISTINCT root_id AS rootId, container FROM live_results ORDER BY root_id, container',
  );
  const voidSince = db
    .prepare<[number], number>('SELECT coalesce(sum(void_bytes), 0) FROM live_results WHERE at > ?')
    .pluck();
  return {
    addResult: (kind: LiveKind, result: AheadResult) => add.run({ ...kind, ...result }),
    /** Forgets results from this time or earlier. */
    forgetResults: (at: number) => forget.run(at),
    /** The last two, newest first. */
    resultsOf: ({ rootId, container }: LiveKind): readonly AheadResult[] => ofKind.all(rootId, container),
    resultKinds: (): readonly LiveKind[] => kinds.all(),
    voidSince: (at: number) => voidSince.get(at) ?? 0,
  };
}
