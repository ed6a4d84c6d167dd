import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { UploadTarget, WideTarget } from '../../../shared/domain/upload-view.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { ClipScope } from '../store/clip-commands.ts';
import type { Tables } from '../store/tables.ts';
import type { Clock } from '../ports.ts';
import type { ClipResults } from './clip-results.ts';
import type { JobRunner } from './job-runner.ts';
import type { AfterCommit } from './outcome.ts';
import {
  leaveOutTarget,
  retryTarget,
  unknownId,
  type LeaveOutRequest,
  type RetryResult,
} from './retry-clips.ts';

/** How many clips were changed. */
export interface Changed {
  readonly changed: number;
}

/**
 * A person's commands about the queue, carried out one at a time. Each is in the database when it resolves. A kill in
 * the middle leaves a working queue, in which only some clips of a large incident may have changed. Errors of each:
 * NOT_FOUND, with nothing changed.
 */
export interface UploadCommands {
  /**
   * Resolves once the uploads have stopped; parts that storage has acknowledged are kept. The record of an incident is
   * still sent to the service.
   */
  pause(target: WideTarget): Promise<Result<Changed, Failure>>;
  /** For all, ends only the pause of all: what was paused individually stays paused. */
  resume(target: WideTarget): Promise<Result<Changed, Failure>>;
  /** Fails clips that are neither uploaded nor failed; one that completes meanwhile stays uploaded. */
  cancel(target: UploadTarget): Promise<Result<Changed, Failure>>;
  moveToFront(target: UploadTarget): Promise<Result<Changed, Failure>>;
  /** Failed clips no longer need attention, or do so again; the service keeps listing them as failed. */
  leaveOut(request: LeaveOutRequest): Promise<Result<Changed & { readonly at: number }, Failure>>;
  /** Clips named by their own IDs are retried whatever their reason; see `retryTarget`. */
  retry(target: WideTarget): Promise<Result<RetryResult, Failure>>;
  /** Resolves when no command is in progress. */
  settled(): Promise<void>;
}

interface Deps {
  readonly tables: Tables;
  readonly runner: Pick<JobRunner, 'interrupt' | 'wake'>;
  readonly results: Pick<ClipResults, 'givenUp'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Removes the file of a thumbnail that was made; never rejects. */
  readonly removeThumbnail: (clipId: string) => Promise<void>;
}

/** Clips that one transaction of a cancel gives up: it blocks the main loop for some 20 ms. */
const CANCEL_AT_ONCE = 200;

/** Creates the commands over the queue. */
export function createUploadCommands({
  tables,
  runner,
  results,
  clock,
  removeThumbnail,
}: Deps): UploadCommands {
  const { clips, desk, history, incidents, jobs } = tables;
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<T>(command: () => T | Promise<T>): Promise<T> {
    const next = last.then(command);
    last = next.catch(() => undefined);
    return next;
  }

  /** Changes a target slice by slice if the queue has all of it, then wakes the runner. */
  async function change(
    target: UploadTarget,
    work: (scope: ClipScope) => number,
    begin?: () => void,
  ): Promise<Result<number, Failure>> {
    const unknown = unknownOf(tables, target);
    if (unknown !== undefined) return err(unknownId(unknown));
    const changed = await changeBySlices(tables, target, work, begin);
    runner.wake();
    return ok(changed);
  }

  /** Clips that are added to the incident meanwhile follow its mark, so it is marked first. */
  function mark(target: UploadTarget, kind: 'paused' | 'resumed'): void {
    if (target.kind !== 'incident') return;
    incidents.setPaused(target.incidentId, kind === 'paused');
    history.incident(target.incidentId, { at: clock.now(), facts: { kind, by: 'incident' } });
  }

  function pauseUploads(target: UploadTarget): Promise<Result<number, Failure>> {
    const work = (scope: ClipScope): number => {
      jobs.pauseSends(scope);
      history.clipsPaused(scope, clock.now(), byOf(target));
      return clips.pause(scope);
    };
    return change(target, work, () => mark(target, 'paused'));
  }

  function resumeUploads(target: UploadTarget): Promise<Result<number, Failure>> {
    const work = (scope: ClipScope): number => {
      jobs.resumeSends(scope);
      history.clipsResumed(scope, clock.now(), byOf(target));
      return clips.resume(scope);
    };
    return change(target, work, () => mark(target, 'resumed'));
  }

  function interrupt(target: WideTarget): Promise<void> {
    if (target.kind === 'all') return runner.interrupt(() => true);
    if (target.kind === 'incident') return runner.interrupt((job) => job.incidentId === target.incidentId);
    const meant = new Set(target.clipIds);
    return runner.interrupt((job) => meant.has(job.subject));
  }

  function setAllPaused(paused: boolean): number {
    return tables.write(() => {
      if (desk.isPaused() === paused) return 0;
      desk.setPaused(paused);
      history.desk({ at: clock.now(), facts: { kind: paused ? 'paused' : 'resumed', by: 'desk' } });
      return clips.countWaiting();
    });
  }

  async function pause(target: WideTarget): Promise<Result<Changed, Failure>> {
    const paused = await inTurn(() =>
      target.kind === 'all' ? ok(setAllPaused(true)) : pauseUploads(target),
    );
    // Outside the turn: the answer of a "complete" in progress may take a while, and no other command waits for it
    if (paused.ok) await interrupt(target);
    return counted(paused);
  }

  /** Pauses running clips first, so that they are not claimed again; a kill before the end leaves them paused. */
  async function cancel(target: UploadTarget): Promise<Result<Changed, Failure>> {
    const meant = new Set<string>();
    const paused = await change(target, (scope) => {
      const clipIds = clips.queued(scope);
      for (const id of clipIds) meant.add(id);
      jobs.pauseSends({ kind: 'clips', clipIds });
      return clips.pause({ kind: 'clips', clipIds });
    });
    if (!paused.ok) return paused;
    const chosen = [...meant];
    await runner.interrupt((job) => meant.has(job.subject));
    let changed = 0;
    for (let at = 0; at < chosen.length; at += CANCEL_AT_ONCE) {
      if (at > 0) await nextTurn();
      changed += giveUp(chosen.slice(at, at + CANCEL_AT_ONCE));
    }
    runner.wake();
    return ok({ changed });
  }

  function giveUp(clipIds: readonly string[]): number {
    const announcements = tables.write(() =>
      clipIds.filter((id) => clips.byId(id)?.state === 'queued').map(giveUpOne),
    );
    for (const announce of announcements) announce?.();
    return announcements.length;
  }

  function giveUpOne(clipId: string): AfterCommit {
    const text = JSON.stringify(cancelled);
    jobs.failSends(clipId, text);
    history.clip(clipId, { at: clock.now(), facts: { kind: 'cancelled' } });
    const image = tables.thumbnails.byClip(clipId);
    if (image?.state === 'queued') tables.thumbnails.failed(clipId, text);
    const announce = results.givenUp({ kind: 'send-clip', subject: clipId }, cancelled);
    if (image?.state !== 'queued' || image.origin !== 'made') return announce;
    return () => {
      announce?.();
      void removeThumbnail(clipId);
    };
  }

  async function retry(target: WideTarget): Promise<Result<RetryResult, Failure>> {
    const unknown = target.kind === 'all' ? undefined : unknownOf(tables, target);
    if (unknown !== undefined) return err(unknownId(unknown));
    const result = await retryTarget(tables, target, {
      nowMs: clock.now(),
      rest: async () => {
        runner.wake();
        await nextTurn();
      },
    });
    runner.wake();
    return ok(result);
  }

  return {
    pause,
    resume: (target) =>
      inTurn(async () => {
        if (target.kind !== 'all') return counted(await resumeUploads(target));
        const changed = setAllPaused(false);
        runner.wake();
        return ok({ changed });
      }),
    cancel: (target) => inTurn(() => cancel(target)),
    moveToFront: (target) =>
      inTurn(async () => {
        const priority = jobs.frontPriority();
        return counted(
          await change(target, (scope) => {
            jobs.prioritiseSends(scope, priority);
            return clips.queued(scope).length;
          }),
        );
      }),
    leaveOut: (request) => inTurn(() => leaveOut(tables, request, clock.now())),
    retry: (target) => inTurn(() => retry(target)),
    settled: () => inTurn(() => undefined),
  };
}

async function leaveOut(
  tables: Tables,
  request: LeaveOutRequest,
  at: number,
): Promise<Result<Changed & { readonly at: number }, Failure>> {
  const unknown = unknownOf(tables, request.target);
  if (unknown !== undefined) return err(unknownId(unknown));
  return ok({ changed: await leaveOutTarget(tables, request, { nowMs: at, rest: nextTurn }), at });
}

function counted(result: Result<number, Failure>): Result<Changed, Failure> {
  return result.ok ? ok({ changed: result.value }) : result;
}

const byOf = ({ kind }: UploadTarget) => (kind === 'incident' ? 'incident' : 'clip');

/** The first ID of the target that nothing in the queue has. */
function unknownOf({ clips, incidents }: Tables, target: UploadTarget): string | undefined {
  if (target.kind === 'clips') return target.clipIds.find((id) => clips.byId(id) === undefined);
  return incidents.byId(target.incidentId) === undefined ? target.incidentId : undefined;
}

const cancelled: Failure = {
  code: 'CANCELLED',
  message: 'The upload was cancelled at this desk.',
  advice: 'To send the clip, retry it while its file is still there.',
  retryable: false,
};

/** Clips that one transaction of a command changes: it blocks the main loop for less than 10 ms. */
export const CLIPS_AT_ONCE = 500;

type Slices = Generator<ClipScope, void, undefined>;

/**
 * The clips of a target in slices, one per transaction; read on demand. An incident that is not large is a single
 * slice. Clips that are added to a large one meanwhile may be in none.
 */
export function* sliceTarget({ clips }: Pick<Tables, 'clips'>, target: UploadTarget): Slices {
  if (target.kind === 'clips') {
    yield* sliceIds(target.clipIds);
    return;
  }
  let page = clips.pageOfIncident(target.incidentId, undefined, CLIPS_AT_ONCE);
  if (page.length < CLIPS_AT_ONCE) {
    yield target;
    return;
  }
  for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
    yield { kind: 'clips', clipIds: page.map(({ id }) => id) };
    page = clips.pageOfIncident(target.incidentId, last, CLIPS_AT_ONCE);
  }
}

function* sliceIds(clipIds: readonly string[]): Slices {
  for (let at = 0; at < clipIds.length; at += CLIPS_AT_ONCE)
    yield { kind: 'clips', clipIds: clipIds.slice(at, at + CLIPS_AT_ONCE) };
}

/** Works slice by slice, each in a transaction, with `begin` in the first; returns the sum of what `work` returned. */
async function changeBySlices(
  tables: Pick<Tables, 'clips' | 'write'>,
  target: UploadTarget,
  work: (scope: ClipScope) => number,
  begin?: () => void,
): Promise<number> {
  let changed: number | undefined;
  for (const scope of sliceTarget(tables, target)) {
    const isFirst = changed === undefined;
    if (!isFirst) await nextTurn();
    const more = tables.write(() => {
      if (isFirst) begin?.();
      return work(scope);
    });
    changed = (changed ?? 0) + more;
  }
  return changed ?? 0;
}
