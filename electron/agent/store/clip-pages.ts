import type { ClipQuery, ClipState } from '../../../shared/domain/upload-view.ts';
import { assertNever } from '../../../shared/lib/result.ts';
import type { StoredClipState } from './clip-rows.ts';
import type { JobRow } from './job-rows.ts';
import type { WriteDb } from './open-db.ts';

/** A clip whose job is leased. */
export interface RunningClip {
  readonly rowId: number;
  readonly incidentNumber: number;
  /** 0 waiting, 1 held. */
  readonly phase: number;
}

/** The columns that a list shows of a clip, with its job and the parts that storage has. */
export interface ListedClip {
  readonly id: string;
  readonly rowId: number;
  readonly incidentId: string;
  readonly path: string;
  readonly state: StoredClipState;
  readonly held: number;
  readonly sizeBytes: number;
  readonly cameraName: string | null;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly uploadedAt: number | null;
  readonly storageKey: string | null;
  readonly sha256: string | null;
  readonly failure: string | null;
  /** Since when a person has left the failed clip out, milliseconds since 1970. */
  readonly leftOutAt: number | null;
  readonly jobState: JobRow['state'] | null;
  readonly attempts: number | null;
  readonly dueAt: number | null;
  readonly partBytes: number | null;
}

/** The columns of `ListedClip`, over `clips` joined with `sendJobSql`. */
export const listedClipSql = `clips.id, clips.rowid AS rowId, clips.incident_id AS incidentId, clips.path, clips.state,
  clips.held, clips.size_bytes AS sizeBytes, clips.camera_name AS cameraName, clips.started_at AS startedAt,
  clips.ended_at AS endedAt, clips.uploaded_at AS uploadedAt, clips.storage_key AS storageKey, clips.sha256,
  clips.failure, clips.left_out_at AS leftOutAt, jobs.state AS jobState, jobs.attempts, jobs.due_at AS dueAt,
  (SELECT sum(size_bytes) FROM parts WHERE parts.clip_id = clips.id) AS partBytes`;
/** Joins the job that sends a clip. */
export const sendJobSql = "LEFT JOIN jobs ON jobs.kind = 'send-clip' AND jobs.subject = clips.id";

/** Selects clips; `incidentNumber` limits them to one incident. */
export interface ClipSelection extends Omit<ClipQuery, 'incidentId'> {
  readonly incidentNumber?: number;
  /** The desk is paused: so is everything that is queued and not running. */
  readonly isPaused: boolean;
  readonly running: readonly RunningClip[];
}

/** Parameters by name. */
export type SqlParameters = Readonly<Record<string, string | number>>;

/** Each sort has an index that covers the selection's conditions: rows are read only for the page itself. */
const sorts = {
  createdAt: { index: 'clips_by_creation', key: 'created_at' },
  startedAt: { index: 'clips_by_start', key: 'started_at' },
  file: { index: 'clips_by_path', key: 'path COLLATE NOCASE' },
  sizeBytes: { index: 'clips_by_size', key: 'size_bytes' },
} as const satisfies Readonly<Record<ClipQuery['sort'], object>>;

const isRunning = 'clips.rowid IN (SELECT value FROM json_each(@running))';
/** No list index has this column; few clips are left out. */
const isLeftOut = 'clips.rowid IN (SELECT rowid FROM clips WHERE left_out_at IS NOT NULL)';

/** The condition for a state, for an index that has `phase`. The parameter is `@running`. */
export function stateWhere(state: ClipState, isPaused: boolean): string {
  switch (state) {
    case 'waiting':
      return isPaused ? 'false' : `phase = 0 AND NOT ${isRunning}`;
    case 'uploading':
      return isRunning;
    case 'paused':
      return `${isPaused ? 'phase < 2' : 'phase = 1'} AND NOT ${isRunning}`;
    case 'uploaded':
      return 'phase = 2';
    case 'failed':
      return `phase = 3 AND NOT ${isLeftOut}`;
    case 'leftOut':
      return `phase = 3 AND ${isLeftOut}`;
    default:
      return assertNever(state);
  }
}

/** IDs are hexadecimal: other texts need not be searched for in them. */
const MAY_BE_ID = /^[0-9a-f-]+$/i;

/** The condition for a search, for an index that has path and camera. */
export function searchWhere(text: string): string {
  const search = textSearch(text);
  const named = search.where('path', 'camera_name');
  if (!MAY_BE_ID.test(text)) return named;
  return `(${named} OR clips.rowid IN (SELECT rowid FROM clips WHERE ${search.where('id')}))`;
}

interface Compiled {
  readonly where: string;
  readonly searchWhere: string | undefined;
  readonly parameters: SqlParameters;
}

function compile({ state, incidentNumber, search, isPaused, running }: ClipSelection): Compiled {
  const conditions = [
    ...(state === undefined ? [] : [stateWhere(state, isPaused)]),
    ...(incidentNumber === undefined ? [] : ['incident_number = @incidentNumber']),
  ];
  const isSearched = search !== undefined && search !== '';
  const where = ['true', ...conditions].join(' AND ');
  return {
    where,
    searchWhere: isSearched ? searchWhere(search) : undefined,
    parameters: {
      ...(where.includes('@running') ? { running: JSON.stringify(running.map(({ rowId }) => rowId)) } : {}),
      ...(incidentNumber === undefined ? {} : { incidentNumber }),
      ...(isSearched ? { search: textSearch(search).parameter } : {}),
    },
  };
}

function pageSql({ sort, order }: ClipSelection, { where, searchWhere: wanted }: Compiled): string {
  const { index, key } = sorts[sort];
  const direction = order === 'ascending' ? 'ASC' : 'DESC';
  const sorted = `ORDER BY clips.${key} ${direction}, clips.number ${direction}`;
  // Only the index by path has the searched columns
  const found =
    wanted === undefined || sort === 'file'
      ? (wanted ?? 'true')
      : `rowid IN (SELECT rowid FROM clips INDEXED BY clips_by_path WHERE ${wanted})`;
  return `WITH page AS MATERIALIZED (SELECT rowid AS row FROM clips INDEXED BY ${index}
      WHERE ${where} AND ${found} ${sorted} LIMIT @limit OFFSET @offset)
    SELECT ${listedClipSql} FROM page CROSS JOIN clips ON clips.rowid = page.row ${sendJobSql} ${sorted}`;
}

/** Reads for lists of clips. */
export function createClipPages(db: WriteDb) {
  addTextSearch(db);
  const running = db.prepare<[], RunningClip>(`SELECT clips.rowid AS rowId,
    clips.incident_number AS incidentNumber, clips.phase
    FROM jobs INDEXED BY jobs_leased CROSS JOIN clips ON clips.id = jobs.subject
    WHERE jobs.state = 'leased' AND jobs.kind = 'send-clip' AND clips.phase < 2`);
  const one = db.prepare<[string], ListedClip>(
    `SELECT ${listedClipSql} FROM clips ${sendJobSql} WHERE clips.id = ?`,
  );
  return {
    /** The clips that are being sent: few. */
    running: () => running.all(),
    one: (id: string) => one.get(id),
    page(selection: ClipSelection): readonly ListedClip[] {
      const compiled = compile(selection);
      const { limit, offset } = selection;
      const statement = db.prepare<[SqlParameters], ListedClip>(pageSql(selection, compiled));
      return statement.all({ ...compiled.parameters, limit, offset });
    },
    /** How many clips match the selection, on all pages. */
    count(selection: ClipSelection): number {
      const { where, searchWhere: wanted = 'true', parameters } = compile(selection);
      const sql = `SELECT count(*) FROM clips INDEXED BY clips_by_path WHERE ${where} AND ${wanted}`;
      return db.prepare<[SqlParameters], number>(sql).pluck().get(parameters) ?? 0;
    },
  };
}

/** How a query searches for a text: conditions over columns, and their single parameter. */
interface TextSearch {
  /** True where one of the columns contains the text, ignoring case. The parameter is `@search`. */
  where(...columns: readonly string[]): string;
  readonly parameter: string;
}

/** Prepares a connection for `textSearch`. */
export function addTextSearch(db: WriteDb): void {
  db.function('holds_text', { deterministic: true }, (text: unknown, wanted: unknown) =>
    typeof text === 'string' && text.toLowerCase().includes(String(wanted)) ? 1 : 0,
  );
}

/**
 * Searches with LIKE where possible: SQLite ignores case only in ASCII, but fast. Other texts need a function that is
 * about ten times slower.
 */
export function textSearch(text: string): TextSearch {
  if (/^\p{ASCII}*$/u.test(text)) {
    return {
      where: (...columns) =>
        `(${columns.map((column) => `${column} LIKE @search ESCAPE '\\'`).join(' OR ')})`,
      parameter: `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`,
    };
  }
  return {
    where: (...columns) => `(${columns.map((column) => `holds_text(${column}, @search)`).join(' OR ')})`,
    parameter: text.toLowerCase(),
  };
}
