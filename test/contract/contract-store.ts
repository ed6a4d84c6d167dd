import { createHash } from 'node:crypto';
import type { ListedPart, StorageBackend } from '../simulator/storage/backend.ts';
import { unquote } from '../simulator/storage/check-part-list.ts';
import { putBytes } from './put-bytes.ts';

/** A store under test whose signing clock the test controls. */
export interface ContractStore {
  readonly backend: StorageBackend;
  /** Signs as if at a time `offsetMs` from now. */
  signAt<T>(offsetMs: number, sign: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

export const MIN_PART_BYTES = 5 * 1024 * 1024;

export function md5(bytes: Buffer | string): string {
  return createHash('md5').update(bytes).digest('hex');
}

export function sha256(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Bytes that differ by seed, so that swapped parts are noticed. */
export function patternBytes(sizeBytes: number, seed: number): Buffer {
  const bytes = Buffer.alloc(sizeBytes, `part ${seed} of the pattern, `);
  bytes.writeUInt32BE(seed, 0);
  return bytes;
}

/** Opens an upload and sends these parts under these numbers, in the given order. */
export async function sendParts(
  backend: StorageBackend,
  key: string,
  parts: readonly { readonly partNumber: number; readonly bytes: Buffer }[],
): Promise<{ readonly uploadId: string; readonly listed: ListedPart[] }> {
  const uploadId = await backend.createUpload(key);
  const listed: ListedPart[] = [];
  for (const { partNumber, bytes } of parts) {
    const answer = await putBytes(await backend.signPart(key, uploadId, partNumber), bytes);
    listed.push({ partNumber, etag: unquote(answer.etag ?? '') });
  }
  return { uploadId, listed: listed.toSorted((left, right) => left.partNumber - right.partNumber) };
}

export async function readAll(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}
