import type { Result } from '../../../shared/lib/result.ts';
import type { StorageFailure } from './storage-failure.ts';

/** A whole object. `path` is its file, if it is a single file on this machine. */
export interface StoredObject {
  readonly key: string;
  readonly sizeBytes: number;
  /** As the store reports it, without quotes. */
  readonly etag: string;
  readonly path?: string;
}

/** A part that storage has. */
export interface StoredPart {
  readonly partNumber: number;
  readonly sizeBytes: number;
  readonly etag: string;
}

/** A multipart upload that was neither completed nor aborted. */
export interface OpenUpload {
  readonly key: string;
  readonly uploadId: string;
  readonly parts: readonly StoredPart[];
}

/** One entry of the list that completes an upload. */
export interface ListedPart {
  readonly partNumber: number;
  readonly etag: string;
}

/** Object storage behind the service: the calls of the service, and what tests inspect. */
export interface StorageBackend {
  readonly kind: 'embedded' | 's3';
  /** The origin of signed URLs. */
  readonly url: string;
  createUpload(key: string): Promise<string>;
  isUploadOpen(key: string, uploadId: string): Promise<boolean>;
  signPut(key: string): Promise<string>;
  signPart(key: string, uploadId: string, partNumber: number): Promise<string>;
  completeUpload(
    key: string,
    uploadId: string,
    parts: readonly ListedPart[],
  ): Promise<Result<{ readonly etag: string }, StorageFailure>>;
  abortUpload(key: string, uploadId: string): Promise<Result<undefined, StorageFailure>>;
  hasObject(key: string): Promise<boolean>;
  objects(): Promise<readonly StoredObject[]>;
  readObject(key: string): AsyncIterable<Uint8Array>;
  sha256OfObject(key: string): Promise<string>;
  openUploads(): Promise<readonly OpenUpload[]>;
  offline(): Promise<void>;
  online(): Promise<void>;
  stop(): Promise<void>;
}
