import type { IncidentQuery, IncidentState } from '../../../shared/domain/upload-view.ts';
import { type SqlParameters, addTextSearch, textSearch } from './clip-pages.ts';
import { parseNames } from './json-columns.ts';
import type { WriteDb } from './open-db.ts';

/** The columns that a list shows of an incident. */
export interface ListedIncident {
  readonly id: string;
  readonly title: string;
  readonly rootPath: string;
  readonly exportPath: string;
  readonly state: IncidentState;
  readonly createdAt: number;
  readonly incidentAt: number | null;
  readonly uploaded: number;
  readonly failed: number;
  /** Failed clips that a person left out; not counted in `failed`. */
  readonly leftOut: number;
  readonly pending: number;
  readonly sizeBytes: number;
  readonly failure: string | null;
}

/** Clips of an incident by their state. */
export interface ClipTally {
  readonly waiting: number;
  readonly held: number;
  readonly uploaded: number;
  readonly failed: number;
  readonly leftOut: number;
}

/** What decides the state of an incident, apart from its rows. */
export interface QueueNow {
  /** The desk is paused. */
  readonly isPaused: boolean;
  /** Numbers of the incidents that have a clip being sent. */
  readonly runningIncidents: readonly number[];
}

/** Selects incidents, given the state of the queue. */
export type IncidentSelection = IncidentQuery & QueueNow;

/** First whatever needs a person, then whatever moves. `sent` means that the service's record is up to date as well. */
export const stateOfIncident = `CASE
  WHEN incidents.failure IS NOT NULL OR tally.failed > tally.left_out THEN 'attention'
  WHEN incidents.number IN (SELECT value FROM json_each(@running)) THEN 'uploading'
  WHEN tally.waiting + tally.held = 0
    THEN CASE WHEN incidents.synced_version >= incidents.version THEN 'sent' ELSE 'waiting' END
  WHEN @isPaused OR tally.waiting = 0 THEN 'paused'
  ELSE 'waiting' END`;

/**
 * Every incident in a state other than `sent`, found through indexes that contain only those: each part is the
 * condition of one index.
 */
const openIncidents = `SELECT incident_number AS number FROM incident_tallies WHERE waiting > 0 OR held > 0
  UNION SELECT incident_number FROM incident_tallies WHERE failed > left_out
  UNION SELECT number FROM incidents WHERE failure IS NOT NULL
  UNION SELECT number FROM incidents WHERE synced_version < version`;

const tallied = 'JOIN incident_tallies AS tally ON tally.incident_number = incidents.number';

const listedIncident = `incidents.id, incidents.title, incidents.root_path AS rootPath,
  incidents.export_path AS exportPath, ${stateOfIncident} AS state, incidents.created_at AS createdAt,
  incidents.incident_at AS incidentAt, tally.uploaded,
  tally.failed - tally.left_out AS failed, tally.left_out AS leftOut, tally.waiting + tally.held AS pending,
  tally.waiting_bytes + tally.held_bytes + tally.uploaded_bytes + tally.failed_bytes AS sizeBytes, incidents.failure`;

const sorts = {
  createdAt: { index: 'incidents_by_creation', key: 'created_at' },
  incidentAt: { index: 'incidents_by_time', key: 'incident_at' },
  title: { index: 'incidents_by_title', key: 'title COLLATE NOCASE' },
} as const satisfies Readonly<Record<IncidentQuery['sort'], object>>;

/** What a line of the outline shows about the clips of an incident. */
interface ClipsSummary {
  readonly cameras: readonly string[];
  /** Milliseconds since 1970. */
  readonly startedAt: number | null;
  readonly pictureOf: string | null;
  /**
   * Why the first of its failed clips failed, JSON, and whether all failed with the same code (false when there are too
   * many to look at).
   */
  readonly failure: string | null;
  readonly isOneFailure: boolean;
}

type FirstClips = Pick<ClipsSummary, 'startedAt' | 'pictureOf'> & { readonly cameras: string };

/** Most clips of an incident that are read for its cameras, its thumbnail and its failures: it may have 100,000. */
const MOST_LOOKED_AT = 50;

function nowParameters({ isPaused, runningIncidents }: QueueNow): SqlParameters {
  return { isPaused: isPaused ? 1 : 0, running: JSON.stringify(runningIncidents) };
}

function compile({ state, search }: Pick<IncidentSelection, 'state' | 'search'>): {
  readonly where: string;
  readonly parameters: SqlParameters;
} {
  const wanted = search === undefined || search === '' ? undefined : textSearch(search);
  const conditions = [
    ...(state === undefined || state === 'sent' ? [] : [`incidents.number IN (${openIncidents})`]),
    ...(state === undefined ? [] : [`${stateOfIncident} = @state`]),
    ...(wanted === undefined
      ? []
      : [wanted.where('incidents.title', 'incidents.export_path', 'incidents.id')]),
  ];
  return {
    where: ['true', ...conditions].join(' AND '),
    parameters: {
      ...(state === undefined ? {} : { state }),
      ...(wanted === undefined ? {} : { search: wanted.parameter }),
    },
  };
}

/** Reads for lists of incidents. */
export function createIncidentPages(db: WriteDb) {
  addTextSearch(db);
  const counts = db.prepare<[SqlParameters], { readonly state: IncidentState; readonly found: number }>(
    `WITH open AS MATERIALIZED (${openIncidents})
     SELECT ${stateOfIncident} AS state, count(*) AS found
       FROM open CROSS JOIN incidents ON incidents.number = open.number CROSS ${tallied} GROUP BY 1
     UNION ALL SELECT 'sent', (SELECT count(*) FROM incidents) - (SELECT count(*) FROM open)`,
  );
  const some = db.prepare<[SqlParameters], ListedIncident>(
    `SELECT ${listedIncident} FROM incidents ${tallied} WHERE incidents.id IN (SELECT value FROM json_each(@ids))`,
  );
  // A single statement: a page runs this for a hundred incidents, with fifty clips each, every second
  const firstClips = db.prepare<[string], FirstClips>(
    `WITH few AS MATERIALIZED (SELECT id, camera_name AS camera, started_at AS start FROM clips
        WHERE incident_id = ? LIMIT ${MOST_LOOKED_AT})
      SELECT json_group_array(DISTINCT camera) FILTER (WHERE camera IS NOT NULL) AS cameras, min(start) AS startedAt,
        (SELECT id FROM few WHERE EXISTS (SELECT 1 FROM thumbnails WHERE clip_id = few.id) LIMIT 1) AS pictureOf FROM few`,
  );
  const failed = db.prepare<[string, number], { failure: string | null; code: string | null }>(
    `SELECT failure, failure ->> 'code' AS code FROM clips INDEXED BY clips_failed
    WHERE state = 'failed' AND left_out_at IS NULL AND incident_id = ? ORDER BY rowid LIMIT ?`,
  );
  const numberOf = db.prepare<[string], number>('SELECT number FROM incidents WHERE id = ?').pluck();
  const tallyOf = db.prepare<[number], ClipTally>(
    `SELECT waiting, held, uploaded, failed - left_out AS failed, left_out AS leftOut FROM incident_tallies
     WHERE incident_number = ?`,
  );
  const tallyOfAll = db.prepare<[], ClipTally>(`SELECT coalesce(sum(waiting), 0) AS waiting,
    coalesce(sum(held), 0) AS held, coalesce(sum(uploaded), 0) AS uploaded, coalesce(sum(failed - left_out), 0) AS failed,
    coalesce(sum(left_out), 0) AS leftOut FROM incident_tallies`);
  const none = { waiting: 0, held: 0, uploaded: 0, failed: 0, leftOut: 0 };
  return {
    /** How many incidents are in each state; states without any are missing. */
    counts: (now: QueueNow) => counts.all(nowParameters(now)),
    /** Those of these incidents that exist, in any order. */
    some: (ids: readonly string[], now: QueueNow) =>
      some.all({ ...nowParameters(now), ids: JSON.stringify(ids) }),
    /** What a line shows about the clips of an incident; of a large incident, only some clips are read. */
    summary(incidentId: string, failedCount: number): ClipsSummary {
      const first = firstClips.get(incidentId);
      if (first === undefined) throw new Error('The summary query returned no row');
      const failures = failedCount === 0 ? [] : failed.all(incidentId, MOST_LOOKED_AT);
      return {
        ...first,
        cameras: parseNames(first.cameras),
        failure: failures[0]?.failure ?? null,
        isOneFailure: failures.length === failedCount && new Set(failures.map(({ code }) => code)).size === 1,
      };
    },
    /** The number that identifies the incident in other tables. */
    numberOf: (id: string) => numberOf.get(id),
    /** Clip counts of an incident, or of all incidents. */
    tally: (incidentNumber?: number): ClipTally =>
      (incidentNumber === undefined ? tallyOfAll.get() : tallyOf.get(incidentNumber)) ?? none,
    page(selection: IncidentSelection): readonly ListedIncident[] {
      const { sort, order, limit, offset } = selection;
      const { where, parameters } = compile(selection);
      const { index, key } = sorts[sort];
      const direction = order === 'ascending' ? 'ASC' : 'DESC';
      const sorted = `ORDER BY incidents.${key} ${direction}, incidents.number ${direction}`;
      const sql = `WITH page AS MATERIALIZED (SELECT incidents.rowid AS row FROM incidents INDEXED BY ${index}
          CROSS ${tallied} WHERE ${where} ${sorted} LIMIT @limit OFFSET @offset)
        SELECT ${listedIncident} FROM page CROSS JOIN incidents ON incidents.rowid = page.row ${tallied} ${sorted}`;
      const all = { ...nowParameters(selection), ...parameters, limit, offset };
      return db.prepare<[SqlParameters], ListedIncident>(sql).all(all);
    },
    /** How many incidents match the selection, on all pages. */
    count(selection: IncidentSelection): number {
      const { where, parameters } = compile(selection);
      const sql = `SELECT count(*) FROM incidents ${tallied} WHERE ${where}`;
      const all = { ...nowParameters(selection), ...parameters };
      return db.prepare<[SqlParameters], number>(sql).pluck().get(all) ?? 0;
    },
  };
}
