import { clipId as toClipId, thumbnailFileId } from '../../../shared/domain/ids.ts';
import type { MadeFacts } from '../../../shared/domain/thumbnail-answer.ts';
import type { FileVersion } from '../core/settle/file-seen.ts';
import { serviceFileName } from '../core/records/derived-ids.ts';
import type { ClipRow } from '../store/clip-rows.ts';
import type { Tables } from '../store/tables.ts';
import { PRIORITY } from '../queue/incident-jobs.ts';
import type { Clock } from '../ports.ts';
import type { ThumbnailFile } from './thumbnail-files.ts';
import type { ThumbnailJobs } from '../queue/thumbnail-jobs.ts';

interface Deps {
  readonly tables: Tables;
  readonly thumbnailJobs: ThumbnailJobs;
  readonly clock: Pick<Clock, 'now'>;
}

/** A thumbnail, and the clip as it was when it was opened for it. */
interface Made {
  readonly clip: ClipRow;
  readonly file: ThumbnailFile;
  readonly facts: MadeFacts;
}

/**
 * The thumbnail becomes the clip's, and is to be sent; to be called in the transaction that ends its job. False when it is
 * of no use: the clip changed meanwhile, was given up, or its export brought an image of its own.
 */
export function storeThumbnail(
  { tables, thumbnailJobs, clock }: Deps,
  { clip: opened, file, facts }: Made,
): boolean {
  const clip = tables.clips.byId(opened.id);
  const before = tables.thumbnails.byClip(opened.id);
  if (clip === undefined || clip.state === 'failed' || before?.origin === 'export') return false;
  if (!isSameVersion(clip, opened)) {
    thumbnailJobs.want(clip);
    return false;
  }
  const row = {
    clipId: clip.id,
    path: file.path,
    ...file.version,
    serviceName: serviceFileName(file.path, thumbnailFileId(toClipId(clip.id))),
    sha256: file.sha256,
    made: JSON.stringify(facts),
  };
  const isSent = before?.state === 'uploaded' && (before.sha256 ?? file.sha256) === file.sha256;
  if (isSent) {
    tables.thumbnails.refile(row);
    return true;
  }
  tables.thumbnails.putMade(row);
  const now = clock.now();
  tables.jobs.put({
    kind: 'send-thumbnail',
    subject: clip.id,
    pool: 'small',
    incidentId: clip.incidentId,
    state: tables.incidents.byId(clip.incidentId)?.checkedAt == null ? 'blocked' : 'ready',
    priority: PRIORITY.thumbnail,
    dueAt: now,
    createdAt: now,
  });
  return true;
}

function isSameVersion(one: FileVersion, other: FileVersion): boolean {
  return one.sizeBytes === other.sizeBytes && one.mtimeNs === other.mtimeNs;
}
