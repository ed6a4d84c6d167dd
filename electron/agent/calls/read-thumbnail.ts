import { fileTypeFromBuffer } from 'file-type';
import type { Failure } from '../../../shared/domain/failure.ts';
import { FailureError } from '../../../shared/domain/failure-error.ts';
import { thumbnailTypes, type Thumbnail } from '../../../shared/ipc/calls/incidents.ts';
import { formatBytes } from '../../../shared/lib/bytes.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { Tables } from '../store/tables.ts';
import { thumbnailIn, type ThumbnailJobs } from '../queue/thumbnail-jobs.ts';
import { createThumbnailFiles } from '../thumbnails/thumbnail-files.ts';
import { openSource, type SourceFile, type SourceRef } from '../files/source-file.ts';
import { type RootGates } from '../files/root-gate.ts';

/** Largest image that is handed to a page, bytes: it travels as text in one answer. */
const MAX_THUMBNAIL_BYTES = 2_000_000;

interface Parts {
  readonly tables: Tables;
  readonly gates: RootGates;
  readonly dataDir: string;
  readonly pictures: Pick<ThumbnailJobs, 'lost'>;
}

/**
 * The image of a clip, read from the export folder or from the data folder: the very version that the queue knows. One
 * that was made and is lost is made again. Errors: NOT_FOUND,
 * FILE_TOO_LARGE, FILE_TYPE_MISMATCH, and those of opening evidence (FILE_CHANGED, FILE_GONE, ROOT_HUNG and their like).
 */
export async function readThumbnail(
  { tables, gates, dataDir, pictures }: Parts,
  clipId: string,
  signal: AbortSignal,
): Promise<Result<Thumbnail, Failure>> {
  const source = sourceOf(tables, dataDir, clipId);
  if (source === undefined) return err(noThumbnail);
  if (source.version.sizeBytes > MAX_THUMBNAIL_BYTES) return err(tooLarge(source));
  const opened = await openSource(gates, source, signal);
  if (!opened.ok) {
    if (source.isMade) tables.write(() => pictures.lost(clipId));
    return opened;
  }
  try {
    const bytes = await readWhole(gates, source, opened.value, signal);
    return bytes.ok ? await toThumbnail(bytes.value, source.path) : bytes;
  } catch (error) {
    if (error instanceof FailureError) return err(error.failure);
    throw error;
  } finally {
    opened.value.letGo();
  }
}

interface ImageRef extends SourceRef {
  readonly isMade: boolean;
}

function sourceOf(tables: Tables, dataDir: string, clipId: string): ImageRef | undefined {
  const row = tables.thumbnails.byClip(clipId);
  const clip = tables.clips.byId(clipId);
  const incident = clip && tables.incidents.byId(clip.incidentId);
  if (row === undefined || incident === undefined) return undefined;
  const isMade = row.origin === 'made';
  const { rootPath, exportPath, folderGone } = incident;
  const place = isMade
    ? thumbnailIn(createThumbnailFiles(dataDir).folder)
    : { rootPath, exportPath, isFolderGone: folderGone === 1 };
  return { ...place, path: row.path, version: row, isMade };
}

async function readWhole(
  gates: RootGates,
  { rootPath, version }: SourceRef,
  file: SourceFile,
  signal: AbortSignal,
): Promise<Result<Uint8Array, Failure>> {
  const gate = gates.of(rootPath);
  const bytes = new Uint8Array(version.sizeBytes);
  const read = await gate.run(() => {
    const reading = file.readExactly(bytes, bytes.length, 0);
    file.retain(reading);
    return reading;
  }, signal);
  if (!read.ok) return read;
  const unchanged = await gate.run(() => {
    const looking = file.verifyUnchanged();
    file.retain(looking);
    return looking;
  }, signal);
  return unchanged.ok ? ok(bytes) : unchanged;
}

/** What a file is, its bytes say; its name may say anything. */
async function toThumbnail(bytes: Uint8Array, name: string): Promise<Result<Thumbnail, Failure>> {
  const type = await fileTypeFromBuffer(bytes);
  const mediaType = thumbnailTypes.find((each) => each === type?.mime);
  if (mediaType === undefined) return err(noImage(name));
  return ok({ mediaType, base64: Buffer.from(bytes).toString('base64') });
}

const noThumbnail: Failure = {
  code: 'NOT_FOUND',
  message: 'There is no image of this clip in the queue.',
  advice: 'Nothing to do: a clip is sent without an image too.',
  retryable: false,
};

function tooLarge({ path, version }: SourceRef): Failure {
  return {
    code: 'FILE_TOO_LARGE',
    message: `${visibleName(path)} has ${formatBytes(version.sizeBytes)}; images up to ${formatBytes(MAX_THUMBNAIL_BYTES)} are shown.`,
    advice: 'Open it from its folder.',
    retryable: false,
  };
}

function noImage(name: string): Failure {
  return {
    code: 'FILE_TYPE_MISMATCH',
    message: `${visibleName(name)} is no PNG, JPEG, GIF or WebP image by its content; it is not shown.`,
    advice: 'Look at the file before it is relied on.',
    retryable: false,
  };
}
