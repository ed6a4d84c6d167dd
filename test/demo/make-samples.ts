import { chmod, copyFile, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { growMp4 } from '../helpers/grow-mp4.ts';
import { samplePath, type SampleBystander, type SampleClip, type SampleExport } from './sample-types.ts';
import { sha256OfFile } from './sha256.ts';
import type { Workspace } from './workspace.ts';

/** A file as it was made: storage must have exactly this in the end. */
export interface Source {
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** A clip that is written while the agent runs; `whole` is a file that has all of it. */
export interface SlowClip {
  readonly name: string;
  readonly pausing: boolean;
  readonly whole: string;
  readonly target: string;
}

/** The files that were made, by the names of `samplePath`. */
export interface MadeSamples {
  readonly sources: ReadonlyMap<string, Source>;
  readonly slow: readonly SlowClip[];
  /** Absolute paths of clips that may not be read yet, by name. */
  readonly lockedAway: ReadonlyMap<string, string>;
}

interface Making {
  readonly workspace: Workspace;
  readonly sources: Map<string, Source>;
  readonly slow: SlowClip[];
  readonly lockedAway: Map<string, string>;
}

/** Appended bytes, which players skip, make each clip different, so that a mix-up is noticed. */
const LEAST_EXTRA_BYTES = 64;
const fixtures = fileURLToPath(new URL('../fixtures/clips/', import.meta.url));

/** Writes all export folders, except for slowly written clips. */
export async function makeSamples(
  workspace: Workspace,
  samples: readonly SampleExport[],
): Promise<MadeSamples> {
  const making: Making = { workspace, sources: new Map(), slow: [], lockedAway: new Map() };
  for (const sample of samples) await makeExport(making, sample);
  return making;
}

async function makeExport(making: Making, sample: SampleExport): Promise<void> {
  const { folder, clips, bystanders = [] } = sample;
  await mkdir(join(making.workspace.exports, folder));
  for (const clip of clips) await makeClip(making, folder, clip);
  for (const { image } of clips) {
    if (image === undefined) continue;
    const path = await placeFor(making, folder, image.file);
    await writeImage(join(fixtures, image.fixture), path, samplePath(folder, image.file));
    await note(making, samplePath(folder, image.file), path);
  }
  for (const bystander of bystanders) await makeBystander(making, folder, bystander);
  await writeSidecar(making, sample);
}

async function makeClip(making: Making, folder: string, clip: SampleClip): Promise<void> {
  const name = samplePath(folder, clip.file);
  const target = await placeFor(making, folder, clip.file);
  const isSlow = clip.making.kind === 'written-slowly';
  const number = making.sources.size + 1;
  const path = isSlow ? join(making.workspace.backstage, `${number}.mp4`) : target;
  await writeClip(clip, path, number);
  await note(making, name, path);
  if (isSlow) making.slow.push({ name, pausing: clip.making.pausing, whole: path, target });
  if (clip.making.kind !== 'locked-away') return;
  await chmod(target, 0);
  making.lockedAway.set(name, target);
}

async function writeClip({ fixture, making }: SampleClip, path: string, seed: number): Promise<void> {
  const original = join(fixtures, fixture);
  if (fixture.endsWith('.mkv')) return copyFile(original, path);
  if (making.kind === 'grown') {
    return growMp4(original, path, making.sizeBytes, making.filling === 'noise' ? { seed } : {});
  }
  const { size } = await stat(original);
  return growMp4(original, path, size + LEAST_EXTRA_BYTES + seed, { seed });
}

/** Copies a JPEG, adding a comment after its first marker, so that no two are the same. */
async function writeImage(original: string, path: string, comment: string): Promise<void> {
  const jpeg = await readFile(original);
  const text = Buffer.from(comment);
  const marker = Buffer.from([0xff, 0xfe, 0, 0]);
  marker.writeUInt16BE(text.length + 2, 2);
  await writeFile(path, Buffer.concat([jpeg.subarray(0, 2), marker, text, jpeg.subarray(2)]));
}

async function makeBystander(making: Making, folder: string, { file, kind }: SampleBystander): Promise<void> {
  const path = await placeFor(making, folder, file);
  const clip = join(fixtures, 'concourse.mkv');
  switch (kind) {
    case 'temporary':
      // Half a clip, under the name that a copying program would use.
      return writeFile(path, (await readFile(clip)).subarray(0, 100_000));
    case 'link': {
      const elsewhere = join(making.workspace.backstage, 'not-exported.mkv');
      await copyFile(clip, elsewhere);
      return symlink(elsewhere, path);
    }
    case 'program':
      return writeFile(path, 'MZ: stands for the player that the system copied along\n');
  }
}

async function writeSidecar({ workspace, sources }: Making, sample: SampleExport): Promise<void> {
  const { folder, sidecar } = sample;
  if (sidecar === undefined) return;
  const videos = sidecar.videos.map((video) => ({
    ...video,
    sha256: sources.get(samplePath(folder, video.file))?.sha256,
  }));
  const text = JSON.stringify({ ...sidecar, videos }, undefined, 2);
  await writeFile(join(workspace.exports, folder, 'incident.json'), `${text}\n`);
}

/** Returns the absolute path of a file of an export, after creating its parent folders. */
async function placeFor({ workspace }: Making, folder: string, file: string): Promise<string> {
  const path = join(workspace.exports, folder, file);
  await mkdir(dirname(path), { recursive: true });
  return path;
}

async function note({ sources }: Making, name: string, path: string): Promise<void> {
  sources.set(name, { sizeBytes: (await stat(path)).size, sha256: await sha256OfFile(path) });
}
