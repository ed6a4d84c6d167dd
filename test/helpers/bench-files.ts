import { createHash, randomFillSync, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadDeskId } from '../../electron/agent/store/desk-id.ts';
import { clipIdOf, incidentIdOf, rootIdOf } from '../../electron/agent/core/records/derived-ids.ts';
import { growMp4 } from './grow-mp4.ts';
import type { Source } from './invariants.ts';

/** The content of a file of an export: a number of random bytes, given bytes, or a sample clip grown to a size. */
export type FileSpec = number | Buffer | string | { readonly fixture: string; readonly sizeBytes?: number };

const clips = fileURLToPath(new URL('../fixtures/clips/', import.meta.url));

/**
 * Writes a file of an export; it is written in `staging`, a folder on the same disk, and then moved, so that it appears
 * complete.
 */
export async function writeSpec(staging: string, path: string, spec: FileSpec): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await mkdir(staging, { recursive: true });
  const unseen = join(staging, randomUUID());
  await fill(unseen, spec);
  await rename(unseen, path);
}

async function fill(path: string, spec: FileSpec): Promise<void> {
  if (typeof spec === 'number') await writeFile(path, noise(spec));
  else if (typeof spec === 'string' || Buffer.isBuffer(spec)) await writeFile(path, spec);
  else if (spec.sizeBytes === undefined) await copyFile(join(clips, spec.fixture), path);
  else await growMp4(join(clips, spec.fixture), path, spec.sizeBytes, { seed: spec.sizeBytes });
}

/** Random bytes after a fixed first one, which rules out the signature of a program or container. */
export function noise(length: number): Buffer {
  return randomFillSync(Buffer.alloc(length, 0xff), Math.min(1, length));
}

/** The same bytes each time: of random noise, one file in 240 contains the start code of a video without being one. */
export const sameNoise = (length: number): Buffer =>
  createHash('shake256', { outputLength: length }).update('noise').digest();

/** SHA-256 of a file, hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}

/** Location of a clip of an export. */
export interface ClipPlace {
  readonly dataDir: string;
  readonly root: string;
  /** Name of the export folder. */
  readonly folder: string;
  /** Path of the clip inside it. */
  readonly path: string;
  readonly generation?: number;
}

/** The ids that the agent gives to this export and clip (service.md gaps 11 and 12); it must have started once. */
export async function idsOf({ dataDir, root, folder, path, generation = 1 }: ClipPlace) {
  const desk = await loadDeskId(dataDir);
  const { birthtimeMs } = await stat(join(root, folder), { bigint: true });
  const incidentId = incidentIdOf(desk, rootIdOf(desk, root), folder, Number(birthtimeMs));
  return { incidentId, clipId: clipIdOf(incidentId, path, generation) };
}

/** The clip as a source for `checkInvariants`. */
export async function sourceOf(place: ClipPlace, expected: Source['expected'] = 'uploaded'): Promise<Source> {
  const name = `${place.folder}/${place.path}`;
  const sha256 = await sha256Of(join(place.root, place.folder, place.path));
  return { ...(await idsOf(place)), name, sha256, expected };
}
