import { closeSync, fsyncSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { growMp4 } from '../helpers/grow-mp4.ts';
import { MIB } from './figures.ts';

const sampleClip = fileURLToPath(new URL('../fixtures/clips/gate-4-north.mp4', import.meta.url));
/** A transport stream consists of packets of this many bytes that begin with 0x47. */
const TS_PACKET_BYTES = 188;
const TS_SYNC = 0x47;

/** A playable clip of this size whose bytes differ everywhere and depend on `seed`, on disk and in the page cache. */
export async function makeLargeClip(path: string, sizeMib: number, seed = sizeMib): Promise<void> {
  await growMp4(sampleClip, path, sizeMib * MIB, { seed });
  const handle = openSync(path, 'r');
  // Otherwise the disk is still being written to while the first side is measured
  fsyncSync(handle);
  closeSync(handle);
  for await (const _chunk of createReadStream(path, { highWaterMark: 4 * MIB }));
}

/** A tree of small clips: `folders` exports with the same number of clips in each. Returns their paths. */
export function makeSmallClips(
  root: string,
  folders: number,
  files: number,
  sizeBytes: number,
): readonly string[] {
  const bytes = transportStream(sizeBytes);
  const paths: string[] = [];
  for (let folder = 1; folder <= folders; folder += 1) {
    const exportPath = join(root, folderName(folder));
    mkdirSync(exportPath, { recursive: true });
    for (let file = 1; file <= files / folders; file += 1) {
      bytes.writeUInt32BE(folder * files + file, 4);
      const path = join(exportPath, clipName(file));
      writeFileSync(path, bytes);
      paths.push(path);
    }
  }
  return paths;
}

export const folderName = (folder: number): string => `incident-${String(folder).padStart(4, '0')}`;
export const clipName = (file: number): string => `camera-${String(file).padStart(3, '0')}.ts`;

/** Padding packets: a container that takes almost no time to parse. */
function transportStream(sizeBytes: number): Buffer {
  const bytes = Buffer.alloc(sizeBytes, 0xff);
  for (let at = 0; at + 4 <= sizeBytes; at += TS_PACKET_BYTES) bytes.set([TS_SYNC, 0x1f, 0xff, 0x10], at);
  return bytes;
}
