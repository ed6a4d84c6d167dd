/**
 * The files of a clip: its location, for the host only, and its thumbnail, for the windows. Only the exact version that
 * the queue knows is read, and no path is sent to a page.
 */
import { dirname, join } from 'node:path';
import { fsPromises } from '../files/plain-fs.ts';
import { fileTypeFromBuffer } from 'file-type';
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import { type Thumbnail, thumbnailTypes } from '../../../shared/ipc/calls/uploads.ts';
import { formatBytes } from '../../../shared/lib/readable-amounts.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { fileFailure, fileOutside } from '../files/file-failures.ts';
import { isInside, refusalOf } from '../files/opened-file.ts';
import type { RootGates } from '../files/root-gate.ts';
import { judgeFileFailure } from '../files/judge-file-failure.ts';
import { openSource, type SourceFile, type SourceRef } from '../files/source-file.ts';
import { thumbnailIn, type ThumbnailJobs } from '../queue/incident-jobs.ts';
import type { Tables } from '../store/tables.ts';
import { createThumbnailFiles } from '../thumbnails/thumbnail-files.ts';

/** Largest image sent to a page, bytes: it is sent as text in one response. */
const MAX_THUMBNAIL_BYTES = 2_000_000;

interface ClipDeps {
  readonly tables: Pick<Tables, 'clips' | 'incidents'>;
  readonly gates: RootGates;
}

/**
 * Locates the file of a queued clip, for the host's own use: the path is never sent to a page. It must be a regular
 * file, not a link, really inside its export folder, which must really be inside its root. Errors: NOT_FOUND,
 * FILE_GONE, ROOT_OFFLINE, ROOT_HUNG, and the refusals of evidence (FILE_LINK and the like).
 */
export async function locateClip(
  { tables, gates }: ClipDeps,
  clipId: string,
  signal: AbortSignal,
): Promise<Result<string, Failure>> {
  const source = clipSource(tables, clipId);
  if (source === undefined) return err(noClip);
  try {
    const found = await gates.of(source.rootPath).run(() => findFile(source), signal);
    return found.ok
      ? found
      : err(await judgeFileFailure(gates.of(source.rootPath), source, found.error, signal));
  } catch (error) {
    if (error instanceof FailureError) return err(error.failure);
    throw error;
  }
}

/** The file of a queued clip, in the version that the queue knows. */
export function clipSource(tables: ClipDeps['tables'], clipId: string): SourceRef | undefined {
  const clip = tables.clips.byId(clipId);
  const incident = clip && tables.incidents.byId(clip.incidentId);
  if (clip === undefined || incident === undefined) return undefined;
  const { rootPath, folder, folderGone } = incident;
  return { rootPath, folder, path: clip.path, version: clip, isFolderGone: folderGone === 1 };
}

async function findFile({
  rootPath,
  folder: exportFolder,
  path: name,
}: SourceRef): Promise<Result<string, Failure>> {
  const folder = join(rootPath, exportFolder);
  const path = join(folder, name);
  try {
    const refusal = refusalOf(await fsPromises.lstat(path, { bigint: true }), name);
    if (refusal !== undefined) return err(refusal);
    const [realRoot, realExport, realFolder] = await Promise.all([
      fsPromises.realpath(rootPath),
      fsPromises.realpath(folder),
      fsPromises.realpath(dirname(path)),
    ]);
    const isWithin = isInside(realRoot, realExport) && isInside(realExport, realFolder);
    return isWithin ? ok(path) : err(fileOutside(name));
  } catch (error) {
    return err(fileFailure(error, name));
  }
}

/** Code NOT_FOUND. */
export const noClip: Failure = {
  code: 'NOT_FOUND',
  message: 'This clip is not in the queue.',
  advice: 'It may have been removed. Refresh the list.',
  retryable: false,
};

/** Dependencies of `readThumbnail`. */
export interface ThumbnailDeps {
  readonly tables: Tables;
  readonly gates: RootGates;
  readonly dataDir: string;
  readonly pictures: Pick<ThumbnailJobs, 'lost'>;
}

/**
 * Reads the thumbnail of a clip from the export folder or the data directory, in the exact version that the queue
 * knows. If one that the agent made is lost, it is made again. Errors: NOT_FOUND, FILE_TOO_LARGE, FILE_TYPE_MISMATCH,
 * and those of opening evidence (FILE_CHANGED, FILE_GONE, ROOT_HUNG and the like).
 */
export async function readThumbnail(
  { tables, gates, dataDir, pictures }: ThumbnailDeps,
  clipId: string,
  signal: AbortSignal,
): Promise<Result<Thumbnail, Failure>> {
  const source = imageSource(tables, dataDir, clipId);
  if (source === undefined) return err(noThumbnail);
  if (source.version.sizeBytes > MAX_THUMBNAIL_BYTES) return err(tooLarge(source));
  const opened = await openSource(gates, source, signal);
  if (!opened.ok) {
    if (source.isMade) tables.write(() => pictures.lost(clipId));
    return opened;
  }
  try {
    const bytes = await readWhole(opened.value, signal);
    return bytes.ok ? await toThumbnail(bytes.value, source.path) : bytes;
  } catch (error) {
    if (error instanceof FailureError) return err(error.failure);
    throw error;
  } finally {
    opened.value.release();
  }
}

interface ImageRef extends SourceRef {
  readonly isMade: boolean;
}

function imageSource(tables: Tables, dataDir: string, clipId: string): ImageRef | undefined {
  const row = tables.thumbnails.byClip(clipId);
  const clip = tables.clips.byId(clipId);
  const incident = clip && tables.incidents.byId(clip.incidentId);
  if (row === undefined || incident === undefined) return undefined;
  const isMade = row.origin === 'made';
  const { rootPath, folder, folderGone } = incident;
  const place = isMade
    ? thumbnailIn(createThumbnailFiles(dataDir).folder)
    : { rootPath, folder, isFolderGone: folderGone === 1 };
  return { ...place, path: row.path, version: row, isMade };
}

async function readWhole(file: SourceFile, signal: AbortSignal): Promise<Result<Uint8Array, Failure>> {
  const bytes = new Uint8Array(file.version.sizeBytes);
  const read = await file.readExactly(bytes, bytes.length, 0, signal);
  if (!read.ok) return read;
  const unchanged = await file.verifyUnchanged();
  return unchanged.ok ? ok(bytes) : unchanged;
}

/** The type is read from the bytes: a file name proves nothing. */
async function toThumbnail(bytes: Uint8Array, name: string): Promise<Result<Thumbnail, Failure>> {
  const type = await fileTypeFromBuffer(bytes);
  const mediaType = thumbnailTypes.find((each) => each === type?.mime);
  if (mediaType === undefined) return err(noImage(name));
  return ok({ mediaType, base64: Buffer.from(bytes).toString('base64') });
}

const noThumbnail: Failure = {
  code: 'NOT_FOUND',
  message: 'This clip has no thumbnail.',
  advice: 'Nothing to do: a clip can be sent without a thumbnail.',
  retryable: false,
};

function tooLarge({ path, version }: SourceRef): Failure {
  return {
    code: 'FILE_TOO_LARGE',
    message: `Image too large: ${visibleName(path)} is ${formatBytes(version.sizeBytes)}, the limit is ${formatBytes(MAX_THUMBNAIL_BYTES)}.`,
    advice: 'Open the image from its folder.',
    retryable: false,
  };
}

function noImage(name: string): Failure {
  return {
    code: 'FILE_TYPE_MISMATCH',
    message: `Not shown: ${visibleName(name)} is not a PNG, JPEG, GIF or WebP image.`,
    advice: 'Check the file before you rely on it.',
    retryable: false,
  };
}
