import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const fixtures = fileURLToPath(new URL('../../fixtures/clips/', import.meta.url));

/** A small real clip, for one export; `extra` bytes at its end make it larger, as players skip them. */
export async function sampleClip(extra = 0): Promise<Buffer> {
  const bytes = await readFile(`${fixtures}gate-4-north.mp4`);
  if (extra === 0) return bytes;
  const box = Buffer.alloc(extra);
  box.writeUInt32BE(extra);
  box.write('free', 4);
  return Buffer.concat([bytes, box]);
}

/** The picture that belongs to it. */
export function samplePicture(): Promise<Buffer> {
  return readFile(`${fixtures}gate-4-north.jpg`);
}
