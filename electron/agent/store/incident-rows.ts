import type { ExportRef } from '../core/settle/file-seen.ts';
import type { WriteDb } from './open-db.ts';

/** A row of `incidents`. Times are milliseconds since 1970; `version` counts changes that the service should get. */
export interface IncidentRow {
  readonly id: string;
  readonly rootId: string;
  readonly rootPath: string;
  readonly exportPath: string;
  /** The folder inside the root that the paths of its clips are relative to; usually `exportPath`. */
  readonly folder: string;
  readonly birthMs: number;
  readonly title: string;
  readonly description: string | null;
  readonly incidentAt: number | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly sources: string;
  readonly extra: string | null;
  /** JSON of `FileAccount`; null for one that an earlier version stored. */
  readonly files: string | null;
  readonly folderGone: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly checkedAt: number | null;
  readonly version: number;
  readonly syncedVersion: number;
  /** JSON of the details that the service was last sent; null before the first PUT. */
  readonly sentDetails: string | null;
  readonly lastPutAt: number | null;
  readonly remoteVideos: string | null;
  readonly failure: string | null;
}

/** The details of an incident; each change of them makes a new version. */
export type IncidentDetails = Pick<
  IncidentRow,
  'title' | 'description' | 'incidentAt' | 'latitude' | 'longitude' | 'sources' | 'extra'
>;

/** The columns of a new incident. */
export type NewIncident = IncidentDetails &
  Pick<IncidentRow, 'id' | 'rootId' | 'rootPath' | 'exportPath' | 'birthMs' | 'createdAt'> & {
    readonly folder?: string | undefined;
  };

const columns = `id, root_id AS rootId, root_path AS rootPath, export_path AS exportPath,
  coalesce(folder, export_path) AS folder, birth_ms AS birthMs,
  title, description, incident_at AS incidentAt, latitude, longitude, sources, extra, files,
  folder_gone AS folderGone, created_at AS createdAt, updated_at AS updatedAt, checked_at AS checkedAt,
  version, synced_version AS syncedVersion, sent_details AS sentDetails, last_put_at AS lastPutAt, remote_videos AS remoteVideos, failure`;

/** The statements on `incidents`. */
export function createIncidentRows(db: WriteDb) {
  const insert = db.prepare<Omit<NewIncident, 'folder'> & { folder: string | null }>(`INSERT INTO incidents
    (id, root_id, root_path, export_path, folder, birth_ms, title, description, incident_at, latitude, longitude,
     sources, extra, created_at, updated_at, number)
    VALUES (@id, @rootId, @rootPath, @exportPath, @folder, @birthMs, @title, @description, @incidentAt, @latitude,
     @longitude, @sources, @extra, @createdAt, @createdAt, (SELECT coalesce(max(rowid), 0) + 1 FROM incidents))`);
  const byId = db.prepare<[string], IncidentRow>(`SELECT ${columns} FROM incidents WHERE id = ?`);
  const byExport = db.prepare<[string, string, number], IncidentRow>(
    `SELECT ${columns} FROM incidents WHERE root_id = ? AND export_path = ? AND birth_ms = ?`,
  );
  const inFolder = db.prepare<[string, string], IncidentRow>(
    `SELECT ${columns} FROM incidents WHERE root_id = ? AND export_path = ? ORDER BY folder_gone, number DESC LIMIT 1`,
  );
  const move = db.prepare<[string, string, string, string | null, number, string]>(
    'UPDATE incidents SET root_id = ?, root_path = ?, export_path = ?, folder = ?, birth_ms = ?, folder_gone = 0 WHERE id = ?',
  );
  const ofRoot = db.prepare<[string], IncidentRow>(`SELECT ${columns} FROM incidents WHERE root_id = ?`);
  const touch = db.prepare<[number, string]>(
    'UPDATE incidents SET version = version + 1, updated_at = ?, failure = NULL WHERE id = ?',
  );
  const describe = db.prepare<IncidentDetails & { id: string; now: number }>(`UPDATE incidents SET
    title = @title, description = @description, incident_at = @incidentAt, latitude = @latitude,
    longitude = @longitude, sources = @sources, extra = @extra, updated_at = @now,
    version = version + 1, failure = NULL WHERE id = @id`);
  const checked = db.prepare<[number, string | null, string | null, string]>(
    'UPDATE incidents SET checked_at = ?, remote_videos = ?, sent_details = ? WHERE id = ?',
  );
  const unchecked = db.prepare<[string]>('UPDATE incidents SET checked_at = NULL WHERE id = ?');
  const synced = db.prepare<[number, string, number, string]>(
    `UPDATE incidents SET synced_version = max(synced_version, ?), sent_details = ?, last_put_at = ?,
     failure = NULL WHERE id = ?`,
  );
  const seenThere = db.prepare<[string, string]>('UPDATE incidents SET remote_videos = ? WHERE id = ?');
  const fail = db.prepare<[string, string]>('UPDATE incidents SET failure = ? WHERE id = ?');
  const setFolderGone = db.prepare<[number, string]>('UPDATE incidents SET folder_gone = ? WHERE id = ?');
  const setFiles = db.prepare<[string, string]>('UPDATE incidents SET files = ? WHERE id = ?');
  const setPaused = db.prepare<[number, string]>('UPDATE incidents SET paused = ? WHERE id = ?');
  const count = db.prepare<[], number>('SELECT count(*) FROM incidents').pluck();
  const countUnsynced = db
    .prepare<[], number>('SELECT count(*) FROM incidents WHERE synced_version < version')
    .pluck();

  const countRefused = db
    .prepare<[], number>('SELECT count(*) FROM incidents WHERE failure IS NOT NULL')
    .pluck();

  return {
    insert: (row: NewIncident) => insert.run({ ...row, folder: row.folder ?? null }),
    byId: (id: string) => byId.get(id),
    byExport: (rootId: string, exportPath: string, birthMs: number) =>
      byExport.get(rootId, exportPath, birthMs),
    /**
     * The newest incident that a folder of this name was, regardless of its birth time; one that was not seen gone
     * comes first.
     */
    inFolder: (rootId: string, exportPath: string) => inFolder.get(rootId, exportPath),
    /** For a folder that was renamed, moved or replaced by an identical one; the ID stays. */
    move: (
      id: string,
      place: Pick<NewIncident, 'rootId' | 'rootPath' | 'exportPath' | 'folder' | 'birthMs'>,
    ) => move.run(place.rootId, place.rootPath, place.exportPath, place.folder ?? null, place.birthMs, id),
    ofRoot: (rootId: string) => ofRoot.all(rootId),
    /** Marks a change that the service should receive and that is not one of the details. */
    touch: (id: string, now: number) => touch.run(now, id),
    /** Replaces its details; those that changed are sent with the next PUT (service.md gap 13). */
    describe: (id: string, details: IncidentDetails, now: number) => describe.run({ id, now, ...details }),
    /** JSON of `FileAccount`: what became of the files that are now in its folder. */
    setFiles: (id: string, files: string) => setFiles.run(files, id),
    /** The service has answered what it knows; `remote` are videos that only it has and that must be kept. */
    checked: (id: string, now: number, remote: string | null, sentDetails: string | null) =>
      checked.run(now, remote, sentDetails, id),
    /** The service must be asked again before more of the incident is sent. */
    unchecked: (id: string) => unchecked.run(id),
    /** Videos of other clients that the service had when it was last asked. */
    seenThere: (id: string, remote: string) => seenThere.run(remote, id),
    synced: (id: string, now: number, version: number, sentDetails: string) =>
      synced.run(version, sentDetails, now, id),
    fail: (id: string, failure: string) => fail.run(failure, id),
    setFolderGone: (id: string, gone: boolean) => setFolderGone.run(gone ? 1 : 0, id),
    /** Whether clips that are still to come are held. */
    setPaused: (id: string, paused: boolean) => setPaused.run(paused ? 1 : 0, id),
    count: () => count.get() ?? 0,
    /** Incidents whose record the service refused for good. */
    countRefused: () => countRefused.get() ?? 0,
    countUnsynced: () => countUnsynced.get() ?? 0,
  };
}

/** The incident that an export already is. Without birth times it is the one of that name until seen gone. */
export function incidentOf(
  { incidents }: { readonly incidents: Pick<ReturnType<typeof createIncidentRows>, 'byExport' | 'inFolder'> },
  { rootId, exportPath, birthMs }: ExportRef,
): IncidentRow | undefined {
  if (birthMs > 0) return incidents.byExport(rootId, exportPath, birthMs);
  const row = incidents.inFolder(rootId, exportPath);
  return row?.folderGone === 0 ? row : undefined;
}
