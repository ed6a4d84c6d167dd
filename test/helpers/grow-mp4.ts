import { copyFile, open, stat, type FileHandle } from 'node:fs/promises';

/**
 * How the added space is filled: with `seed`, bytes that differ everywhere; without it, zeros that take no disk space.
 */
export interface GrowOptions {
  readonly seed?: number;
}

const LARGEST_SHORT_BOX_BYTES = 0xffff_ffff;
const CHUNK_BYTES = 1024 * 1024;

/**
 * Copies an MP4 file and appends a `free` box, so that the copy has exactly `sizeBytes` and still plays.
 * The size must leave room for the box's header: 8 bytes, or 16 beyond 4 GiB.
 */
export async function growMp4(
  source: string,
  target: string,
  sizeBytes: number,
  options: GrowOptions = {},
): Promise<void> {
  const before = (await stat(source)).size;
  const header = boxHeader(sizeBytes - before);
  await copyFile(source, target);
  const file = await open(target, 'r+');
  try {
    await file.write(header, 0, header.length, before);
    if (options.seed === undefined) await file.truncate(sizeBytes);
    else await fill(file, before + header.length, sizeBytes, options.seed);
  } finally {
    await file.close();
  }
}

function boxHeader(boxBytes: number): Buffer {
  const isLong = boxBytes > LARGEST_SHORT_BOX_BYTES;
  const header = Buffer.alloc(isLong ? 16 : 8);
  if (boxBytes < header.length) throw new Error(`No room for a box in ${boxBytes} bytes`);
  header.writeUInt32BE(isLong ? 1 : boxBytes, 0);
  header.write('free', 4, 'ascii');
  if (isLong) header.writeBigUInt64BE(BigInt(boxBytes), 8);
  return header;
}

async function fill(file: FileHandle, start: number, end: number, seed: number): Promise<void> {
  const words = new Uint32Array(CHUNK_BYTES / 4);
  const bytes = new Uint8Array(words.buffer);
  // xorshift32; zero is the one state that it never leaves.
  let state = seed >>> 0 || 1;
  for (let offset = start; offset < end; offset += CHUNK_BYTES) {
    for (let index = 0; index < words.length; index += 1) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      words[index] = state;
    }
    await file.write(bytes, 0, Math.min(CHUNK_BYTES, end - offset), offset);
  }
}
