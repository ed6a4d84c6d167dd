/**
 * Finished work is removed from the database after a while, so that a desk stays fast over years: incidents with
 * nothing left to do and all their rows, the oldest rows of the audit trail, and records of folders that are gone. It
 * runs a few milliseconds at a time, with pauses. Nothing is sent twice because of it: the versions of sent files are
 * kept (retention-rows.ts).
 */
import type { Settings } from '../../../shared/domain/settings.ts';
import { policyOf } from '../../../shared/domain/failure-policy.ts';
import { agentPolicyOf } from '../core/failures/failure-policy.ts';
import type { Clock, Logger } from '../ports.ts';
import { parseFailure } from '../store/json-columns.ts';
import type { FinishedIncident } from '../store/retention-rows.ts';
import type { ServiceClock } from '../service/service-clock.ts';
import type { Tables } from '../store/tables.ts';

const DAY_MS = 24 * 60 * 60_000;
const MONTH_MS = (365.25 / 12) * DAY_MS;
/** Wait after the start, and between two passes, milliseconds. */
const FIRST_MS = 5 * 60_000;
const INTERVAL_MS = 6 * 60 * 60_000;
/** Pause between two transactions, milliseconds: uploads come first. */
const REST_MS = 50;
/** Rows of one transaction: a few milliseconds of work. */
const CLIPS_AT_ONCE = 50;
const INCIDENTS_AT_ONCE = 20;
const ROWS_AT_ONCE = 200;
/** Fewer rows of the audit trail than this are not worth the row that notes their removal. */
const LEAST_AUDIT_ROWS = 100;

interface Deps {
  readonly tables: Tables;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly periods: Settings['retention'];
  /** Decides what is old: a clock that is years ahead, here or at the service, would empty the lists. */
  readonly serviceClock: Pick<ServiceClock, 'isKnown' | 'earlierNow'>;
  readonly trail: {
    /** Adds a row to the audit trail, in the transaction under way. */
    note(action: string, detail: Readonly<Record<string, string | number>>): unknown;
  };
  readonly removeThumbnail: (clipId: string) => Promise<void>;
}

/** Removes what is finished and old. */
export interface Retention {
  start(): void;
  /** Runs one pass; returns how many incidents were removed. Rejects with the signal's reason when it is stopped. */
  pass(signal: AbortSignal): Promise<number>;
  stop(): Promise<void>;
}

/** Creates the retention; nothing is removed before `start`. */
export function createRetention(deps: Deps): Retention {
  const { tables, clock, logger, periods, serviceClock } = deps;
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();

  /** Removes up to `CLIPS_AT_ONCE` clips; undefined if something was added or is to be sent again meanwhile. */
  function removeNext(id: string, now: number, before: number) {
    const incident = tables.retention.finishedOne(id, before);
    if (incident === undefined || (incident.failed > 0 && !isSettled(tables, id))) return undefined;
    return tables.retention.removeNext(incident, now, CLIPS_AT_ONCE);
  }

  /** Returns whether the incident is gone. */
  async function removeIncident(
    id: string,
    now: number,
    before: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    for (;;) {
      const removed = tables.write(() => removeNext(id, now, before));
      if (removed === undefined) return false;
      for (const clipId of removed.made) await deps.removeThumbnail(clipId);
      await clock.sleep(REST_MS, signal);
      if (removed.isGone) return true;
    }
  }

  async function removeIncidents(now: number, before: number, signal: AbortSignal): Promise<number> {
    let removed = 0;
    let last: Pick<FinishedIncident, 'createdAt' | 'number'> = { createdAt: 0, number: 0 };
    for (;;) {
      const page = tables.retention.finished(last, before, INCIDENTS_AT_ONCE);
      for (const incident of page) {
        last = incident;
        if (await removeIncident(incident.id, now, before, signal)) removed += 1;
      }
      if (page.length < INCIDENTS_AT_ONCE) return removed;
      await clock.sleep(REST_MS, signal);
    }
  }

  /** Repeats a removal of `ROWS_AT_ONCE` rows until fewer are left. */
  async function repeat(remove: () => number, signal: AbortSignal): Promise<void> {
    while (tables.write(remove) === ROWS_AT_ONCE) await clock.sleep(REST_MS, signal);
  }

  async function trimAudit(before: number, signal: AbortSignal): Promise<void> {
    const trim = () => {
      const anchor = tables.audit.trim(before, LEAST_AUDIT_ROWS, ROWS_AT_ONCE);
      if (anchor === undefined) return 0;
      deps.trail.note('audit.trimmed', { upTo: anchor.sequence, hash: anchor.hash });
      return anchor.rows;
    };
    await repeat(trim, signal);
  }

  async function pass(signal: AbortSignal): Promise<number> {
    if (!serviceClock.isKnown()) return 0;
    const now = serviceClock.earlierNow();
    const { incidentsDays, auditMonths } = periods;
    if (auditMonths > 0) await trimAudit(now - auditMonths * MONTH_MS, signal);
    if (incidentsDays === 0) return 0;
    const before = now - incidentsDays * DAY_MS;
    await repeat(() => tables.retention.removeOrphans(before, ROWS_AT_ONCE), signal);
    await repeat(() => tables.kept.forgetGone(before, ROWS_AT_ONCE), signal);
    const removed = await removeIncidents(now, before, signal);
    if (removed > 0)
      logger.info('Finished incidents were removed from the database', {
        incidents: removed,
        afterDays: incidentsDays,
      });
    return removed;
  }

  async function run(signal: AbortSignal): Promise<void> {
    for (let waitMs = FIRST_MS; ; waitMs = INTERVAL_MS) {
      await clock.sleep(waitMs, signal);
      try {
        await pass(signal);
      } catch (error) {
        if (signal.aborted) throw error;
        logger.warn('Finished incidents could not be removed; this will be retried', { error });
      }
    }
  }

  return {
    start() {
      running = run(stopping.signal).catch(() => undefined);
    },
    pass,
    async stop() {
      stopping.abort(new Error('stopping'));
      await running;
    },
  };
}

/** Whether nothing of it needs a person: each clip that was not sent was cancelled by a person, or its file is gone. */
function isSettled({ retention }: Pick<Tables, 'retention'>, incidentId: string): boolean {
  return retention.failuresOf(incidentId).every((text) => {
    const failure = parseFailure(text);
    if (failure === undefined) return false;
    return policyOf(failure.code).isKnown === true || agentPolicyOf(failure.code).file === 'gone';
  });
}
