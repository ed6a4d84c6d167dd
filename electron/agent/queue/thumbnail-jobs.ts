import { fileKindOf } from '../core/naming/file-kinds.ts';
import type { ClipRow } from '../store/clip-rows.ts';
import type { Tables } from '../store/tables.ts';
import { PRIORITY } from './incident-jobs.ts';
import type { Clock } from '../ports.ts';
import { agentPolicyOf } from '../core/failures/failure-policy.ts';
import type { JobOutcome } from './outcome.ts';

/** After a made picture was lost, milliseconds: what deletes it each time must not keep the desk busy. */
const LOST_PAUSE_MS = 60_000;

/** Orders pictures of clips. To be called inside the transaction that changed the clip. */
export interface PictureQueue {
  /** The clip is new or another version, and its export brings no image. */
  want(clip: Pick<ClipRow, 'id' | 'incidentId' | 'path'>): void;
  /** The file of a picture that was made is not there any more, or is another one. */
  lost(clipId: string): void;
  /** Orders what was not ordered while there was no maker; in a transaction of its own. */
  wantAll(): void;
}

/** Makes the queue; without a maker nothing is ever ordered. */
export function createPictureQueue(
  tables: Tables,
  clock: Pick<Clock, 'now'>,
  hasMaker: boolean,
): PictureQueue {
  function put({ id, incidentId }: Pick<ClipRow, 'id' | 'incidentId'>, delayMs: number): void {
    const now = clock.now();
    tables.jobs.put({
      kind: 'make-thumbnail',
      subject: id,
      pool: 'picture',
      incidentId,
      state: delayMs === 0 ? 'ready' : 'waiting',
      priority: PRIORITY.picture,
      dueAt: now + delayMs,
      createdAt: now,
    });
  }

  return {
    want(clip) {
      if (hasMaker && mayHavePicture(clip.path)) put(clip, 0);
    },
    lost(clipId) {
      const clip = tables.clips.byId(clipId);
      if (!hasMaker || clip === undefined || tables.jobs.of('make-thumbnail', clipId) !== undefined) return;
      put(clip, LOST_PAUSE_MS);
    },
    wantAll() {
      if (hasMaker) tables.write(() => tables.jobs.wantPictures(clock.now(), PRIORITY.picture));
    },
  };
}

/** Whether it may come out of a clip of this name: a vendor's own format is for the vendor's player. */
export function mayHavePicture(path: string): boolean {
  const kind = fileKindOf(path);
  return kind.kind === 'clip' && kind.container !== 'native';
}

/** Whether a picture that was made could not be sent because its file is not there, or not the same, any more. */
export function isPictureLost(outcome: JobOutcome): boolean {
  return 'failure' in outcome && agentPolicyOf(outcome.failure.code).file !== undefined;
}

/** Where a picture that was made lies, in place of the export of its clip: nothing of it waits for a root. */
export function pictureIn(folder: string) {
  return { rootPath: folder, exportPath: '', isFolderGone: true };
}
