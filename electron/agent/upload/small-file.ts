import { fileId, thumbnailFileId, clipId as toClipId } from '../../../shared/domain/ids.ts';
import type { FileVersion } from '../core/settle/file-seen.ts';
import { thumbnailIn } from '../queue/incident-jobs.ts';
import type { JobRow } from '../store/job-rows.ts';
import type { Tables } from '../store/tables.ts';

/** A clip or thumbnail that goes in one piece. */
export interface SmallFile {
  readonly job: JobRow;
  readonly clipId: string;
  readonly isThumbnail: boolean;
  /** A thumbnail of our own, which can be made again. */
  readonly isMade: boolean;
  readonly fileId: string;
  readonly path: string;
  readonly serviceName: string;
  readonly version: FileVersion;
  readonly rootPath: string;
  readonly folder: string;
  readonly isFolderGone: boolean;
}

/** What describing one needs. */
export interface SmallFileDeps {
  readonly tables: Pick<Tables, 'clips' | 'incidents' | 'thumbnails'>;
  /** Folder of the thumbnails that were made from clips. */
  readonly thumbnailsFolder: string;
}

/** The file that the job is to send; undefined: it was sent already, or is no longer wanted. */
export function describeFile(
  { tables, thumbnailsFolder }: SmallFileDeps,
  job: JobRow,
): SmallFile | undefined {
  const clip = tables.clips.byId(job.subject);
  const incident = clip && tables.incidents.byId(clip.incidentId);
  if (clip === undefined || incident === undefined) return undefined;
  const { rootPath, folder } = incident;
  const place = { job, clipId: clip.id, rootPath, folder, isFolderGone: incident.folderGone === 1 };
  if (job.kind === 'send-thumbnail') {
    const thumbnail = tables.thumbnails.byClip(clip.id);
    if (thumbnail?.state !== 'queued') return undefined;
    const { path, serviceName } = thumbnail;
    const id = thumbnailFileId(toClipId(clip.id));
    const isMade = thumbnail.origin === 'made';
    const own = isMade ? thumbnailIn(thumbnailsFolder) : {};
    return { ...place, ...own, isThumbnail: true, isMade, fileId: id, path, serviceName, version: thumbnail };
  }
  if (clip.state !== 'queued') return undefined;
  const { path, serviceName } = clip;
  const file = { isThumbnail: false, isMade: false, fileId: fileId(clip.id), version: clip };
  return { ...place, ...file, path, serviceName };
}

/** It has grown since it was queued. */
export function isForParts({ isThumbnail, version }: SmallFile, thresholdBytes: number): boolean {
  return !isThumbnail && version.sizeBytes >= thresholdBytes;
}

/** Files of up to this size are read and hashed whole by a thread; those of four batches that wait fit into 8 MiB. */
const SNAPSHOT_BYTES = 256 * 1024;

/** Whether a thread reads the file whole. */
export const isSnapshot = ({ version: { sizeBytes } }: SmallFile): boolean =>
  sizeBytes > 0 && sizeBytes <= SNAPSHOT_BYTES;
