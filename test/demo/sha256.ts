import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** SHA-256 of a stream of bytes, lower-case hexadecimal. */
export async function sha256Of(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest('hex');
}

/** SHA-256 of a file, lower-case hexadecimal. */
export function sha256OfFile(path: string): Promise<string> {
  return sha256Of(createReadStream(path, { highWaterMark: 1024 * 1024 }));
}
