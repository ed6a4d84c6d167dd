/**
 * The outline of the queue: incidents in order, each with its clips below it while it is open. Rows are counted, not
 * stored: a page is found by the heights of the incidents above it.
 */
import type { OutlinePlace, OutlineQuery } from '../../../shared/domain/upload-outline.ts';
import { assertNever } from '../../../shared/lib/result.ts';
import {
  addTextSearch,
  listedClipSql,
  searchWhere,
  sendJobSql,
  stateWhere,
  textSearch,
  type ListedClip,
  type RunningClip,
  type SqlParameters,
} from './clip-pages.ts';
import { stateOfIncident } from './incident-pages.ts';
import type { WriteDb } from './open-db.ts';

/** Selects part of the outline, given the state of the queue at that moment. */
export type OutlineSelection = Omit<OutlineQuery, 'offset' | 'limit' | 'state'> & {
  readonly state?: Exclude<OutlineQuery['state'], 'held' | undefined>;
  /** The desk is paused. */
  readonly isPaused: boolean;
  readonly running: readonly RunningClip[];
};

/** An incident of a page: its row, counted from 0, and the clips below it. */
export interface PlacedIncident {
  readonly id: string;
  readonly top: number;
  /** How many of its clips match. */
  readonly shown: number;
  readonly isOpen: number;
  /** 1 when the incident itself was found, so that all its clips are shown. */
  readonly isWhole: number;
}

/** A window on the outline, and how many rows the whole outline has. */
export interface PlacedPage {
  readonly total: number;
  readonly incidents: readonly PlacedIncident[];
}

const rowsEnd = ({ top, isOpen, shown }: PlacedIncident): number => top + 1 + isOpen * shown;

/** An incident with more clips than this is read through an index that has all clips in order. */
const MANY_CLIPS = 2000;

const keys = {
  createdAt: 'incidents.created_at',
  incidentAt: 'incidents.incident_at',
  title: 'incidents.title COLLATE NOCASE',
  sizeBytes: 'tally.waiting_bytes + tally.held_bytes + tally.uploaded_bytes + tally.failed_bytes',
} as const satisfies Readonly<Record<OutlineQuery['sort'], string>>;

const sortedIndex: Readonly<Record<OutlineQuery['sort'], string>> = {
  createdAt: 'INDEXED BY incidents_by_creation',
  incidentAt: 'INDEXED BY incidents_by_time',
  title: 'INDEXED BY incidents_by_title',
  sizeBytes: '',
};

const clipOrders: Readonly<Record<OutlineQuery['sort'], string>> = {
  createdAt: 'clips.started_at, clips.number',
  incidentAt: 'clips.started_at, clips.number',
  title: 'clips.path COLLATE NOCASE, clips.number',
  sizeBytes: 'clips.size_bytes, clips.number',
};
const clipIndexes: Readonly<Record<OutlineQuery['sort'], string>> = {
  createdAt: 'clips_by_start',
  incidentAt: 'clips_by_start',
  title: 'clips_by_path',
  sizeBytes: 'clips_by_size',
};

const tallied = 'incident_tallies AS tally ON tally.incident_number = incidents.number';
const runningOf = (phases: string): string =>
  `(SELECT count(*) FROM json_each(@moving) WHERE value ->> 'incident' = incidents.number AND value ->> 'phase' IN (${phases}))`;

/** How many clips of an incident are in the state. */
function countOf({ state, isPaused }: OutlineSelection): string {
  switch (state) {
    case undefined:
      return 'tally.waiting + tally.held + tally.uploaded + tally.failed';
    case 'waiting':
      return isPaused ? '0' : `tally.waiting - ${runningOf('0')}`;
    case 'uploading':
      return runningOf('0, 1');
    case 'paused':
      return isPaused
        ? `tally.waiting + tally.held - ${runningOf('0, 1')}`
        : `tally.held - ${runningOf('1')}`;
    case 'uploaded':
      return 'tally.uploaded';
    case 'failed':
      return 'tally.failed - tally.left_out';
    case 'leftOut':
      return 'tally.left_out';
    default:
      return assertNever(state);
  }
}

/** An incident whose own record is in the state is listed too, even without such a clip. */
function ownState({ state }: OutlineSelection): string {
  if (state === 'failed') return 'incidents.failure IS NOT NULL';
  if (state === 'waiting') return `${stateOfIncident.replace('@running', '@movingIncidents')} = 'waiting'`;
  return 'false';
}

const isNarrowed = ({ state, search }: OutlineSelection): boolean =>
  state !== undefined || (search !== undefined && search !== '');

/** Every matching incident, with its height. */
function foundSql(selection: OutlineSelection): string {
  const { search, sort, state, isPaused } = selection;
  const shown = countOf(selection);
  const flag = '((incidents.id IN (SELECT value FROM json_each(@except))) <> @isOpen)';
  if (search === undefined || search === '') {
    const where = state === undefined ? 'true' : `(${shown} > 0 OR ${ownState(selection)})`;
    const index = state === undefined ? sortedIndex[sort] : '';
    return `found AS (SELECT incidents.id, incidents.number, ${keys[sort]} AS key, ${shown} AS shown,
      ${flag} AS isOpen, 1 AS isWhole FROM incidents ${index} JOIN ${tallied} WHERE ${where})`;
  }
  const named = textSearch(search).where('incidents.title', 'incidents.export_path', 'incidents.id');
  const fits = state === undefined ? 'true' : stateWhere(state, isPaused);
  const own = state === undefined ? 'true' : `(${shown} > 0 OR ${ownState(selection)})`;
  return `hits AS MATERIALIZED (SELECT incident_number, count(*) AS hits FROM clips INDEXED BY clips_by_path
      WHERE ${fits} AND ${searchWhere(search)} GROUP BY incident_number),
    found AS (SELECT incidents.id, incidents.number, ${keys[sort]} AS key,
      CASE WHEN ${named} THEN ${shown} ELSE hits.hits END AS shown, ${flag} AS isOpen, ${named} AS isWhole
      FROM incidents JOIN ${tallied} LEFT JOIN hits ON hits.incident_number = incidents.number
      WHERE hits.hits > 0 OR (${named} AND ${own}))`;
}

function parametersOf(selection: OutlineSelection, sql: string): SqlParameters {
  const { search = '', running, isPaused, except, isOpen } = selection;
  const moving = running.map(({ incidentNumber, phase }) => ({ incident: incidentNumber, phase }));
  const names = new Set(sql.match(/(?<=@)\w+/g));
  const all: SqlParameters = {
    except: JSON.stringify(except),
    isOpen: isOpen ? 1 : 0,
    isPaused: isPaused ? 1 : 0,
    moving: JSON.stringify(moving),
    movingIncidents: JSON.stringify(running.map(({ incidentNumber }) => incidentNumber)),
    running: JSON.stringify(running.map(({ rowId }) => rowId)),
    search: textSearch(search).parameter,
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)));
}

/** Reads for the outline. */
export function createOutlinePages(db: WriteDb) {
  addTextSearch(db);
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- rows come untyped from the driver
  const all = <Row>(sql: string, selection: OutlineSelection, more: SqlParameters = {}): readonly Row[] =>
    db.prepare<[SqlParameters], Row>(sql).all({ ...parametersOf(selection, sql), ...more });
  const hasPicture = db.prepare<[string], number>('SELECT 1 FROM thumbnails WHERE clip_id = ?').pluck();

  /** A single statement: a search reads every clip, so the total comes with the page, in the last incident's row. */
  function pageOfAll(selection: OutlineSelection, offset: number, limit: number): PlacedPage {
    const sql = `${placedSql(selection, ', sum(1 + isOpen * shown) OVER () AS total')}, total FROM placed
      WHERE (bottom > @offset AND top < @offset + @limit) OR bottom = total ORDER BY bottom`;
    const rows = all<PlacedIncident & { readonly total: number }>(sql, selection, { offset, limit });
    const inWindow = rows.filter((row) => rowsEnd(row) > offset && row.top < offset + limit);
    return { total: rows[0]?.total ?? 0, incidents: inWindow };
  }

  /** An index has the incidents in order: heights are added up to the end of the window; the rest is only summed. */
  function pageInOrder(selection: OutlineSelection, offset: number, limit: number): PlacedPage {
    const sql = `${placedSql(selection)} FROM placed WHERE bottom > @offset LIMIT @limit`;
    const rows = all<PlacedIncident>(sql, selection, { offset, limit });
    const sum = `WITH ${foundSql(selection)} SELECT total(1 + isOpen * shown) AS total FROM found`;
    const [{ total } = { total: 0 }] = all<{ readonly total: number }>(sum, selection);
    return { total, incidents: rows.filter(({ top }) => top < offset + limit) };
  }

  return {
    /** The incidents with a row in the window (none for a limit of 0), and the number of rows of all that match. */
    page: (selection: OutlineSelection, offset: number, limit: number): PlacedPage =>
      isNarrowed(selection) || selection.sort === 'sizeBytes'
        ? pageOfAll(selection, offset, limit)
        : pageInOrder(selection, offset, limit),
    /** The row of an incident, or of the clip if it is visible below it; undefined when the incident does not match. */
    placeOf({ incidentId, clipId, ...selection }: OutlineSelection & Omit<OutlinePlace, keyof OutlineQuery>) {
      const sql = `${placedSql(selection)} FROM placed WHERE id = @incidentId LIMIT 1`;
      const [placed] = all<PlacedIncident>(sql, selection, { incidentId });
      if (placed === undefined || placed.isOpen === 0 || clipId === undefined) return placed?.top;
      const { where, sorted } = clipsBelow(selection, placed);
      const clipSql = `SELECT position FROM (SELECT id, row_number() OVER (ORDER BY ${sorted}) AS position
        FROM clips WHERE ${where.join(' AND ')}) WHERE id = @clipId`;
      const [clip] = all<{ position: number }>(clipSql, selection, { incident: incidentId, clipId });
      return placed.top + (clip?.position ?? 0);
    },
    /** Clips below an incident, starting at index `from`. */
    clips(selection: OutlineSelection, incident: PlacedIncident, from: number, limit: number) {
      const { where, sorted } = clipsBelow(selection, incident);
      const sql =
        incident.shown > MANY_CLIPS
          ? `WITH page AS MATERIALIZED (SELECT clips.rowid AS row FROM clips INDEXED BY ${clipIndexes[selection.sort]}
              WHERE clips.incident_number = (SELECT number FROM incidents WHERE id = @incident)
                AND ${['true', ...where.slice(1)].join(' AND ')} ORDER BY ${sorted} LIMIT @limit OFFSET @from)
            SELECT ${listedClipSql} FROM page CROSS JOIN clips ON clips.rowid = page.row ${sendJobSql} ORDER BY ${sorted}`
          : `SELECT ${listedClipSql} FROM clips ${sendJobSql} WHERE ${where.join(' AND ')}
            ORDER BY ${sorted} LIMIT @limit OFFSET @from`;
      return all<ListedClip>(sql, selection, { incident: incident.id, limit, from });
    },
    hasPicture: (clipId: string): boolean => hasPicture.get(clipId) !== undefined,
  };
}

/** Which clips are listed below an open incident, and in which order. */
function clipsBelow(
  { state, search, sort, isPaused, order }: OutlineSelection,
  { isWhole }: PlacedIncident,
): { readonly where: readonly string[]; readonly sorted: string } {
  const direction = sort === 'sizeBytes' || sort === 'title' ? order : 'ascending';
  const where = [
    'clips.incident_id = @incident',
    ...(state === undefined ? [] : [stateWhere(state, isPaused)]),
    ...(isWhole === 1 || search === undefined ? [] : [searchWhere(search)]),
  ];
  return {
    where,
    sorted: clipOrders[sort].replaceAll(/(,|$)/g, direction === 'descending' ? ' DESC$1' : '$1'),
  };
}

/** The start of a statement that reads incidents, each with its row; NULL comes first, as SQLite sorts. */
function placedSql(selection: OutlineSelection, more = ''): string {
  const { sort, order } = selection;
  const direction = order === 'ascending' ? 'ASC' : 'DESC';
  // A column of a subquery loses its collation
  const key = sort === 'title' ? 'key COLLATE NOCASE' : 'key';
  return `WITH ${foundSql(selection)}, placed AS (SELECT *, sum(1 + isOpen * shown)
      OVER (ORDER BY ${key} ${direction}, number ${direction} ROWS UNBOUNDED PRECEDING) AS bottom${more} FROM found)
    SELECT id, shown, isOpen, isWhole, bottom - 1 - isOpen * shown AS top`;
}
