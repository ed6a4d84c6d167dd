import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** A run of bytes in one file, or only its size and digests if bytes are discarded. */
export interface Segment {
  readonly path: string | undefined;
  readonly sizeBytes: number;
  readonly etag: string;
  readonly sha256: string | undefined;
}

/** A whole object: its parts stay the files that they were, so that completing an upload copies nothing. */
export interface StoredBlob {
  readonly sizeBytes: number;
  readonly etag: string;
  readonly segments: readonly Segment[];
}

/** Bytes per read, large enough that reading costs less than hashing. */
const READ_BYTES = 1024 * 1024;

/** The object's bytes in order. */
export async function* readBlob(blob: StoredBlob): AsyncGenerator<Uint8Array> {
  for (const segment of blob.segments) {
    if (segment.path === undefined)
      throw new Error('This storage discards bytes: only sizes and digests are kept.');
    if (segment.sizeBytes > 0) yield* createReadStream(segment.path, { highWaterMark: READ_BYTES });
  }
}

/** SHA-256 of the whole object: remembered for one piece, computed by reading for several. */
export async function sha256OfBlob(blob: StoredBlob): Promise<string> {
  const [only, ...others] = blob.segments;
  if (others.length === 0 && only?.sha256 !== undefined) return only.sha256;
  const hash = createHash('sha256');
  for await (const chunk of readBlob(blob)) hash.update(chunk);
  return hash.digest('hex');
}
