import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** As `sha256sum` writes it, so that `sha256sum --check` reads it. */
export async function checksumLines(paths: readonly string[]): Promise<string> {
  const lines: string[] = [];
  for (const path of paths.toSorted()) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    lines.push(`${hash.digest('hex')}  ${basename(path)}\n`);
  }
  return lines.join('');
}
