/**
 * Clean-up: removes exports from their watched folder some days after all their clips are proved stored. Proved means:
 * the service lists what was sent, with the hash that was sent, the files are still the ones that were sent, and a
 * second check at least an hour later finds the same. Everything is checked a third time, and hashed, right before the
 * removal. Runs only if a policy asks for it. Anything in doubt stays where it is, with the reason. For clips that lie
 * loose in a root, only their own files are touched: what was sent, and the companions of the same name.
 */
import { basename, dirname, join } from 'node:path';
import type { Health } from '../../../../shared/domain/health.ts';
import { visibleName } from '../../../../shared/lib/visible-name.ts';
import { idInName } from '../../core/records/derived-ids.ts';
import type { AgentEvents } from '../../events.ts';
import type { Clock, Logger } from '../../ports.ts';
import type { ServiceClock } from '../../service/service-clock.ts';
import type { CleanUpPolicy } from '../../settings/policy/policy.ts';
import { sha256Of } from '../../store/audit-rows.ts';
import type { CleanUpRow } from '../../store/retention-rows.ts';
import type { IncidentRow } from '../../store/incident-rows.ts';
import type { Tables } from '../../store/tables.ts';
import type { AuditTrail } from '../audit-trail.ts';
import { createExportDisk } from './export-disk.ts';
import { lookOnce, placeProblem, type ListedFolders, type Look, type LookDeps } from './look-at-export.ts';
import {
  carryOut,
  isUntouched,
  planRemoval,
  readPlan,
  type CleanUpPlan,
  type ExportDisk,
  type Obstacle,
} from './remove-export.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** Wait after the start and between passes, milliseconds. */
const FIRST_MS = 10 * 60_000;
const INTERVAL_MS = HOUR_MS;
/** Shortest time between two checks that together prove something, milliseconds. */
const SECOND_LOOK_MS = HOUR_MS;
/** Wait before an export that was kept is checked again, milliseconds. */
const AGAIN_MS = DAY_MS;
/** Exports read from the database per page, and the pause between two checks, milliseconds: uploads come first. */
const AT_ONCE = 50;
const REST_MS = 100;
/** Most kept exports that Health lists with their reason. */
const MOST_NAMED = 20;

interface Deps extends LookDeps {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly serviceClock: Pick<ServiceClock, 'isKnown' | 'earlierNow'>;
  readonly events: Pick<AgentEvents, 'emit'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly trail: Pick<AuditTrail, 'note'>;
}

/** Removes exports from their watched folders. */
export interface CleanUp {
  start(): void;
  /** One pass over all exports that are due. Rejects with the signal's reason when aborted. */
  pass(signal: AbortSignal): Promise<void>;
  /** Undefined: no policy asks for it. */
  state(): Health['cleanUp'];
  stop(): Promise<void>;
}

/** Creates the clean-up; nothing happens before `start`, or without a policy. */
export function createCleanUp(deps: Deps): CleanUp {
  const { policy, settings, tables, clock, serviceClock, logger } = deps;
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const roots = settings.watch.map(({ path }) => path);
  /** Off when a site has several desks: they would remove files from under one another. */
  const isOff = settings.siteId !== '';

  function keep(row: CleanUpRow, incident: IncidentRow, { reason, waits }: Obstacle): void {
    const waitMs = waits ? INTERVAL_MS : AGAIN_MS;
    tables.cleanUps.put({ ...row, nextAt: serviceClock.earlierNow() + waitMs, reason });
    if (row.reason === reason) return;
    const folder = visibleName(join(incident.rootPath, incident.exportPath));
    const why = visibleName(inSentence(reason));
    const message = `Could not clean up the export ${folder}: ${why}. It is checked again in ${waits ? 'an hour' : 'a day'}.`;
    deps.events.emit({ event: 'warning', code: 'EXPORT_KEPT', message });
  }

  async function lookAt(
    asked: CleanUpPolicy,
    id: string,
    folders: ListedFolders,
    signal: AbortSignal,
  ): Promise<void> {
    const incident = tables.incidents.byId(id);
    if (incident === undefined) return;
    const before = tables.cleanUps.byId(id);
    const look = await lookOnce(deps, incident, asked, folders, signal);
    // The service's response may have corrected a clock that was ahead
    const now = serviceClock.earlierNow();
    const fresh = { incidentId: id, state: 'looked', lookedAt: now, provedAt: null, plan: null } as const;
    if (!look.ok) {
      // The service or the share could not be asked: that proves nothing either way
      if (look.error.waits) return;
      const reason = before?.reason ?? null;
      const row: CleanUpRow = { ...fresh, state: 'refused', nextAt: 0, print: '', reason };
      return keep(row, incident, look.error);
    }
    const { print } = look.value;
    if (before?.print !== print || before.state === 'refused' || now < before.lookedAt) {
      tables.cleanUps.put({ ...fresh, nextAt: now + SECOND_LOOK_MS, print, reason: null });
    } else if (now < before.nextAt) return;
    else if (before.state === 'looked') {
      const nextAt = now + asked.afterDays * DAY_MS;
      tables.write(() => {
        tables.cleanUps.put({ ...before, state: 'proved', provedAt: now, nextAt, reason: null });
        deps.trail.note('export.proved', { incidentId: id, clips: look.value.sent.size, print });
      });
    } else if (before.state === 'proved') await act(before, incident, look.value, asked, signal);
  }

  async function act(
    row: CleanUpRow,
    incident: IncidentRow,
    look: Look,
    asked: CleanUpPolicy,
    signal: AbortSignal,
  ): Promise<void> {
    const target = targetOf(asked, incident);
    const disk = diskOf(deps, incident, { files: look.files, target }, signal);
    const problem = await placeProblem(deps, asked, incident, signal);
    if (problem !== undefined) return keep(row, incident, { reason: problem, waits: true });
    const planned = await planRemoval(disk, asked.action, look.files, look.sent);
    if (!planned.ok) return keep(row, incident, planned.error);
    const plan: CleanUpPlan = { ...planned.value, target };
    const acting: CleanUpRow = { ...row, state: 'acting', plan: JSON.stringify(plan) };
    tables.write(() => {
      tables.cleanUps.put(acting);
      note(deps, `export.${plan.action === 'move' ? 'moving' : 'deleting'}`, incident, plan);
    });
    await finish(acting, incident, plan, disk);
  }

  async function finish(
    row: CleanUpRow,
    incident: IncidentRow,
    plan: CleanUpPlan,
    disk: ExportDisk,
  ): Promise<void> {
    const carried = await carryOut(disk, plan);
    if (!carried.ok) {
      // The removal has started: it is continued later, unless a person must check
      const begun = ` (the ${plan.action === 'move' ? 'move' : 'deletion'} has already started)`;
      return keep(row, incident, { ...carried.error, reason: carried.error.reason + begun });
    }
    tables.write(() => {
      tables.cleanUps.put({ ...row, state: 'done', plan: null, reason: null });
      note(deps, `export.${plan.action === 'move' ? 'moved' : 'deleted'}`, incident, plan);
    });
    deps.events.emit({
      event: 'export.cleanedUp',
      incidentId: incident.id,
      title: incident.title,
      action: plan.action === 'move' ? 'moved' : 'deleted',
      files: plan.files.length,
    });
  }

  /** Continues an interrupted removal by its own plan, even if the policy asks for something else by now. */
  async function goOn(asked: CleanUpPolicy, row: CleanUpRow, signal: AbortSignal): Promise<void> {
    const incident = tables.incidents.byId(row.incidentId);
    if (incident === undefined || row.plan === null) return;
    const target = targetOf(asked, incident);
    const plan = readPlan(row.plan, target);
    const disk = diskOf(deps, incident, plan, signal);
    const isAsked = plan.action === asked.action && plan.target === target;
    if (!isAsked && (await isUntouched(disk, plan))) return restartPlan(deps, row, incident, plan);
    const folder = plan.target && dirname(plan.target);
    const problem = await placeProblem(deps, { action: plan.action, folder }, incident, signal);
    if (problem !== undefined) return keep(row, incident, { reason: problem, waits: true });
    await finish(row, incident, plan, disk);
  }

  /** A failure with one export does not hold up the others. */
  async function each(id: string, work: () => Promise<void>, signal: AbortSignal): Promise<void> {
    try {
      await work();
    } catch (error) {
      signal.throwIfAborted();
      logger.warn('An export could not be cleaned up; it will be retried', { incident: id, error });
    }
    await clock.sleep(REST_MS, signal);
  }

  async function pass(signal: AbortSignal): Promise<void> {
    if (policy === undefined || isOff || !serviceClock.isKnown()) return;
    for (const row of tables.cleanUps.acting(serviceClock.earlierNow()))
      await each(row.incidentId, () => goOn(policy, row, signal), signal);
    let after = 0;
    const folders: ListedFolders = new Map();
    for (;;) {
      const page = tables.cleanUps.candidates(roots, after, serviceClock.earlierNow(), AT_ONCE);
      for (const { id, number } of page) {
        after = number;
        await each(id, () => lookAt(policy, id, folders, signal), signal);
      }
      if (page.length < AT_ONCE) return;
    }
  }

  async function run(signal: AbortSignal): Promise<void> {
    for (let waitMs = FIRST_MS; ; waitMs = INTERVAL_MS) {
      await clock.sleep(waitMs, signal);
      try {
        await pass(signal);
      } catch (error) {
        if (signal.aborted) throw error;
        logger.warn('Clean-up of the watched folders failed; it will be retried', { error });
      }
    }
  }

  return {
    start() {
      if (policy === undefined) return void tables.cleanUps.forgetOpen();
      running = run(stopping.signal).catch(() => undefined);
    },
    pass,
    state: () => policy && stateOf(tables, policy, isOff),
    async stop() {
      stopping.abort(new Error('stopping'));
      await running;
    },
  };
}

/** Each incident gets its own folder, because export names recur. */
const targetOf = ({ action, folder }: CleanUpPolicy, { exportPath, id }: IncidentRow): string | undefined =>
  action === 'delete' || folder === undefined
    ? undefined
    : join(folder, `${basename(exportPath)} ${idInName(id)}`);

function diskOf(
  deps: Deps,
  { rootPath, folder }: IncidentRow,
  { files, target }: { readonly files: Look['files']; readonly target?: string | undefined },
  signal: AbortSignal,
): ExportDisk {
  const loose = folder === '' ? files.map(({ path }) => path) : undefined;
  return createExportDisk({ ...deps, signal }, { rootPath, folder, loose, target });
}

/** Starts over with an export if the policy has changed and nothing of the plan was done. */
function restartPlan(deps: Deps, row: CleanUpRow, incident: IncidentRow, plan: CleanUpPlan): void {
  const { tables } = deps;
  tables.write(() => {
    tables.cleanUps.put({ ...row, state: 'looked', nextAt: 0, print: '', plan: null, reason: null });
    note(deps, 'export.kept', incident, plan);
  });
}

/** Records in the chain what is done with an export. */
function note({ trail }: Deps, action: string, incident: IncidentRow, plan: CleanUpPlan): void {
  const { files, target } = plan;
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  const list = files.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('');
  const folder = join(incident.rootPath, incident.exportPath);
  const after = target === undefined ? {} : { after: { folder: target } };
  const detail = { incidentId: incident.id, before: { folder }, ...after, files: files.length };
  trail.note(action, { ...detail, sizeBytes, listSha256: sha256Of(list) });
}

/** A reason as the end of a sentence: some are full sentences. */
const inSentence = (reason: string): string => reason.replace(/^The /, 'the ');

function stateOf(
  { cleanUps }: Pick<Tables, 'cleanUps'>,
  { action, afterDays }: CleanUpPolicy,
  isOff: boolean,
): Health['cleanUp'] {
  const counts = new Map(cleanUps.counts().map(({ state, exports }) => [state, exports]));
  const kept = cleanUps.kept(MOST_NAMED).map(({ rootPath, exportPath, reason }) => ({
    folder: join(rootPath, exportPath),
    reason: inSentence(reason),
  }));
  const waiting = (counts.get('looked') ?? 0) + (counts.get('proved') ?? 0);
  return { action, afterDays, isOff, waiting, done: counts.get('done') ?? 0, kept };
}
