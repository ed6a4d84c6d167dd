import type { Failure } from '../../../shared/domain/failure.ts';
import type { History, HistoryEvent, HistorySubject } from '../../../shared/domain/upload-history.ts';
import type { ClipDetail, IncidentDetail } from '../../../shared/domain/upload-view.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { unknownId } from '../queue/retry-clips.ts';
import type { ClipRow } from '../store/clip-rows.ts';
import type { HistoryRow } from '../store/history-rows.ts';
import type { IncidentRow } from '../store/incident-rows.ts';
import type { JobRow } from '../store/job-rows.ts';
import {
  parseAltered,
  parseExtra,
  parseFacts,
  parseFailure,
  parseFiles,
  parseFlags,
  parseMade,
  parseOrigins,
} from '../store/json-columns.ts';
import type { Tables } from '../store/tables.ts';

/** A time as ISO 8601 UTC. */
export function iso(timeMs: number | null): string | undefined {
  return timeMs === null ? undefined : new Date(timeMs).toISOString();
}

/** Details of an incident that its line in a list does not have. */
export function incidentExtras(row: IncidentRow): Omit<IncidentDetail, 'row'> {
  const { guessedAt } = parseExtra(row.extra);
  const isGuess = guessedAt !== undefined && row.incidentAt === null;
  return {
    updatedAt: new Date(row.updatedAt).toISOString(),
    isSynced: row.syncedVersion >= row.version,
    folderGone: row.folderGone === 1,
    origins: originsOf(row.sources),
    ...knownFields<Partial<IncidentDetail>>({
      description: row.description,
      latitude: row.latitude,
      longitude: row.longitude,
      lastSyncedAt: iso(row.lastPutAt),
      files: parseFiles(row.files),
      guessedAt: isGuess ? { at: new Date(guessedAt.ms).toISOString(), note: guessedAt.note } : undefined,
    }),
  };
}

/** Details of a clip that its line in a list does not have. */
export function clipExtras(tables: Tables, row: ClipRow): Omit<ClipDetail, 'row'> {
  const { durationMs, format, videoCodec, frameRate, width, height } =
    row.facts === null ? {} : parseFacts(row.facts);
  return {
    generation: row.generation,
    flags: parseFlags(row.flags),
    createdAt: new Date(row.createdAt).toISOString(),
    origins: originsOf(row.sources),
    ...knownFields<Partial<ClipDetail>>({
      cameraId: row.cameraId,
      cameraDescription: row.cameraDescription,
      latitude: row.cameraLatitude,
      longitude: row.cameraLongitude,
      durationMs,
      format,
      videoCodec,
      frameRate,
      width,
      height,
      sha256: row.sha256,
      expectedSha256: row.expectedSha256,
      foundSha256: row.foundSha256,
      altered: row.altered === null ? undefined : parseAltered(row.altered),
      storageKey: row.storageKey,
      parts: partsOf(tables, row.id),
      thumbnail: thumbnailOf(tables, row.id),
      noPicture: noPictureOf(tables, row.id),
    }),
  };
}

function originsOf(sources: string): IncidentDetail['origins'] {
  return Object.entries(parseOrigins(sources)).map(([field, origin]) => ({ field, ...origin }));
}

function partsOf(tables: Tables, clipId: string): ClipDetail['parts'] {
  const upload = tables.multiparts.byClip(clipId);
  if (upload === undefined) return undefined;
  const { partCount, partSizeBytes } = upload;
  return { done: tables.parts.countOf(clipId), total: partCount, partSizeBytes };
}

function thumbnailOf(tables: Tables, clipId: string): ClipDetail['thumbnail'] {
  const row = tables.thumbnails.byClip(clipId);
  if (row === undefined) return undefined;
  const { state, path, storageKey, origin } = row;
  return {
    state,
    origin,
    ...knownFields<Partial<NonNullable<ClipDetail['thumbnail']>>>({
      file: origin === 'made' ? undefined : path,
      storageKey,
      made: parseMade(row.made),
    }),
  };
}

function noPictureOf(tables: Tables, clipId: string): ClipDetail['noPicture'] {
  if (tables.thumbnails.byClip(clipId) !== undefined) return undefined;
  const job = tables.jobs.of('make-thumbnail', clipId);
  return job?.state === 'failed' ? parseFailure(job.failure) : undefined;
}

/** Reads the history of a clip or an incident, oldest first. Errors: NOT_FOUND. */
export function readHistory(tables: Tables, subject: HistorySubject): Result<History, Failure> {
  return subject.kind === 'clip' ? ofClip(tables, subject.clipId) : ofIncident(tables, subject.incidentId);
}

function ofClip(tables: Tables, id: string): Result<History, Failure> {
  const clip = tables.clips.byId(id);
  if (clip === undefined) return err(unknownId(id));
  const own = tables.history.ofClip(id).map(eventOf);
  const isOver = clip.state !== 'queued';
  const pauses = tables.history.ofDesk().map((row) => ({ ...eventOf(row), sequence: 0 }));
  const job = tables.jobs.of('send-clip', id);
  const held = isHeld(tables, job);
  const isNext = !isOver && !held && job?.state === 'ready';
  return ok({
    events: withPauses(own, pauses, isOver),
    ...(isOver ? {} : dueOf(job, held)),
    ...(isNext && { turn: turnOf(tables, job) }),
  });
}

function turnOf({ deadlines }: Tables, job: JobRow): NonNullable<History['turn']> {
  const goneAt = iso(deadlines.of(job.incidentId) ?? null);
  return {
    isMoved: job.priority < 0,
    ...deadlines.before(job),
    ...knownFields<{ goneAt?: string }>({ goneAt }),
  };
}

function ofIncident(tables: Tables, id: string): Result<History, Failure> {
  if (tables.incidents.byId(id) === undefined) return err(unknownId(id));
  const job = tables.jobs.of('put-incident', id) ?? tables.jobs.of('check-incident', id);
  return ok({ events: tables.history.ofIncident(id).map(eventOf), ...dueOf(job, false) });
}

/**
 * Merges in pauses of all uploads, which affect every clip that was in the queue at the time. They are placed by time;
 * the clip's own events keep their order even if the clock was changed.
 */
function withPauses(
  own: readonly HistoryEvent[],
  pauses: readonly HistoryEvent[],
  isOver: boolean,
): readonly HistoryEvent[] {
  const from = own.at(0)?.at ?? '';
  const to = isOver ? (own.at(-1)?.at ?? '') : undefined;
  const waiting = pauses.filter(
    ({ at, facts }) => facts.kind !== 'merged' && at >= from && (to === undefined || at <= to),
  );
  const events: HistoryEvent[] = [];
  for (const event of own) {
    while (waiting[0] !== undefined && waiting[0].at < (event.startedAt ?? event.at)) {
      events.push(...waiting.splice(0, 1));
    }
    events.push(event);
  }
  return [...events, ...waiting];
}

function isHeld(tables: Tables, job: JobRow | undefined): boolean {
  return tables.desk.isPaused() || job?.pool === 'held-large' || job?.pool === 'held-small';
}

function dueOf(job: JobRow | undefined, isPaused: boolean): Pick<History, 'runningSince' | 'nextTryAt'> {
  return knownFields<Pick<History, 'runningSince' | 'nextTryAt'>>({
    runningSince: job?.state === 'leased' ? iso(job.leasedAt) : undefined,
    nextTryAt: job?.state === 'waiting' && !isPaused ? iso(job.dueAt) : undefined,
  });
}

function eventOf({ sequence, at, startedAt, facts }: HistoryRow): HistoryEvent {
  return {
    sequence,
    at: new Date(at).toISOString(),
    facts,
    ...(startedAt === null ? {} : { startedAt: new Date(startedAt).toISOString() }),
  };
}
