import {
  seenStates,
  needsPerson,
  type SeenCounts,
  type SeenState,
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
import { parseFailure } from '../store/json-columns.ts';
import type { OutlineSelection, PlacedIncident } from '../store/outline-pages.ts';
import type { Tables } from '../store/tables.ts';
import { iso } from './clip-details.ts';
import { seenCounts, seenView } from './seen-exports.ts';

/** Cameras that a line names; the rest is said to be there. */
const MOST_CAMERAS = 4;

/** The queue at one moment, beside its rows. */
export interface QueueMoment {
  readonly isPaused: boolean;
  readonly running: readonly RunningClip[];
}

interface Deps {
  readonly tables: Tables;
  readonly now: () => QueueMoment;
  readonly clipView: (row: ListedClip, moment: QueueMoment) => ClipRowView;
  readonly incidentView: (incidentId: string, moment: QueueMoment) => IncidentRowView | undefined;
  readonly clipCounts: (moment: QueueMoment) => Readonly<Record<ClipState, number>>;
}

/** The list of the screen Uploads. Each read is one moment of the database. */
export interface OutlineReads {
  list(query: OutlineQuery): OutlinePage;
  placeOf(query: OutlinePlace): { readonly index?: number };
}

/** Makes the reads. */
export function createOutlineReads({ tables, now, clipView, incidentView, clipCounts }: Deps): OutlineReads {
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
    if (selection !== undefined && rows.length < limit)
      rows.push(...incidentRows(selection, moment, Math.max(0, offset - exports), limit - rows.length));
    const total = exports + (selection === undefined ? 0 : outlinePages.total(selection));
    return { total, counts: countsOf(clipCounts(moment), seenCounts(seenExports.counts())), rows };
  }

  function incidentRows(
    selection: OutlineSelection,
    moment: QueueMoment,
    offset: number,
    limit: number,
  ): readonly OutlineRow[] {
    const end = offset + limit;
    return outlinePages.page(selection, offset, limit).flatMap((placed): readonly OutlineRow[] => {
      const line = placed.top >= offset ? incidentLine(placed, moment) : [];
      if (placed.isOpen === 0 || placed.shown === 0) return line;
      const from = Math.max(0, offset - placed.top - 1);
      const most = Math.min(placed.shown - from, end - (placed.top + 1 + from));
      return most <= 0 ? line : [...line, ...clipLines(selection, placed, moment, from, most)];
    });
  }

  function incidentLine({ id, shown, isOpen }: PlacedIncident, moment: QueueMoment): readonly OutlineRow[] {
    const incident = incidentView(id, moment);
    if (incident === undefined) return [];
    const { cameras, startedAt, pictureOf, failure } = outlinePages.summary(id, incident.failed > 0);
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

  function placeOf({ incidentId, ...query }: OutlinePlace): { readonly index?: number } {
    const selection = selectionOf(query, now());
    const top = selection && outlinePages.placeOf({ ...selection, incidentId });
    return top === undefined ? {} : { index: top + seenExports.countFound(seenScope(query)) };
  }

  return {
    list: (query) => tables.read(() => list(query)),
    placeOf: (query) => tables.read(() => placeOf(query)),
  };
}

type Listed = Omit<OutlineQuery, 'offset' | 'limit'>;

/** Undefined when only exports are wanted. */
function selectionOf({ state, ...query }: Listed, moment: QueueMoment): OutlineSelection | undefined {
  if (state === 'held') return undefined;
  return { ...query, ...moment, ...(state === undefined ? {} : { state }) };
}

function seenScope({ state, search = '' }: Listed): { readonly states: string; readonly search: string } {
  return { states: JSON.stringify(seenStates.filter((each) => isMeant(each, state))), search };
}

function isMeant(seen: SeenState, state: Listed['state']): boolean {
  if (state === undefined) return true;
  return state === 'held' ? needsPerson(seen) : state === 'waiting' && !needsPerson(seen);
}

function countsOf(clips: Readonly<Record<ClipState, number>>, seen: SeenCounts): OutlinePage['counts'] {
  return {
    ...clips,
    held: seen.held + seen.unrecognised,
    arriving: seen.reading + seen.writing + seen.settling,
  };
}
