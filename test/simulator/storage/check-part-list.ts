import { createHash } from 'node:crypto';
import type { ListedPart } from './backend.ts';
import { storageFailure, type StorageFailure } from './storage-failure.ts';
import type { Segment } from './stored-blob.ts';

/** Smallest size of every part but the last: 5 MiB. */
export const MIN_PART_BYTES = 5 * 1024 * 1024;
/** S3's limit for the number of parts in one upload. */
export const MAX_PART_NUMBER = 10_000;

/** Why this list does not complete an upload that has these parts, or undefined when it does. */
export function checkPartList(
  listed: readonly ListedPart[],
  held: ReadonlyMap<number, Segment>,
  maxObjectBytes: number,
): StorageFailure | undefined {
  if (listed.length === 0 || listed.length > MAX_PART_NUMBER) return storageFailure('MalformedXML');
  const isAscending = listed.every(
    (part, index) => index === 0 || part.partNumber > (listed[index - 1]?.partNumber ?? 0),
  );
  if (!isAscending) return storageFailure('InvalidPartOrder');
  const unknown = listed.find((part) => held.get(part.partNumber)?.etag !== unquote(part.etag));
  if (unknown)
    return storageFailure('InvalidPart', `Part ${unknown.partNumber} was not sent with this etag.`);
  // Stricter than AWS, like radosgw: a list that leaves out a sent part is an error of the client.
  if (listed.length < held.size)
    return storageFailure('InvalidPart', 'The list leaves out a part that was sent.');
  const sizes = listed.map((part) => held.get(part.partNumber)?.sizeBytes ?? 0);
  if (sizes.slice(0, -1).some((sizeBytes) => sizeBytes < MIN_PART_BYTES))
    return storageFailure('EntityTooSmall');
  const total = sizes.reduce((sum, sizeBytes) => sum + sizeBytes, 0);
  return total > maxObjectBytes ? storageFailure('EntityTooLarge') : undefined;
}

/** The etag of a composed object: MD5 of the parts' MD5s, and the number of parts. */
export function compositeEtag(etags: readonly string[]): string {
  const hash = createHash('md5');
  for (const etag of etags) hash.update(Buffer.from(etag, /^[0-9a-f]{32}$/.test(etag) ? 'hex' : 'utf8'));
  return `${hash.digest('hex')}-${etags.length}`;
}

export function unquote(etag: string): string {
  return etag.replace(/^"+|"+$/g, '');
}
