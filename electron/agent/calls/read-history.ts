import type { Failure } from '../../../shared/domain/failure.ts';
import type { History, HistoryEvent, HistorySubject } from '../../../shared/domain/upload-history.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { HistoryRow } from '../store/history-rows.ts';
import type { JobRow } from '../store/job-rows.ts';
import type { Tables } from '../store/tables.ts';
import { unknownId } from '../queue/retry-clips.ts';
import { iso } from './clip-details.ts';

/** What happened to a clip or an incident, oldest first. Errors: NOT_FOUND. */
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
  return ok({ events: withPauses(own, pauses, isOver), ...(isOver ? {} : dueOf(job, isHeld(tables, job))) });
}

function ofIncident(tables: Tables, id: string): Result<History, Failure> {
  if (tables.incidents.byId(id) === undefined) return err(unknownId(id));
  const job = tables.jobs.of('put-incident', id) ?? tables.jobs.of('check-incident', id);
  return ok({ events: tables.history.ofIncident(id).map(eventOf), ...dueOf(job, false) });
}

/**
 * Pauses of all uploads concern every clip that was in the queue then. They stand where their time puts them; the
 * clip's own events keep their order, whatever the clock was set to.
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
