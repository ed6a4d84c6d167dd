import { SMALL_BYTES } from '../files/snapshot-file.ts';
import { fileId, thumbnailFileId, clipId as toClipId } from '../../../shared/domain/ids.ts';
import type { FileVersion } from '../core/settle/file-seen.ts';
import { thumbnailIn } from '../queue/incident-jobs.ts';
import type { JobRow } from '../store/job-rows.ts';
import type { Tables } from '../store/tables.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { Circuits } from '../queue/circuits.ts';
import { type JobOutcome, notBegun, serviceOutcome } from '../queue/outcome.ts';
import type { UploadGrant, UploadUrls } from './upload-urls.ts';

/** A clip or thumbnail that is sent in one piece. */
export interface SmallFile {
  readonly job: JobRow;
  readonly clipId: string;
  readonly isThumbnail: boolean;
  /** A thumbnail that was made here and can be made again. */
  readonly isMade: boolean;
  readonly fileId: string;
  readonly path: string;
  readonly serviceName: string;
  readonly version: FileVersion;
  readonly rootPath: string;
  readonly folder: string;
  readonly isFolderGone: boolean;
}

interface Deps {
  readonly tables: Pick<Tables, 'clips' | 'incidents' | 'thumbnails'>;
  /** Folder of the thumbnails that were made from clips. */
  readonly thumbnailsFolder: string;
}

/** The files that jobs of one incident are to send; a job without one is already done, or no longer wanted. */
export function describeFiles(
  { tables, thumbnailsFolder }: Deps,
  jobs: readonly JobRow[],
): ReadonlyMap<JobRow, SmallFile> {
  const incident = jobs[0] && tables.incidents.byId(jobs[0].incidentId);
  const clips = new Map(
    tables.clips.byIds(jobs.map(({ subject }) => subject)).map((clip) => [clip.id, clip]),
  );
  const files = new Map<JobRow, SmallFile>();
  for (const job of jobs) {
    const clip = clips.get(job.subject);
    if (incident === undefined || clip === undefined) continue;
    const { rootPath, folder } = incident;
    const place = { job, clipId: clip.id, rootPath, folder, isFolderGone: incident.folderGone === 1 };
    if (job.kind === 'send-thumbnail') {
      const thumbnail = tables.thumbnails.byClip(clip.id);
      if (thumbnail?.state !== 'queued') continue;
      const { path, serviceName } = thumbnail;
      const id = thumbnailFileId(toClipId(clip.id));
      const isMade = thumbnail.origin === 'made';
      const own = isMade ? thumbnailIn(thumbnailsFolder) : {};
      const file = { isThumbnail: true, isMade, fileId: id, version: thumbnail };
      files.set(job, { ...place, ...own, ...file, path, serviceName });
    } else if (clip.state === 'queued') {
      const { path, serviceName } = clip;
      const file = { isThumbnail: false, isMade: false, fileId: fileId(clip.id), version: clip };
      files.set(job, { ...place, ...file, path, serviceName });
    }
  }
  return files;
}

/** Whether a clip has grown so much since it was queued that it goes in parts. */
export function isForParts({ isThumbnail, version }: SmallFile, thresholdBytes: number): boolean {
  return !isThumbnail && version.sizeBytes >= thresholdBytes;
}

/** Whether a thread reads the whole file: the waiting files of four batches fit into 8 MiB. */
export const isSnapshot = ({ version: { sizeBytes } }: SmallFile): boolean =>
  sizeBytes > 0 && sizeBytes <= SMALL_BYTES;

interface AskDeps {
  readonly uploadUrls: UploadUrls;
  readonly circuits: Pick<Circuits, 'mayCall' | 'succeeded'>;
}

/** A file in one piece that needs a URL. */
interface AskedFile {
  readonly job: JobRow;
  readonly fileId: string;
  readonly serviceName: string;
}

/** The grants in an answer to a request for upload URLs, or the outcome of the jobs that asked. */
type Granted =
  | { readonly ok: true; readonly grants: ReadonlyMap<string, Grant> }
  | { readonly ok: false; readonly outcome: JobOutcome };
/** The URL of one file, or why it has none. */
export type Grant =
  | { readonly ok: true; readonly value: UploadGrant }
  | { readonly ok: false; readonly error: Failure };

/** Requests the URLs of several files of one incident in one call; without files, makes no call. */
export async function askFor(
  deps: AskDeps,
  files: readonly AskedFile[],
  signal: AbortSignal,
): Promise<Granted> {
  const [first] = files;
  if (first === undefined) return { ok: true, grants: new Map() };
  if (!deps.circuits.mayCall('urls', first.job.subject)) return { ok: false, outcome: notBegun };
  const request = Object.fromEntries(files.map((file) => [file.fileId, { filename: file.serviceName }]));
  const answer = await deps.uploadUrls.ask(first.job.incidentId, request, undefined, signal);
  if (!answer.ok) {
    const outcome = serviceOutcome('urls', answer.error, signal);
    const isShared = outcome.kind === 'refused' && files.length > 1;
    return { ok: false, outcome: isShared ? { ...outcome, isShared } : outcome };
  }
  // An answer that grants nothing for several files is no better than none
  const granted = files.filter((file) => answer.value.get(file.fileId)?.ok === true);
  for (const file of granted) deps.circuits.succeeded('urls', file.job.subject);
  return { ok: true, grants: answer.value };
}

/** The failure API_SHAPE for a file that an answer leaves out. */
export const missingGrant: Failure = {
  code: 'API_SHAPE',
  message: 'Get upload URLs: the response does not mention a file that was requested.',
  advice: 'If this still fails after several automatic retries, tell the operator of the service.',
  retryable: true,
};

/** Whether storage may have the bytes although it did not confirm it in the expected way. */
export function mayBeStored(outcome: JobOutcome): boolean {
  if (outcome.kind === 'interrupted') return true;
  if (outcome.kind !== 'refused' && outcome.kind !== 'retry') return false;
  const { status } = outcome.failure;
  return status === undefined || status < 300 || status >= 500;
}

export function withGrants(files: readonly SmallFile[], grants: ReadonlyMap<string, Grant>) {
  return files.flatMap((file) => {
    const grant = grants.get(file.fileId);
    return grant?.ok === true ? [{ ...file, grant: grant.value }] : [];
  });
}
