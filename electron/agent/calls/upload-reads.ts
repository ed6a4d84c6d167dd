import { join } from 'node:path';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { History, HistorySubject } from '../../../shared/domain/upload-history.ts';
import type {
  ClipDetail,
  ClipPage,
  ClipQuery,
  ClipRowView,
  ClipState,
  IncidentDetail,
  IncidentPage,
  IncidentQuery,
  IncidentRowView,
  IncidentState,
} from '../../../shared/domain/upload-view.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { countRetryable, unknownId } from '../queue/retry-clips.ts';
import type { ListedClip, RunningClip } from '../store/clip-pages.ts';
import type { ClipTally, ListedIncident } from '../store/incident-pages.ts';
import { parseFailure } from '../store/json-columns.ts';
import type { Tables } from '../store/tables.ts';
import { createSeenReads, type SeenReads, createOutlineReads, type OutlineReads } from './outline-reads.ts';
import { clipExtras, incidentExtras, iso, readHistory } from './clip-details.ts';

/** The windows' reads of the queue. Each sees one snapshot of the database and takes a few milliseconds. */
export interface UploadReads extends SeenReads, OutlineReads {
  listIncidents(query: IncidentQuery): IncidentPage;
  /** `counts` are the incident's if the query names one. An unknown incident has no clips. */
  listClips(query: ClipQuery): ClipPage;
  /** Errors: NOT_FOUND. */
  getIncident(incidentId: string): Result<IncidentDetail, Failure>;
  /** Errors: NOT_FOUND. */
  getClip(clipId: string): Result<ClipDetail, Failure>;
  /** Errors: NOT_FOUND. */
  getHistory(subject: HistorySubject): Result<History, Failure>;
}

/** Most failed clips that are checked for one line of a list, which has hundreds of lines. */
const MOST_COUNTED_IN_LINE = 200;

/** State of the queue at one moment, besides its rows. */
interface Now {
  readonly isPaused: boolean;
  readonly running: readonly RunningClip[];
  readonly runningIncidents: readonly number[];
}

/** Creates the reads over the agent's own connection. */
export function createUploadReads(tables: Tables): UploadReads {
  const { clipPages, incidentPages, desk } = tables;

  function now(): Now {
    const running = clipPages.running();
    const runningIncidents = [...new Set(running.map((clip) => clip.incidentNumber))];
    return { isPaused: desk.isPaused(), running, runningIncidents };
  }

  const retryableIn = ({ id, failed }: ListedIncident, mostCounted?: number): number | undefined =>
    failed === 0 ? 0 : countRetryable(tables.clips, id, mostCounted);
  const incidentLine = (row: ListedIncident): IncidentRowView =>
    incidentRow(row, retryableIn(row, MOST_COUNTED_IN_LINE));

  function listIncidents(query: IncidentQuery): IncidentPage {
    const selection = { ...query, ...now() };
    const counts = incidentCounts(incidentPages.counts(selection));
    const total = isSearch(query) ? incidentPages.count(selection) : found(counts, query.state);
    return { total, counts, rows: incidentPages.page(selection).map(incidentLine) };
  }

  function listClips({ incidentId, ...query }: ClipQuery): ClipPage {
    const number = incidentId === undefined ? undefined : (incidentPages.numberOf(incidentId) ?? 0);
    const scope = number === undefined ? {} : { incidentNumber: number };
    const { running, isPaused } = now();
    const selection = { ...query, ...scope, running, isPaused };
    const own = running.filter((clip) => number === undefined || clip.incidentNumber === number);
    const counts = clipCounts(incidentPages.tally(number), own, isPaused);
    const total = isSearch(query) ? clipPages.count(selection) : found(counts, query.state);
    const isRunning = runningIn(running);
    const rows = clipPages.page(selection).map((row) => clipRow(row, isRunning(row), isPaused));
    return { total, counts, rows };
  }

  function getIncident(id: string): Result<IncidentDetail, Failure> {
    const [listed] = incidentPages.some([id], now());
    const row = tables.incidents.byId(id);
    if (listed === undefined || row === undefined) return err(unknownId(id));
    const line = incidentRow(listed, retryableIn(listed));
    const { failure, isOneFailure } = incidentPages.summary(id, line.failed);
    const reason = parseFailure(failure);
    return ok({
      row: line,
      ...incidentExtras(row),
      ...(reason && { reason, isOneReason: isOneFailure }),
    });
  }

  function getClip(id: string): Result<ClipDetail, Failure> {
    const { running, isPaused } = now();
    const listed = clipPages.one(id);
    const row = tables.clips.byId(id);
    if (listed === undefined || row === undefined) return err(unknownId(id));
    const view = clipRow(listed, runningIn(running)(listed), isPaused);
    return ok({ row: view, ...clipExtras(tables, row) });
  }

  return {
    ...createSeenReads(tables),
    ...createOutlineReads({
      tables,
      now,
      clipView: (row, { running, isPaused }) => clipRow(row, runningIn(running)(row), isPaused),
      incidentViews(ids, { running, isPaused }) {
        const runningIncidents = running.map((clip) => clip.incidentNumber);
        return incidentPages.some(ids, { isPaused, runningIncidents }).map(incidentLine);
      },
      clipCounts: ({ running, isPaused }) => clipCounts(incidentPages.tally(), running, isPaused),
    }),
    listIncidents: (query) => tables.read(() => listIncidents(query)),
    listClips: (query) => tables.read(() => listClips(query)),
    getIncident: (id) => tables.read(() => getIncident(id)),
    getClip: (id) => tables.read(() => getClip(id)),
    getHistory: (subject) => tables.read(() => readHistory(tables, subject)),
  };
}

const isSearch = ({ search }: Pick<ClipQuery, 'search'>): boolean => search !== undefined && search !== '';

function found<State extends string>(
  counts: Readonly<Record<State, number>>,
  state: State | undefined,
): number {
  if (state !== undefined) return counts[state];
  return Object.values<number>(counts).reduce((sum, count) => sum + count, 0);
}

function incidentCounts(
  rows: readonly { readonly state: IncidentState; readonly found: number }[],
): Readonly<Record<IncidentState, number>> {
  const of = (state: IncidentState): number => rows.find((row) => row.state === state)?.found ?? 0;
  return {
    waiting: of('waiting'),
    uploading: of('uploading'),
    paused: of('paused'),
    sent: of('sent'),
    attention: of('attention'),
  };
}

function clipCounts(
  tally: ClipTally,
  running: readonly RunningClip[],
  isPaused: boolean,
): Readonly<Record<ClipState, number>> {
  const runningHeld = running.filter((clip) => clip.phase === 1).length;
  const waiting = tally.waiting - (running.length - runningHeld);
  const held = tally.held - runningHeld;
  return {
    waiting: isPaused ? 0 : waiting,
    uploading: running.length,
    paused: isPaused ? waiting + held : held,
    uploaded: tally.uploaded,
    failed: tally.failed,
    leftOut: tally.leftOut,
  };
}

function runningIn(running: readonly RunningClip[]): (row: ListedClip) => boolean {
  const rowIds = new Set(running.map((clip) => clip.rowId));
  return (row) => rowIds.has(row.rowId);
}

/** State of a clip; see `clipStates`. */
function clipStateOf(
  row: Pick<ListedClip, 'state' | 'held' | 'leftOutAt'>,
  isRunning: boolean,
  isPaused: boolean,
): ClipState {
  if (row.state !== 'queued') return row.leftOutAt === null ? row.state : 'leftOut';
  if (isRunning) return 'uploading';
  return isPaused || row.held === 1 ? 'paused' : 'waiting';
}

function clipRow(row: ListedClip, isRunning: boolean, isPaused: boolean): ClipRowView {
  const state = clipStateOf(row, isRunning, isPaused);
  return {
    id: row.id,
    incidentId: row.incidentId,
    file: row.path,
    state,
    sizeBytes: row.sizeBytes,
    bytesSent: row.state === 'uploaded' ? row.sizeBytes : (row.partBytes ?? 0),
    attempts: row.attempts ?? 0,
    ...knownFields<Partial<ClipRowView>>({
      camera: row.cameraName,
      startedAt: iso(row.startedAt),
      endedAt: iso(row.endedAt),
      nextTryAt: state === 'waiting' && row.jobState === 'waiting' ? iso(row.dueAt) : undefined,
      uploadedAt: iso(row.uploadedAt),
      leftOutAt: iso(row.leftOutAt),
      failure: parseFailure(row.failure),
    }),
  };
}

function incidentRow(row: ListedIncident, retryable: number | undefined): IncidentRowView {
  const { id, title, state, uploaded, failed, leftOut, pending, sizeBytes } = row;
  return {
    id,
    title,
    folder: join(row.rootPath, row.exportPath),
    state,
    createdAt: new Date(row.createdAt).toISOString(),
    uploaded,
    failed,
    leftOut,
    pending,
    sizeBytes,
    ...knownFields<Partial<IncidentRowView>>({
      incidentAt: iso(row.incidentAt),
      retryable,
      failure: parseFailure(row.failure),
    }),
  };
}
