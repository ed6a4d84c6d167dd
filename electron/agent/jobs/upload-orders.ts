import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { UploadTarget, WideTarget } from '../../../shared/domain/upload-view.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { Tables } from '../db/tables.ts';
import type { Clock } from '../ports.ts';
import type { ClipFacts } from '../upload/clip-facts.ts';
import type { JobRunner } from './job-runner.ts';
import type { AfterCommit } from './outcome.ts';
import { retryClipsIn, unknownId, type RetryResult } from './retry-clips.ts';

/** How many clips are otherwise than before. */
export interface Changed {
  readonly changed: number;
}

/**
 * What a person orders about the queue. One order is carried out at a time; each is in the database when it resolves,
 * and a kill in the middle leaves a queue that goes on. Errors of each: NOT_FOUND, with nothing changed.
 */
export interface UploadOrders {
  /**
   * Resolves once the uploads have stopped; what storage has acknowledged is kept. The record of an incident is still
   * told to the service.
   */
  pause(target: WideTarget): Promise<Result<Changed, Failure>>;
  /** For all, only the pause of all ends: what was paused by its own name stays so. */
  resume(target: WideTarget): Promise<Result<Changed, Failure>>;
  /** Clips that are neither uploaded nor failed become failed ones; one that completes meanwhile stays uploaded. */
  cancel(target: UploadTarget): Promise<Result<Changed, Failure>>;
  moveToFront(target: UploadTarget): Promise<Result<Changed, Failure>>;
  /** Clips named by their own ids are tried whatever their reason; see `retryClipsIn`. */
  retry(target: WideTarget): Promise<Result<RetryResult, Failure>>;
  /** Resolves when no order is under way. */
  settled(): Promise<void>;
}

interface Parts {
  readonly tables: Tables;
  readonly runner: Pick<JobRunner, 'interrupt' | 'wake'>;
  readonly facts: Pick<ClipFacts, 'givenUp'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Removes the file of a picture that was made; never rejects. */
  readonly removePicture: (clipId: string) => Promise<void>;
}

/** Clips that one transaction of a cancel gives up: the main loop is held for some 20 ms. */
const CANCEL_AT_ONCE = 200;

/** Makes the orders over the queue. */
export function createUploadOrders({ tables, runner, facts, clock, removePicture }: Parts): UploadOrders {
  const { clips, desk, history, incidents, jobs } = tables;
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<T>(order: () => T | Promise<T>): Promise<T> {
    const next = last.then(order);
    last = next.catch(() => undefined);
    return next;
  }

  /** One transaction over a target that is known as a whole; the queue is looked at afterwards. */
  function change<T>(target: UploadTarget, work: () => T): Result<T, Failure> {
    const result = tables.write(() => {
      const unknown = unknownOf(tables, target);
      return unknown === undefined ? ok(work()) : err(unknownId(unknown));
    });
    runner.wake();
    return result;
  }

  function hold(target: UploadTarget): number {
    const at = clock.now();
    if (target.kind === 'incident') {
      incidents.setPaused(target.incidentId, true);
      history.incident(target.incidentId, { at, facts: { kind: 'paused', by: 'incident' } });
    }
    jobs.holdSends(target);
    history.clipsPaused(target, at);
    return clips.hold(target);
  }

  function letGo(target: UploadTarget): number {
    const at = clock.now();
    if (target.kind === 'incident') {
      incidents.setPaused(target.incidentId, false);
      history.incident(target.incidentId, { at, facts: { kind: 'resumed', by: 'incident' } });
    }
    jobs.letGoSends(target);
    history.clipsResumed(target, at);
    return clips.letGo(target);
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
    const held = await inTurn(() =>
      target.kind === 'all' ? ok(setAllPaused(true)) : change(target, () => hold(target)),
    );
    // Not in turn: the answer of a "complete" that is under way may take its time, and nobody else waits for it
    if (held.ok) await interrupt(target);
    return counted(held);
  }

  /** What runs is held first, so that it is not claimed again; a kill before the end leaves it paused. */
  async function cancel(target: UploadTarget): Promise<Result<Changed, Failure>> {
    const chosen = change(target, () => {
      const clipIds = clips.queued(target);
      const scope = { kind: 'clips', clipIds } as const;
      jobs.holdSends(scope);
      clips.hold(scope);
      return clipIds;
    });
    if (!chosen.ok) return chosen;
    const meant = new Set(chosen.value);
    await runner.interrupt((job) => meant.has(job.subject));
    let changed = 0;
    for (let at = 0; at < chosen.value.length; at += CANCEL_AT_ONCE) {
      if (at > 0) await nextTurn();
      changed += giveUp(chosen.value.slice(at, at + CANCEL_AT_ONCE));
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
    const announce = facts.givenUp({ kind: 'send-clip', subject: clipId }, cancelled);
    if (image?.state !== 'queued' || image.origin !== 'made') return announce;
    return () => {
      announce?.();
      void removePicture(clipId);
    };
  }

  function retry(target: WideTarget): Result<RetryResult, Failure> {
    if (target.kind === 'all') {
      const retried = retryClipsIn(tables, target, clock.now());
      runner.wake();
      return retried;
    }
    const ids = target.kind === 'clips' ? target.clipIds : [target.incidentId];
    return change(target, () => {
      const results = ids.flatMap((id) => {
        const result = retryClipsIn(tables, { kind: 'id', id }, clock.now());
        return result.ok ? [result.value] : [];
      });
      const sum = (field: keyof RetryResult): number =>
        results.reduce((total, result) => total + result[field], 0);
      return { retried: sum('retried'), skipped: sum('skipped') };
    });
  }

  return {
    pause,
    resume: (target) =>
      inTurn(() => {
        if (target.kind !== 'all') return counted(change(target, () => letGo(target)));
        const changed = setAllPaused(false);
        runner.wake();
        return ok({ changed });
      }),
    cancel: (target) => inTurn(() => cancel(target)),
    moveToFront: (target) =>
      inTurn(() =>
        counted(
          change(target, () => {
            jobs.moveSendsToFront(target);
            return clips.queued(target).length;
          }),
        ),
      ),
    retry: (target) => inTurn(() => retry(target)),
    settled: () => inTurn(() => undefined),
  };
}

function counted(result: Result<number, Failure>): Result<Changed, Failure> {
  return result.ok ? ok({ changed: result.value }) : result;
}

/** The first id of the target that nothing in the queue has. */
function unknownOf({ clips, incidents }: Tables, target: UploadTarget): string | undefined {
  if (target.kind === 'clips') return target.clipIds.find((id) => clips.byId(id) === undefined);
  return incidents.byId(target.incidentId) === undefined ? target.incidentId : undefined;
}

const cancelled: Failure = {
  code: 'CANCELLED',
  message: 'The upload was cancelled at the desk.',
  advice: 'The clip is still in its export folder. Trying this clip again sends it.',
  retryable: false,
};
