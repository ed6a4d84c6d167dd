import { mkdir, readdir, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PICTURE_TIME, type PictureDesk } from './picture-desk.ts';
import { sampleClip, samplePicture } from './sample-clips.ts';

/** How long before the desk sees them files were written. */
const WRITTEN_BEFORE_MS = 600_000;

type Files = Readonly<Record<string, Buffer>>;

/** Largest clip that the service accepts while these exports arrive, megabytes: one clip is larger. */
export const MOST_UPLOAD_MB = 1;

/** Exports that are finished in a moment: some sent, one with a clip that is too large, and one with a hostile name. */
export async function settledExports(): Promise<Readonly<Record<string, Files>>> {
  const clip = await sampleClip();
  return {
    '2026-05-02_1731 Flare at gate 4': {
      'Gate 4 North_20260502_173105.mp4': clip,
      'Gate 4 North_20260502_173105.jpg': await samplePicture(),
      'Gate 4 South_20260502_173107.mp4': await sampleClip(40_000),
    },
    '2026-05-02_1748 Forced door, Kiosk 9': {
      'Kiosk 9_20260502_174812.mp4': await sampleClip(120_000),
      'Corridor B_20260502_174820.mp4': await sampleClip(90_000),
    },
    '2026-05-02_1802 Car park collision': {
      'Car park east_20260502_180240.mp4': await sampleClip(1_400_000),
      'Car park west_20260502_180241.mp4': await sampleClip(60_000),
    },
    '2026-05-02_1815 <script>alert(1)<\u2044script> & "quotes"': {
      'Turnstile 7\u202e4pm.<img src=x onerror=alert(1)>.mp4': await sampleClip(20_000),
    },
  };
}

/** Exports that are still being uploaded in the screenshot: one progresses, the others wait their turn. */
export async function openExports(movingBytes: number): Promise<Readonly<Record<string, Files>>> {
  return {
    '2026-05-02_1833 Crowding on the concourse': {
      'Concourse_20260502_183330.mp4': await sampleClip(movingBytes),
    },
    '2026-05-02_1838 Pitch invasion': {
      'Stand 112_20260502_183802.mp4': await sampleClip(12_000_000),
      'Stand 113_20260502_183803.mp4': await sampleClip(9_000_000),
    },
  };
}

/** Moves a complete export into the watched folder, dated before the evening's time. */
export async function addExport({ root, workshop }: PictureDesk, name: string, files: Files): Promise<void> {
  const folder = join(workshop, name);
  await mkdir(folder);
  for (const [file, bytes] of Object.entries(files)) await writeFile(join(folder, file), bytes);
  const writtenAt = (Date.parse(PICTURE_TIME) - WRITTEN_BEFORE_MS) / 1000;
  for (const file of await readdir(folder)) await utimes(join(folder, file), writtenAt, writtenAt);
  await utimes(folder, writtenAt, writtenAt);
  await rename(folder, join(root, name));
}
