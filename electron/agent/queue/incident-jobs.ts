import type { Settings } from '../../../shared/domain/settings.ts';
import type { Tables } from '../store/tables.ts';
import type { Clock } from '../ports.ts';

/** Least time between two PUTs of an incident that still has clips to come (service.md gap 14). */
export const PUT_INTERVAL_MS = 5000;
/** Records go before clips of the same moment: the control room should see the incident first. */
export const PRIORITY = { record: 10, thumbnail: 40, clip: 50, makeThumbnail: 60, later: 90 } as const;

/** Arms the jobs that tell the service about an incident. To be called inside the transaction that changed it. */
export interface IncidentQueue {
  /** Asks the service what it knows of a new incident; its uploads are blocked until it answered. */
  check(incidentId: string): void;
  /** Something about the incident changed that the service should learn. */
  touch(incidentId: string): void;
  /** Makes the PUT due when the service does not have the newest version yet. */
  arm(incidentId: string): void;
}

/** Makes the queue over the tables. */
export function createIncidentQueue(
  tables: Tables,
  clock: Clock,
  publish: Settings['incident']['publish'],
): IncidentQueue {
  function arm(incidentId: string): void {
    const incident = tables.incidents.byId(incidentId);
    if (incident === undefined || incident.checkedAt === null) return;
    if (incident.syncedVersion >= incident.version) return;
    const isComplete = tables.clips.pending(incidentId) === 0;
    if (publish === 'whenComplete' && !isComplete) return;
    const now = clock.now();
    const earliest = isComplete || incident.lastPutAt === null ? now : incident.lastPutAt + PUT_INTERVAL_MS;
    tables.jobs.put({
      kind: 'put-incident',
      subject: incidentId,
      pool: 'record',
      incidentId,
      state: earliest <= now ? 'ready' : 'waiting',
      priority: PRIORITY.record,
      // A wall clock that was set back must not hold a record for longer than the interval.
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
    touch(incidentId) {
      // Clips that are acknowledged together change their incident once
      tables.beforeCommit(`touch ${incidentId}`, () => {
        tables.incidents.touch(incidentId, clock.now());
        arm(incidentId);
      });
    },
    arm,
  };
}
