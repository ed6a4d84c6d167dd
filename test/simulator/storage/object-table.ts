import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { ListedPart, OpenUpload } from './backend.ts';
import { checkPartList, compositeEtag } from './check-part-list.ts';
import { storageFailure, type StorageFailure } from './storage-failure.ts';
import type { Segment, StoredBlob } from './stored-blob.ts';

interface Upload {
  readonly key: string;
  readonly parts: Map<number, Segment>;
}

/** Objects and open uploads of a folder. Each change is one synchronous step, so that two requests never interleave in it. */
export interface ObjectTable {
  /** A path for bytes that are being received. */
  incomingPath(): string;
  /** Turns a received file into an object. */
  putObject(key: string, received: Segment): StoredBlob;
  openUpload(key: string): string;
  findUpload(key: string, uploadId: string): Upload | undefined;
  putPart(
    key: string,
    uploadId: string,
    partNumber: number,
    received: Segment,
  ): Result<Segment, StorageFailure>;
  complete(key: string, uploadId: string, parts: readonly ListedPart[]): Result<StoredBlob, StorageFailure>;
  abort(key: string, uploadId: string): boolean;
  readonly objects: ReadonlyMap<string, StoredBlob>;
  openUploads(): readonly OpenUpload[];
}

export interface TableLimits {
  readonly maxObjectBytes: () => number;
  readonly isCompleteRepeatable: () => boolean;
}

export function createObjectTable(folder: string, limits: TableLimits): ObjectTable {
  const objects = new Map<string, StoredBlob>();
  const uploads = new Map<string, Upload>();
  const completed = new Map<string, StoredBlob>();
  const partsFolder = (uploadId: string) => join(folder, 'parts', uploadId);
  const findUpload = (key: string, uploadId: string) => {
    const upload = uploads.get(uploadId);
    return upload?.key === key ? upload : undefined;
  };
  mkdirSync(join(folder, 'incoming'), { recursive: true });
  return {
    objects,
    findUpload,
    incomingPath: () => join(folder, 'incoming', randomUUID()),
    putObject(key, received) {
      const stored = moveSegment(received, join(folder, 'objects', key));
      const blob = { sizeBytes: stored.sizeBytes, etag: stored.etag, segments: [stored] };
      objects.set(key, blob);
      return blob;
    },
    openUpload(key) {
      const uploadId = randomUUID().replaceAll('-', '');
      uploads.set(uploadId, { key, parts: new Map() });
      mkdirSync(partsFolder(uploadId), { recursive: true });
      return uploadId;
    },
    putPart(key, uploadId, partNumber, received) {
      const upload = findUpload(key, uploadId);
      if (!upload) return err(storageFailure('NoSuchUpload'));
      const name = String(partNumber).padStart(5, '0');
      const stored = moveSegment(received, join(partsFolder(uploadId), name));
      upload.parts.set(partNumber, stored);
      return ok(stored);
    },
    complete(key, uploadId, parts) {
      const before = completed.get(uploadId);
      if (before && limits.isCompleteRepeatable()) return ok(before);
      const upload = findUpload(key, uploadId);
      if (!upload) return err(storageFailure('NoSuchUpload'));
      const failure = checkPartList(parts, upload.parts, limits.maxObjectBytes());
      if (failure) return err(failure);
      const segments = orderedSegments(upload.parts).map(([, segment]) => segment);
      const blob = moveParts(segments, partsFolder(uploadId), join(folder, 'objects', `${key}.parts`));
      uploads.delete(uploadId);
      objects.set(key, blob);
      completed.set(uploadId, blob);
      return ok(blob);
    },
    abort(key, uploadId) {
      if (!findUpload(key, uploadId)) return false;
      uploads.delete(uploadId);
      rmSync(partsFolder(uploadId), { recursive: true, force: true });
      return true;
    },
    openUploads: () =>
      [...uploads].map(([uploadId, { key, parts }]) => ({ key, uploadId, parts: listParts(parts) })),
  };
}

function orderedSegments(parts: ReadonlyMap<number, Segment>): [number, Segment][] {
  return [...parts].toSorted(([left], [right]) => left - right);
}

function listParts(parts: ReadonlyMap<number, Segment>) {
  return orderedSegments(parts).map(([partNumber, { sizeBytes, etag }]) => ({ partNumber, sizeBytes, etag }));
}

function moveSegment(received: Segment, path: string): Segment {
  if (received.path === undefined) return received;
  mkdirSync(dirname(path), { recursive: true });
  renameSync(received.path, path);
  return { ...received, path };
}

/** A single rename moves all parts, whatever their size. */
function moveParts(segments: readonly Segment[], from: string, to: string): StoredBlob {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
  const moved = segments.map((segment) => ({
    ...segment,
    path: segment.path === undefined ? undefined : segment.path.replace(from, to),
  }));
  const sizeBytes = moved.reduce((sum, segment) => sum + segment.sizeBytes, 0);
  return { sizeBytes, etag: compositeEtag(moved.map((segment) => segment.etag)), segments: moved };
}
