import type { Readable } from 'node:stream';

/** What could be read of a body: `isWhole` is false when it was longer than the limit or broke off. */
export interface CappedBody {
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

/** Reads a body while counting its bytes; one that is longer than `limitBytes` is cut there and its stream destroyed. */
export async function readCapped(stream: Readable, limitBytes: number): Promise<CappedBody> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of stream) {
      const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      chunks.push(bytes.subarray(0, limitBytes - sizeBytes));
      sizeBytes += bytes.length;
      // Leaving the loop destroys the stream
      if (sizeBytes > limitBytes) return { bytes: Buffer.concat(chunks), isWhole: false };
    }
  } catch {
    return { bytes: Buffer.concat(chunks), isWhole: false };
  }
  return { bytes: Buffer.concat(chunks), isWhole: true };
}
