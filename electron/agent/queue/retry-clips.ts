import { join } from 'node:path';
import { fs } from '../files/plain-fs.ts';
import { failureCodes, type Failure, type FailureCode } from '../../../shared/domain/failure.ts';
import { mayPass } from '../../../shared/domain/failure-policy.ts';
import type { UploadTarget, WideTarget } from '../../../shared/domain/upload-view.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { agentPolicyOf } from '../core/failures/failure-policy.ts';
import type { FailedClip, Standing } from '../store/clip-commands.ts';
import type { ClipRow } from '../store/clip-rows.ts';
import { DATABASE_FILE, openDbBeside } from '../store/open-db.ts';
import { parseFailure } from '../store/json-columns.ts';
import { createTables, type Tables } from '../store/tables.ts';
import type { Clock } from '../ports.ts';

/**
 * What to retry: all failed clips not cancelled, left out, too large or missing; or one clip; or one incident's clips.
 */
export type RetryRequest = { readonly kind: 'all' } | { readonly kind: 'id'; readonly id: string };

/** How many clips went back to the queue, and how many were skipped: cancelled, left out, too large or missing. */
export interface RetryResult {
  readonly retried: number;
  readonly skipped: number;
  /** Incidents whose check or record was given up and is retried. */
  readonly incidents: number;
}

/** Failed clips that a person leaves out, or takes back. Of an incident: each that retrying it would skip. */
export interface LeaveOutRequest {
  readonly target: UploadTarget;
  readonly isLeftOut: boolean;
  /** Takes back only clips that were left out at this moment, ms: undoes that one command and no other. */
  readonly leftOutAt?: number;
}

/** When the command was given, wall clock, and what to await between two of its transactions. */
interface Pace {
  readonly nowMs: number;
  readonly rest: () => Promise<unknown>;
}

/** Clips that one transaction puts back: it blocks the main loop for some 10 ms. */
export const RETRY_AT_ONCE = 200;
/**
 * Pause between two transactions beside an agent that may be running, milliseconds: a waiting writer sleeps at most 25
 * ms in SQLite before it looks again, so the agent comes next.
 */
const REST_MS = 40;

type AnyClip = Pick<ClipRow, 'id' | 'incidentId' | 'state' | 'failure'>;
type Pages = Generator<readonly (AnyClip & Partial<Pick<FailedClip, 'leftOutAt'>>)[], void, undefined>;

/**
 * Puts failed clips back into the queue, slice by slice; clips named by their own IDs are retried whatever their
 * reason. The service keeps listing each as failed until it succeeds. After a kill in the middle the rest is still
 * failed, and repeating the command retries it.
 */
export async function retryTarget(
  tables: Tables,
  target: WideTarget,
  { nowMs, rest }: Pace,
): Promise<RetryResult> {
  const sum = { retried: 0, skipped: 0, incidents: 0 };
  // First, so that asking the service what it has goes ahead of the clips
  if (target.kind === 'all') sum.incidents = tables.jobs.reviveRecords();
  if (target.kind === 'incident')
    sum.incidents = tables.write(() => reviveRecordsOf(tables, target.incidentId));
  await takePages(tables, { pages: pagesOf(tables, target), rest }, (page) => {
    const failed = page.filter(({ state }) => state === 'failed');
    const chosen = target.kind === 'clips' ? failed : failed.filter(isWanted);
    if (target.kind === 'clips')
      for (const id of new Set(page.map(({ incidentId }) => incidentId)))
        sum.incidents += reviveRecordsOf(tables, id);
    for (const row of chosen) requeue(tables, row, nowMs);
    sum.retried += chosen.length;
    sum.skipped += failed.length - chosen.length;
  });
  return sum;
}

type Page = Pages extends Generator<infer P> ? P : never;

/**
 * Page after page, each read in the transaction that changes it: agent and command line may do this at the same time.
 */
async function takePages(
  tables: Pick<Tables, 'write'>,
  { pages, rest }: Pick<Pace, 'rest'> & { readonly pages: Pages },
  take: (page: Page) => void,
): Promise<void> {
  const takeNext = (): boolean =>
    tables.write(() => {
      const page = pages.next();
      if (page.done === true) return false;
      take(page.value);
      return page.value.length === RETRY_AT_ONCE;
    });
  while (takeNext()) await rest();
}

/** Pages of clips that the target may include, read on demand. */
function* pagesOf({ clips }: Tables, target: WideTarget, standing?: Standing): Pages {
  if (target.kind === 'clips') {
    for (let at = 0; at < target.clipIds.length; at += RETRY_AT_ONCE)
      yield target.clipIds.slice(at, at + RETRY_AT_ONCE).flatMap((id) => clips.byId(id) ?? []);
    return;
  }
  const next = (last?: FailedClip): readonly FailedClip[] =>
    target.kind === 'all'
      ? clips.pageOfFailed(last, RETRY_AT_ONCE)
      : clips.pageOfFailedIn(target.incidentId, last, RETRY_AT_ONCE, standing);
  for (let page = next(); page.length > 0; page = next(page.at(-1))) yield page;
}

/**
 * Whether a clip is worth retrying without being named: not if nothing helps, a person decided it, or its file is gone.
 */
function isWanted({ failure: text }: AnyClip): boolean {
  const failure = parseFailure(text);
  return failure === undefined || mayBeOver(failure.code);
}

function mayBeOver(code: FailureCode): boolean {
  const { file, isDecided } = agentPolicyOf(code);
  return file !== 'gone' && isDecided !== true && mayPass(code);
}

/** Most failed clips that are counted; the windows ask often. */
const MOST_COUNTED = 2000;

/** How many failed clips "retry all", or the retry of an incident, puts back; undefined for too many to count. */
export function countRetryable(
  clips: Pick<Tables['clips'], 'codesOfFailed'>,
  incidentId?: string,
  mostCounted = MOST_COUNTED,
): number | undefined {
  const codes = clips.codesOfFailed(mostCounted + 1, incidentId);
  const all = codes.reduce((sum, { found }) => sum + found, 0);
  if (all > mostCounted) return undefined;
  const wanted = codes.filter(({ code }) => {
    const known = failureCodes.find((each) => each === code);
    return known === undefined || mayBeOver(known);
  });
  return wanted.reduce((sum, { found }) => sum + found, 0);
}

/** Returns 1 if there was anything to revive, else 0. */
function reviveRecordsOf(tables: Tables, incidentId: string): number {
  const checks = tables.jobs.revive('check-incident', incidentId);
  return Math.max(checks, tables.jobs.revive('put-incident', incidentId));
}

function requeue(tables: Tables, row: AnyClip, nowMs: number): void {
  tables.clips.requeue(row.id);
  tables.history.clip(row.id, { at: nowMs, facts: { kind: 'retried' } });
  tables.jobs.revive('send-clip', row.id);
  tables.jobs.revive('make-thumbnail', row.id);
  if (tables.thumbnails.requeue(row.id) > 0) tables.jobs.revive('send-thumbnail', row.id);
}

/**
 * Leaves failed clips out, or takes them back; returns how many changed. They stay failed, in the record as well.
 * Several transactions, as in `retryTarget`.
 */
export async function leaveOutTarget(
  tables: Tables,
  { target, isLeftOut, leftOutAt }: LeaveOutRequest,
  { nowMs, rest }: Pace,
): Promise<number> {
  const { clips, history } = tables;
  const isMeant = (clip: Page[number]): boolean => {
    if (target.kind === 'clips') return true;
    if (isLeftOut) return !isWanted(clip);
    return leftOutAt === undefined || clip.leftOutAt === leftOutAt;
  };
  let changed = 0;
  const pages = pagesOf(tables, target, isLeftOut ? 'counted' : 'leftOut');
  await takePages(tables, { pages, rest }, (page) => {
    for (const clip of page) {
      if (!isMeant(clip) || !clips.leaveOut(clip.id, isLeftOut ? nowMs : null)) continue;
      history.clip(clip.id, { at: nowMs, facts: { kind: isLeftOut ? 'leftOut' : 'takenBack' } });
      changed += 1;
    }
  });
  return changed;
}

/** The failure NOT_FOUND for an ID. */
export function unknownId(id: string): Failure {
  return {
    code: 'NOT_FOUND',
    message: `Nothing in the queue has the ID ${id}.`,
    advice: 'It may have been removed. Refresh the list, or run "status" to see the IDs.',
    retryable: false,
  };
}

/**
 * `retryTarget` for a data directory, beside the agent that may be running on it, which notices within a second.
 * Errors: NOT_FOUND when nothing has that ID; those of `openDbBeside`.
 */
export async function retryClips(
  dataDir: string,
  request: RetryRequest,
  clock: Pick<Clock, 'now' | 'sleep'>,
): Promise<Result<RetryResult, Failure>> {
  const file = join(dataDir, DATABASE_FILE);
  if (!fs.existsSync(file)) {
    return request.kind === 'all' ? ok({ retried: 0, skipped: 0, incidents: 0 }) : err(unknownId(request.id));
  }
  return withQueue(file, async (tables) => {
    const target = request.kind === 'all' ? ok(request) : targetOf(tables, request.id);
    if (!target.ok) return target;
    return ok(
      await retryTarget(tables, target.value, { nowMs: clock.now(), rest: () => clock.sleep(REST_MS) }),
    );
  });
}

/**
 * `leaveOutTarget` for a data directory, as `retryClips`; each ID is that of a clip or of an incident. Errors:
 * NOT_FOUND, with nothing changed; those of `openDbBeside`.
 */
export async function leaveOutClips(
  dataDir: string,
  { ids, isLeftOut }: { readonly ids: readonly string[]; readonly isLeftOut: boolean },
  clock: Pick<Clock, 'now' | 'sleep'>,
): Promise<Result<number, Failure>> {
  const file = join(dataDir, DATABASE_FILE);
  if (!fs.existsSync(file)) return err(unknownId(ids[0] ?? ''));
  return withQueue(file, async (tables) => {
    const targets: UploadTarget[] = [];
    for (const id of ids) {
      const target = targetOf(tables, id);
      if (!target.ok) return target;
      targets.push(target.value);
    }
    const pace = { nowMs: clock.now(), rest: () => clock.sleep(REST_MS) };
    let changed = 0;
    for (const target of targets) changed += await leaveOutTarget(tables, { target, isLeftOut }, pace);
    return ok(changed);
  });
}

async function withQueue<T>(
  file: string,
  work: (tables: Tables) => Result<T, Failure> | Promise<Result<T, Failure>>,
): Promise<Result<T, Failure>> {
  const opened = openDbBeside(file);
  if (!opened.ok) return opened;
  try {
    return await work(createTables(opened.value));
  } finally {
    opened.value.close();
  }
}

function targetOf({ clips, incidents }: Tables, id: string): Result<UploadTarget, Failure> {
  if (clips.byId(id) !== undefined) return ok({ kind: 'clips', clipIds: [id] });
  return incidents.byId(id) === undefined ? err(unknownId(id)) : ok({ kind: 'incident', incidentId: id });
}
