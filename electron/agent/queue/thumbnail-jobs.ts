import { fileKindOf } from '../core/naming/file-kinds.ts';
import type { ClipRow } from '../store/clip-rows.ts';
import type { Tables } from '../store/tables.ts';
import { PRIORITY } from './incident-jobs.ts';
import type { Clock } from '../ports.ts';
import { agentPolicyOf } from '../core/failures/failure-policy.ts';
import type { JobOutcome } from './outcome.ts';

/** After a made thumbnail was lost, milliseconds: what deletes it each time must not keep the desk busy. */
const LOST_PAUSE_MS = 60_000;

/** Queues thumbnails of clips to be made. To be called inside the transaction that changed the clip. */
export interface ThumbnailJobs {
  /** The clip is new or another version, and its export brings no image. */
  want(clip: Pick<ClipRow, 'id' | 'incidentId' | 'path'>): void;
  /** The file of a thumbnail that was made is not there any more, or is another one. */
  lost(clipId: string): void;
  /** Queues what was not queued while there was no maker; in a transaction of its own. */
  wantAll(): void;
}

/** Makes the queue; without a maker nothing is ever queued. */
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

/** Whether it may come out of a clip of this name: a vendor's own format is for the vendor's player. */
export function mayHaveThumbnail(path: string): boolean {
  const kind = fileKindOf(path);
  return kind.kind === 'clip' && kind.container !== 'native';
}

/** Whether a thumbnail that was made could not be sent because its file is not there, or not the same, any more. */
export function isThumbnailLost(outcome: JobOutcome): boolean {
  return 'failure' in outcome && agentPolicyOf(outcome.failure.code).file !== undefined;
}

/** Where a thumbnail that was made lies, in place of the export of its clip: nothing of it waits for a root. */
export function thumbnailIn(folder: string) {
  return { rootPath: folder, folder: '', isFolderGone: true };
}
