import { join } from 'node:path';
import {
  seenStates,
  isArriving,
  needsPerson,
  type SeenCounts,
  type SeenState,
  type SeenExport,
  type SeenPage,
} from '../../../shared/domain/seen-export.ts';
import type {
  OutlinePage,
  OutlinePlace,
  OutlineQuery,
  OutlineRow,
} from '../../../shared/domain/upload-outline.ts';
import type { ClipRowView, ClipState, IncidentRowView } from '../../../shared/domain/upload-view.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';
import type { ListedClip, RunningClip } from '../store/clip-pages.ts';
import { parseFailure, parseSeenFacts } from '../store/json-columns.ts';
import type { OutlineSelection, PlacedIncident } from '../store/outline-pages.ts';
import type { Tables } from '../store/tables.ts';
import { iso } from './clip-details.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { describeSeen } from '../core/settle/describe-seen.ts';
import { unknownId } from '../queue/retry-clips.ts';
import type { ListedSeenRow } from '../store/seen-export-rows.ts';

/** Most cameras that a line names; it only says that there are more. */
const MOST_CAMERAS = 4;

/** State of the queue at one moment, besides its rows. */
export interface QueueMoment {
  readonly isPaused: boolean;
  readonly running: readonly RunningClip[];
}

interface Deps {
  readonly tables: Tables;
  readonly now: () => QueueMoment;
  readonly clipView: (row: ListedClip, moment: QueueMoment) => ClipRowView;
  readonly incidentViews: (ids: readonly string[], moment: QueueMoment) => readonly IncidentRowView[];
  readonly clipCounts: (moment: QueueMoment) => Readonly<Record<ClipState, number>>;
}

/** The list on the Uploads screen. Each read sees one snapshot of the database. */
export interface OutlineReads {
  list(query: OutlineQuery): OutlinePage;
  placeOf(query: OutlinePlace): { readonly index?: number };
}

/** Creates the reads. */
export function createOutlineReads({ tables, now, clipView, incidentViews, clipCounts }: Deps): OutlineReads {
  const { outlinePages, seenExports } = tables;

  function list(query: OutlineQuery): OutlinePage {
    const moment = now();
    const { offset, limit } = query;
    const seen = seenScope(query);
    const exports = seenExports.countFound(seen);
    const selection = selectionOf(query, moment);
    const rows: OutlineRow[] = [];
    if (offset < exports)
      for (const row of seenExports.find({ ...seen, limit, offset }))
        rows.push({ kind: 'export', seen: seenView(row) });
    let total = exports;
    if (selection !== undefined) {
      const window = { offset: Math.max(0, offset - exports), limit: limit - rows.length };
      const page = outlinePages.page(selection, window.offset, window.limit);
      total += page.total;
      rows.push(...incidentRows(selection, moment, page.incidents, window));
    }
    return { total, counts: countsOf(clipCounts(moment), seenCounts(seenExports.counts())), rows };
  }

  function incidentRows(
    selection: OutlineSelection,
    moment: QueueMoment,
    page: readonly PlacedIncident[],
    { offset, limit }: Pick<OutlineQuery, 'offset' | 'limit'>,
  ): readonly OutlineRow[] {
    const end = offset + limit;
    const lines = page.filter(({ top }) => top >= offset).map(({ id }) => id);
    const views = new Map(incidentViews(lines, moment).map((view) => [view.id, view]));
    return page.flatMap((placed): readonly OutlineRow[] => {
      const line = incidentLine(placed, views.get(placed.id));
      if (placed.isOpen === 0 || placed.shown === 0) return line;
      const from = Math.max(0, offset - placed.top - 1);
      const most = Math.min(placed.shown - from, end - (placed.top + 1 + from));
      return most <= 0 ? line : [...line, ...clipLines(selection, placed, moment, from, most)];
    });
  }

  function incidentLine(
    { id, shown, isOpen }: PlacedIncident,
    incident: IncidentRowView | undefined,
  ): readonly OutlineRow[] {
    if (incident === undefined) return [];
    const { failed } = incident;
    const { cameras, startedAt, pictureOf, failure, isOneFailure } = tables.incidentPages.summary(id, failed);
    return [
      {
        kind: 'incident',
        incident,
        isOpen: isOpen === 1,
        shown,
        cameras: cameras.slice(0, MOST_CAMERAS),
        hasMoreCameras: cameras.length > MOST_CAMERAS,
        ...knownFields<Partial<Extract<OutlineRow, { kind: 'incident' }>>>({
          recordedAt: incident.incidentAt ?? iso(startedAt),
          pictureOf: pictureOf ?? undefined,
          reason: incident.failure ?? parseFailure(failure),
        }),
        ...(isOneFailure && { isOneReason: true }),
      },
    ];
  }

  function clipLines(
    selection: OutlineSelection,
    placed: PlacedIncident,
    moment: QueueMoment,
    from: number,
    most: number,
  ): readonly OutlineRow[] {
    const incidentTitle = tables.incidents.byId(placed.id)?.title ?? '';
    return outlinePages.clips(selection, placed, from, most).map((row, index) => ({
      kind: 'clip',
      clip: clipView(row, moment),
      incidentTitle,
      hasPicture: outlinePages.hasPicture(row.id),
      position: from + index + 1,
      shown: placed.shown,
    }));
  }

  function placeOf({ incidentId, clipId, ...query }: OutlinePlace): { readonly index?: number } {
    const selection = selectionOf(query, now());
    const wanted = { incidentId, ...(clipId !== undefined && { clipId }) };
    const row = selection && outlinePages.placeOf({ ...selection, ...wanted });
    return row === undefined ? {} : { index: row + seenExports.countFound(seenScope(query)) };
  }

  return {
    list: (query) => tables.read(() => list(query)),
    placeOf: (query) => tables.read(() => placeOf(query)),
  };
}

type Listed = Omit<OutlineQuery, 'offset' | 'limit'>;

/** Undefined if only exports are wanted. */
function selectionOf({ state, ...query }: Listed, moment: QueueMoment): OutlineSelection | undefined {
  if (state === 'held') return undefined;
  return { ...query, ...moment, ...(state === undefined ? {} : { state }) };
}

function seenScope({ state, search = '' }: Listed): { readonly states: string; readonly search: string } {
  return { states: JSON.stringify(seenStates.filter((each) => isMeant(each, state))), search };
}

function isMeant(seen: SeenState, state: Listed['state']): boolean {
  if (state === undefined) return true;
  return state === 'held' ? needsPerson(seen) : state === 'waiting' && isArriving(seen);
}

function countsOf(clips: Readonly<Record<ClipState, number>>, seen: SeenCounts): OutlinePage['counts'] {
  const sum = (isMeantHere: (state: SeenState) => boolean): number =>
    seenStates.filter(isMeantHere).reduce((total, state) => total + seen[state], 0);
  return {
    ...clips,
    held: sum(needsPerson),
    arriving: sum(isArriving),
    aside: sum((state) => !needsPerson(state) && !isArriving(state)),
  };
}

/** Reads of exports that were seen and are not completely in the queue. */
export interface SeenReads {
  listExports(window: { readonly offset: number; readonly limit: number }): SeenPage;
  /** Errors: NOT_FOUND, also once the export is in the queue. */
  getExport(id: string): Result<SeenExport, Failure>;
  /** The incident that an export became, if it did. */
  incidentOfExport(id: string): { readonly incidentId?: string };
}

/** Creates the reads over the agent's own connection. */
export function createSeenReads(tables: Pick<Tables, 'incidents' | 'seenExports' | 'read'>): SeenReads {
  const { incidents, seenExports } = tables;
  return {
    listExports: ({ offset, limit }) =>
      tables.read(() => {
        const counts = seenCounts(seenExports.counts());
        const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
        return { total, counts, rows: seenExports.page(limit, offset).map(seenView) };
      }),
    getExport(id) {
      const row = seenExports.one(...placeOf(id));
      return row === undefined ? err(unknownId(id)) : ok(seenView(row));
    },
    incidentOfExport(id) {
      const incident = incidents.inFolder(...placeOf(id));
      return incident === undefined ? {} : { incidentId: incident.id };
    },
  };
}

/** Splits an export's ID into the root's ID and the path inside the root. */
export function placeOf(id: string): readonly [rootId: string, exportPath: string] {
  const cut = id.indexOf('/');
  return [id.slice(0, cut), id.slice(cut + 1)];
}

/** Counts for every state; states without rows are 0. */
export function seenCounts(
  rows: readonly { readonly state: SeenState; readonly found: number }[],
): SeenCounts {
  const of = (state: SeenState): number => rows.find((row) => row.state === state)?.found ?? 0;
  return {
    held: of('held'),
    unrecognised: of('unrecognised'),
    reading: of('reading'),
    writing: of('writing'),
    settling: of('settling'),
    copy: of('copy'),
    missing: of('missing'),
    onHold: of('onHold'),
    ignored: of('ignored'),
  };
}

/** A row as windows show it. */
export function seenView(row: ListedSeenRow): SeenExport {
  const isSentAhead = row.state === 'writing' && row.sentPercent !== null;
  const facts = { ...parseSeenFacts(row.facts), ...(isSentAhead && { sentPercent: row.sentPercent }) };
  const settlesAt = row.settlesAt === null ? undefined : new Date(row.settlesAt).toISOString();
  return {
    id: `${row.rootId}/${row.exportPath}`,
    name: row.exportPath,
    folder: join(row.rootPath, row.exportPath),
    state: row.state,
    since: new Date(row.since).toISOString(),
    facts,
    ...describeSeen(row.state, row.exportPath, facts),
    ...knownFields<Partial<SeenExport>>({ settlesAt, incidentId: row.incidentId }),
  };
}
