import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const fixtures = fileURLToPath(new URL('../../fixtures/clips/', import.meta.url));

/** Size and type of a box, and the bytes that make each clip different. */
const LEAST_BOX_BYTES = 16;

/**
 * A small real clip, for one export: each has different bytes, since an equal one is a copy and is not sent again.
 * `extra` bytes at its end, which players skip, make it larger.
 */
export async function sampleClip(extra = 0): Promise<Buffer> {
  const bytes = await readFile(`${fixtures}gate-4-north.mp4`);
  const box = Buffer.alloc(Math.max(extra, LEAST_BOX_BYTES));
  box.writeUInt32BE(box.length);
  box.write('free', 4);
  randomBytes(LEAST_BOX_BYTES - 8).copy(box, 8);
  return Buffer.concat([bytes, box]);
}

/** The clip's image. */
export function samplePicture(): Promise<Buffer> {
  return readFile(`${fixtures}gate-4-north.jpg`);
}
