import type { Settings } from '../../../shared/domain/settings.ts';
import type { Tables } from '../store/tables.ts';
import type { Clock } from '../ports.ts';
import { fileKindOf } from '../core/naming/file-kinds.ts';
import type { ClipRow } from '../store/clip-rows.ts';
import { agentPolicyOf } from '../core/failures/failure-policy.ts';
import type { JobOutcome } from './outcome.ts';

/**
 * Least time between PUTs of an incident, unless its last clip has settled or a person edited it (service.md gap 14).
 */
export const PUT_INTERVAL_MS = 5000;
/** Wait before checking whether another client has overwritten a PUT: longer than a GET and a PUT take together. */
export const CONFIRM_AFTER_MS = 30_000;
/** Records go before clips of the same moment: the control room should see the incident first. */
export const PRIORITY = { record: 10, thumbnail: 40, clip: 50, makeThumbnail: 60, later: 90 } as const;

/** When to PUT once no more clips are to come: after the interval, or `atOnce` (default). */
type Pace = 'atOnce' | 'afterInterval';

/** Queues the jobs that tell the service about an incident. Call inside the transaction that changed it. */
export interface IncidentQueue {
  /** Asks the service what it has of a new incident; uploads of the incident are blocked until it has answered. */
  check(incidentId: string): void;
  /** Notes a change of the incident that the service should receive. */
  touch(incidentId: string, pace?: Pace): void;
  /** Makes the PUT due if the service does not have the newest version yet. */
  arm(incidentId: string, pace?: Pace): void;
  /** Checks, some time after a PUT, whether the record still lists our clips. */
  confirmLater(incidentId: string): void;
}

/** Creates the queue over the tables. */
export function createIncidentQueue(
  tables: Tables,
  clock: Clock,
  publish: Settings['incident']['publish'],
): IncidentQueue {
  function arm(incidentId: string, pace: Pace = 'atOnce'): void {
    const incident = tables.incidents.byId(incidentId);
    if (incident === undefined || incident.checkedAt === null) return;
    if (incident.syncedVersion >= incident.version) return;
    const isComplete = tables.clips.pending(incidentId) === 0;
    if (publish === 'whenComplete' && !isComplete) return;
    const isUrgent = isComplete && pace === 'atOnce';
    const job = tables.jobs.of('put-incident', incidentId);
    // A PUT that is due stays due, and one that was refused waits its time
    if (!isUrgent && (job?.state === 'ready' || (job?.state === 'waiting' && job.failure !== null))) return;
    const now = clock.now();
    const earliest = isUrgent || incident.lastPutAt === null ? now : incident.lastPutAt + PUT_INTERVAL_MS;
    tables.jobs.put({
      kind: 'put-incident',
      subject: incidentId,
      pool: 'record',
      incidentId,
      state: earliest <= now ? 'ready' : 'waiting',
      priority: PRIORITY.record,
      // A wall clock that was set back must not delay a record by more than the interval
      dueAt: Math.min(earliest, now + PUT_INTERVAL_MS),
      createdAt: now,
    });
  }

  return {
    check(incidentId) {
      const now = clock.now();
      tables.jobs.put({
        kind: 'check-incident',
        subject: incidentId,
        pool: 'record',
        incidentId,
        state: 'ready',
        priority: PRIORITY.record,
        dueAt: now,
        createdAt: now,
      });
    },
    touch(incidentId, pace) {
      // Clips that are acknowledged together change their incident only once
      tables.beforeCommit(`touch ${incidentId} ${pace}`, () => {
        tables.incidents.touch(incidentId, clock.now());
        arm(incidentId, pace);
      });
    },
    arm,
    confirmLater(incidentId) {
      const now = clock.now();
      tables.jobs.put({
        kind: 'confirm-record',
        subject: incidentId,
        pool: 'record',
        incidentId,
        state: 'waiting',
        priority: PRIORITY.later,
        dueAt: now + CONFIRM_AFTER_MS,
        createdAt: now,
      });
    },
  };
}

/** Wait after a made thumbnail was lost, milliseconds: whatever keeps deleting it must not keep the desk busy. */
const LOST_PAUSE_MS = 60_000;

/** Queues thumbnails of clips to be made. Call inside the transaction that changed the clip. */
export interface ThumbnailJobs {
  /** For a clip that is new or has a new version, and whose export has no thumbnail for it. */
  want(clip: Pick<ClipRow, 'id' | 'incidentId' | 'path'>): void;
  /** For a thumbnail that was made here and whose file is gone or has changed. */
  lost(clipId: string): void;
  /** Queues what was not queued while there was no maker; in a transaction of its own. */
  wantAll(): void;
}

/** Creates the queue; without a maker nothing is ever queued. */
export function createThumbnailJobs(
  tables: Tables,
  clock: Pick<Clock, 'now'>,
  hasMaker: boolean,
): ThumbnailJobs {
  function put({ id, incidentId }: Pick<ClipRow, 'id' | 'incidentId'>, delayMs: number): void {
    const now = clock.now();
    tables.jobs.put({
      kind: 'make-thumbnail',
      subject: id,
      pool: 'picture',
      incidentId,
      state: delayMs === 0 ? 'ready' : 'waiting',
      priority: PRIORITY.makeThumbnail,
      dueAt: now + delayMs,
      createdAt: now,
    });
  }

  return {
    want(clip) {
      if (hasMaker && mayHaveThumbnail(clip.path)) put(clip, 0);
    },
    lost(clipId) {
      const clip = tables.clips.byId(clipId);
      if (!hasMaker || clip === undefined || tables.jobs.of('make-thumbnail', clipId) !== undefined) return;
      put(clip, LOST_PAUSE_MS);
    },
    wantAll() {
      if (hasMaker) tables.write(() => tables.jobs.wantThumbnails(clock.now(), PRIORITY.makeThumbnail));
    },
  };
}

/** Whether a thumbnail can be made from a clip of this name: a vendor's own format needs the vendor's player. */
export function mayHaveThumbnail(path: string): boolean {
  const kind = fileKindOf(path);
  return kind.kind === 'clip' && kind.container !== 'native';
}

/** Whether a made thumbnail could not be sent because its file is gone or has changed. */
export function isThumbnailLost(outcome: JobOutcome): boolean {
  return 'failure' in outcome && agentPolicyOf(outcome.failure.code).file !== undefined;
}

/** The location of made thumbnails, used instead of the export of the clip: it does not depend on a watched root. */
export function thumbnailIn(folder: string) {
  return { rootPath: folder, folder: '', isFolderGone: true };
}
