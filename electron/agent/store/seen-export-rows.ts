import type { SeenState } from '../../../shared/domain/seen-export.ts';
import type { ReadDb, WriteDb } from './open-db.ts';

/** A row of `seen_exports`. Times are milliseconds since 1970. */
export interface SeenExportRow {
  readonly rootId: string;
  /** Empty for files directly in the root. */
  readonly exportPath: string;
  readonly rootPath: string;
  readonly state: SeenState;
  readonly since: number;
  readonly settlesAt: number | null;
  /** Fingerprint of the folder when it was judged. */
  readonly print: string;
  /** JSON of `SeenFacts`. */
  readonly facts: string;
  /** 1 when a person named the folder and its root is not watched. */
  readonly pushed: number;
}

/** A row with the incident that the rest of the export has already become. */
export interface ListedSeenRow extends SeenExportRow {
  readonly incidentId: string | null;
  /** How much has been sent of its files that are still being written, in percent; null: there are none. */
  readonly sentPercent: number | null;
}

/** `states` is a JSON array of `SeenState`; an empty `search` finds all. */
export interface SeenSelection {
  readonly states: string;
  readonly search: string;
  readonly limit: number;
  readonly offset: number;
}

const columns = `seen_exports.root_id AS rootId, seen_exports.export_path AS exportPath,
  seen_exports.root_path AS rootPath, state, since, settles_at AS settlesAt, print, facts, pushed`;
const listed = `SELECT ${columns}, (SELECT id FROM incidents WHERE incidents.root_id = seen_exports.root_id
  AND incidents.export_path = seen_exports.export_path ORDER BY birth_ms DESC LIMIT 1) AS incidentId,
  (SELECT min(99, 100 * sum(part_size_bytes * (SELECT count(*) FROM live_parts
    WHERE live_parts.clip_id = live_uploads.clip_id AND etag IS NOT NULL)) / sum(size_bytes)) FROM live_uploads
    WHERE live_uploads.root_id = seen_exports.root_id AND live_uploads.export_path = seen_exports.export_path)
    AS sentPercent
  FROM seen_exports`;
const order = `(CASE state WHEN 'held' THEN 0 WHEN 'missing' THEN 1 WHEN 'unrecognised' THEN 2 WHEN 'reading' THEN 3
    WHEN 'copy' THEN 5 WHEN 'onHold' THEN 6 WHEN 'ignored' THEN 7 ELSE 4 END), since DESC, export_path`;

/** Reads of `seen_exports`, on any connection. */
export function createSeenExportReads(db: Pick<ReadDb, 'prepare'>) {
  const page = db.prepare<[number, number], ListedSeenRow>(`${listed} ORDER BY ${order} LIMIT ? OFFSET ?`);
  const one = db.prepare<[string, string], ListedSeenRow>(
    `${listed} WHERE seen_exports.root_id = ? AND seen_exports.export_path = ?`,
  );
  const narrowed = `state IN (SELECT value FROM json_each(@states))
    AND (@search = '' OR instr(lower(seen_exports.root_path || '/' || seen_exports.export_path), lower(@search)) > 0)`;
  const found = db.prepare<[SeenSelection], ListedSeenRow>(
    `${listed} WHERE ${narrowed} ORDER BY ${order} LIMIT @limit OFFSET @offset`,
  );
  const foundCount = db
    .prepare<[SeenSelection], number>(`SELECT count(*) FROM seen_exports WHERE ${narrowed}`)
    .pluck();
  const counts = db.prepare<[], { state: SeenState; found: number }>(
    'SELECT state, count(*) AS found FROM seen_exports GROUP BY state',
  );
  return {
    /** Exports that need a person first, then the newest. */
    page: (limit: number, offset: number) => page.all(limit, offset),
    /** As `page`, limited to some states and to paths that contain a text; `countFound` returns how many those are. */
    find: (selection: SeenSelection) => found.all(selection),
    countFound: (selection: Pick<SeenSelection, 'states' | 'search'>) =>
      foundCount.get({ ...selection, limit: 0, offset: 0 }) ?? 0,
    one: (rootId: string, exportPath: string) => one.get(rootId, exportPath),
    counts: () => counts.all(),
  };
}

/** The statements on `seen_exports`. */
export function createSeenExportRows(db: WriteDb) {
  const put = db.prepare<SeenExportRow>(`INSERT OR REPLACE INTO seen_exports
    (root_id, export_path, root_path, state, since, settles_at, print, facts, pushed)
    VALUES (@rootId, @exportPath, @rootPath, @state, @since, @settlesAt, @print, @facts, @pushed)`);
  const remove = db.prepare<[string, string]>(
    'DELETE FROM seen_exports WHERE root_id = ? AND export_path = ?',
  );
  const all = db.prepare<[], SeenExportRow>(`SELECT ${columns} FROM seen_exports`);
  return {
    ...createSeenExportReads(db),
    put: (row: SeenExportRow) => put.run(row),
    remove: (rootId: string, exportPath: string) => remove.run(rootId, exportPath),
    all: () => all.all(),
  };
}
