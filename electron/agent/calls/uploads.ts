import { randomUUID } from 'node:crypto';
import type { uploadCalls } from '../../../shared/ipc/calls/uploads.ts';
import type { CallInput } from '../../../shared/ipc/contract.ts';
import type { UploadTarget, WideTarget } from '../../../shared/domain/upload-view.ts';
import { assertNever, ok, err, type Result } from '../../../shared/lib/result.ts';
import type { AuditDetail } from '../evidence/audit-trail.ts';
import { answerRoot } from '../intake/check-root.ts';
import type { Clock } from '../ports.ts';
import type { UploadCommands } from '../queue/upload-commands.ts';
import type { Calls } from './call.ts';
import { readThumbnail, type ThumbnailDeps, clipSource, locateClip, noClip } from './clip-files.ts';
import { placeOf } from './outline-reads.ts';
import type { SeenExports } from '../queue/seen-exports.ts';
import type { UploadReads } from './upload-reads.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { isFileWaitedFor } from '../core/failures/failure-policy.ts';
import { openSource, type SourceRef } from '../files/source-file.ts';
import type { RootGates } from '../files/root-gate.ts';
import type { Tables } from '../store/tables.ts';
import { MOST_HANDED_OVER, type HandedFailure, type Handover } from '../../../shared/ipc/calls/uploads.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';
import { parseFailure } from '../store/json-columns.ts';
import type { ShiftFailureRow } from '../store/status-reads.ts';
import { iso } from './clip-details.ts';

interface Deps extends ThumbnailDeps {
  readonly reads: UploadReads;
  readonly commands: UploadCommands;
  readonly played: Pick<PlayedClips, 'open'>;
  readonly seen: Pick<SeenExports, 'dismiss'>;
  readonly schedule: {
    /** Errors: SETTING_MANAGED. */
    lift(isLifted: boolean): Result<{ readonly isLifted: boolean }, Failure>;
  };
  readonly clock: Pick<Clock, 'now'>;
}

/** Most clips that the audit trail names one by one; the others are in each clip's history. */
const MOST_NAMED = 20;

/** Reads the handover to the next shift, from one snapshot of the database. `sinceMs` and `nowMs`: since 1970. */
function readHandover(
  tables: Pick<Tables, 'clips' | 'incidents' | 'read' | 'shifts'>,
  reads: Pick<UploadReads, 'listExports' | 'listIncidents'>,
  sinceMs: number,
  nowMs: number,
): Handover {
  const { clips, incidents, shifts } = tables;
  return tables.read(() => {
    const since = new Date(sinceMs).toISOString();
    const newest = reads.listIncidents({
      sort: 'createdAt',
      order: 'descending',
      offset: 0,
      limit: MOST_HANDED_OVER,
    });
    const totals = clips.totals();
    const queued = totals.find(({ state }) => state === 'queued');
    const failed = totals.find(({ state }) => state === 'failed');
    const { total, rows } = reads.listExports({ offset: 0, limit: MOST_HANDED_OVER });
    return {
      since,
      at: new Date(nowMs).toISOString(),
      arrived: {
        incidents: shifts.arrivedSince(sinceMs),
        rows: newest.rows.filter(({ createdAt }) => createdAt >= since),
      },
      sent: shifts.sentSince(sinceMs),
      failed: {
        clips: failed?.clips ?? 0,
        records: incidents.countRefused(),
        leftOut: shifts.leftOutSince(sinceMs),
        rows: [...shifts.refusedRecords(MOST_HANDED_OVER), ...shifts.failedClips(MOST_HANDED_OVER)]
          .slice(0, MOST_HANDED_OVER)
          .map(failureView),
      },
      waiting: { clips: queued?.clips ?? 0, bytes: queued?.bytes ?? 0, ...unsent(reads) },
      exports: { total, rows },
    };
  });
}

/** Incidents with something left to send that need no attention. */
function unsent({ listIncidents }: Pick<UploadReads, 'listIncidents'>) {
  const pages = (['uploading', 'waiting', 'paused'] as const).map((state) =>
    listIncidents({ state, sort: 'createdAt', order: 'ascending', offset: 0, limit: MOST_HANDED_OVER }),
  );
  return {
    incidents: pages.reduce((sum, { total }) => sum + total, 0),
    rows: pages.flatMap(({ rows }) => rows).slice(0, MOST_HANDED_OVER),
  };
}

function failureView({ incidentId, title, clipId, path, cameraName, failure, failedAt }: ShiftFailureRow) {
  return {
    incidentId,
    title,
    ...knownFields<Partial<HandedFailure>>({
      clipId,
      file: path,
      camera: cameraName,
      failure: parseFailure(failure),
      failedAt: iso(failedAt),
    }),
  };
}

/**
 * Creates the calls that read and change the queue. A call that has started is finished even if its caller disconnects.
 */
export function createUploadCalls(deps: Deps): Calls<keyof typeof uploadCalls> {
  const { reads, commands, tables } = deps;
  const changes = ['uploads', 'health'] as const;
  const audit = { asked: ({ target }: { readonly target: WideTarget }) => namesOf(target) };
  return {
    'uploads.listIncidents': { handle: (query) => ok(reads.listIncidents(query)) },
    'uploads.list': { handle: (query) => ok(reads.list(query)) },
    'uploads.placeOf': { handle: (query) => ok(reads.placeOf(query)) },
    'uploads.listClips': { handle: (query) => ok(reads.listClips(query)) },
    'uploads.listExports': { handle: (window) => ok(reads.listExports(window)) },
    'uploads.getExport': { handle: ({ exportId }) => reads.getExport(exportId) },
    'uploads.ignoreExport': {
      handle({ exportId }) {
        const found = reads.getExport(exportId);
        if (!found.ok) return found;
        deps.seen.dismiss(...placeOf(exportId));
        return ok({ isIgnored: true });
      },
      audit: { asked: ({ exportId }) => ({ exportId }) },
      changes,
    },
    'uploads.incidentOfExport': { handle: ({ exportId }) => ok(reads.incidentOfExport(exportId)) },
    'uploads.handover': {
      handle: ({ since }) => ok(readHandover(tables, reads, Date.parse(since), deps.clock.now())),
    },
    'uploads.getIncident': { handle: ({ incidentId }) => reads.getIncident(incidentId) },
    'uploads.getClip': { handle: ({ clipId }) => reads.getClip(clipId) },
    'uploads.getHistory': { handle: ({ of }) => reads.getHistory(of) },
    'uploads.getThumbnail': { handle: ({ clipId }, signal) => readThumbnail(deps, clipId, signal) },
    'uploads.openClip': { handle: ({ clipId }, signal) => deps.played.open(clipId, signal) },
    'uploads.retry': { handle: ({ target }) => commands.retry(target), audit, changes },
    'uploads.pause': { handle: ({ target }) => commands.pause(target), audit, changes },
    'uploads.resume': { handle: ({ target }) => commands.resume(target), audit, changes },
    'uploads.liftLimits': {
      handle: ({ isLifted }) => deps.schedule.lift(isLifted),
      audit: { asked: ({ isLifted }) => ({ isLifted }) },
      changes: ['health'],
    },
    'uploads.moveToFront': { handle: ({ target }) => commands.moveToFront(target), audit, changes },
    'uploads.leaveOut': {
      async handle(input) {
        const done = await commands.leaveOut({
          target: leftOutTarget(input),
          isLeftOut: input.isLeftOut,
          ...(input.leftOutAt !== undefined && { leftOutAt: Date.parse(input.leftOutAt) }),
        });
        if (!done.ok) return done;
        return ok({ changed: done.value.changed, leftOutAt: new Date(done.value.at).toISOString() });
      },
      audit: {
        asked: (input) => ({ ...namesOf(leftOutTarget(input)), isLeftOut: input.isLeftOut }),
      },
      changes,
    },
    'uploads.answerRoot': {
      handle: ({ folder, answer }) => ok({ answered: answerRoot(tables, folder, answer) }),
      audit: { asked: ({ answer }) => ({ answer }) },
      changes,
    },
    'uploads.cancel': {
      handle: ({ target }) => commands.cancel(target),
      audit,
      changes,
    },
  };
}

function leftOutTarget({ clipIds, incidentId = '' }: CallInput<'uploads.leaveOut'>): UploadTarget {
  return clipIds === undefined ? { kind: 'incident', incidentId } : { kind: 'clips', clipIds };
}

function namesOf(target: WideTarget): AuditDetail {
  switch (target.kind) {
    case 'all':
      return { all: true };
    case 'incident':
      return { incidentId: target.incidentId };
    case 'clips':
      return { clips: target.clipIds.length, clipIds: target.clipIds.slice(0, MOST_NAMED) };
    default:
      return assertNever(target);
  }
}

/**
 * Clips for a player: read in pieces, from the source, while it exists. A page names a queued clip and gets an address
 * with a ticket; without a ticket nothing can be read, and no path goes in or out.
 */

/** Most bytes in one response: a player requests the next piece automatically. */
const MAX_PIECE_BYTES = 1024 * 1024;
/** Most clips that can be played at a time: a page shows one, and a desk has few pages. */
const MAX_TICKETS = 16;
const RANGE = /^bytes=(\d{1,15})-(\d{1,15})?$/;

/** One request of a player. */
export interface PieceRequest {
  readonly ticket: string;
  readonly method: string;
  /** The `Range` header as received. */
  readonly range: string | undefined;
}

/** Response to a player; headers in addition to those that every response has. */
export interface PieceAnswer {
  readonly status: 206 | 404 | 405 | 416 | 503;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

/** The clips that pages are playing. */
interface PlayedClips {
  /** Returns the address where a page reads the clip, relative to its origin. Errors: those of `locateClip`. */
  open(clipId: string, signal: AbortSignal): Promise<Result<{ readonly address: string }, Failure>>;
  /**
   * Returns one piece. Expected failures never reject: a file that is gone or changed is a 404, a share that hangs a
   * 503.
   */
  answer(request: PieceRequest, signal: AbortSignal): Promise<PieceAnswer>;
}

interface PlayDeps {
  readonly tables: Pick<Tables, 'clips' | 'incidents'>;
  readonly gates: RootGates;
}

/** Creates the played clips; tickets expire when the agent stops or later ones replace them. */
export function createPlayedClips({ tables, gates }: PlayDeps): PlayedClips {
  const tickets = new Map<string, string>();

  async function readPiece(
    source: SourceRef,
    [start, end]: readonly [number, number],
    signal: AbortSignal,
  ): Promise<Result<Uint8Array<ArrayBuffer>, Failure>> {
    const opened = await openSource(gates, source, signal);
    if (!opened.ok) return opened;
    try {
      const bytes = new Uint8Array(end - start);
      const read = await opened.value.readExactly(bytes, bytes.length, start, signal);
      return read.ok ? ok(bytes) : read;
    } finally {
      opened.value.release();
    }
  }

  return {
    async open(clipId, signal) {
      if (clipSource(tables, clipId) === undefined) return err(noClip);
      const found = await locateClip({ tables, gates }, clipId, signal);
      if (!found.ok) return found;
      const ticket = randomUUID();
      tickets.set(ticket, clipId);
      for (const [oldest] of tickets) if (tickets.size > MAX_TICKETS) tickets.delete(oldest);
      return ok({ address: `clip/${ticket}` });
    },
    async answer({ ticket, method, range }, signal) {
      if (method !== 'GET') return { status: 405, headers: { allow: 'GET' } };
      const source = clipSource(tables, tickets.get(ticket) ?? '');
      if (source === undefined) return { status: 404, headers: {} };
      const { sizeBytes } = source.version;
      const [, from, to] = RANGE.exec(range ?? '') ?? [];
      const start = Number(from ?? sizeBytes);
      const end = Math.min(sizeBytes, start + MAX_PIECE_BYTES, to === undefined ? sizeBytes : Number(to) + 1);
      if (start >= end) return { status: 416, headers: { 'content-range': `bytes */${sizeBytes}` } };
      const piece = await readPiece(source, [start, end], signal);
      if (!piece.ok) return { status: isFileWaitedFor(piece.error.code) ? 503 : 404, headers: {} };
      return {
        status: 206,
        headers: {
          'accept-ranges': 'bytes',
          // A player detects the real type; a page can do nothing else with it
          'content-type': 'application/octet-stream',
          'content-length': String(piece.value.length),
          'content-range': `bytes ${start}-${end - 1}/${sizeBytes}`,
        },
        bytes: piece.value,
      };
    },
  };
}
