import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fsPromises } from '../files/plain-fs.ts';
import type { FileVersion } from '../core/settle/file-seen.ts';
import { versionOf } from '../files/opened-file.ts';

/** Thumbnails show what the clips show, so only the account that runs this program has access. */
const FILE_RIGHTS = 0o600;
const FOLDER_RIGHTS = 0o700;

/** A thumbnail on the disk of this desk. */
export interface ThumbnailFile {
  /** Its name in the folder. */
  readonly path: string;
  readonly version: FileVersion;
  readonly sha256: string;
}

/** The folder of generated thumbnails: in the data directory, never next to the evidence. */
export interface ThumbnailFiles {
  readonly folder: string;
  /**
   * Stores the thumbnail of a clip, replacing any other; a power cut leaves one of them intact. Rejects with the
   * system's error.
   */
  write(clipId: string, jpeg: Uint8Array): Promise<ThumbnailFile>;
  /** Removes the thumbnail of a clip. If that fails, it stays, and the next one overwrites it. */
  remove(clipId: string): Promise<void>;
}

/** The folder `thumbnails` in a data directory. */
export function createThumbnailFiles(dataDir: string): ThumbnailFiles {
  const folder = join(dataDir, 'thumbnails');
  const nameOf = (clipId: string): string => `${clipId}.jpg`;
  return {
    folder,
    async write(clipId, jpeg) {
      await fsPromises.mkdir(folder, { recursive: true, mode: FOLDER_RIGHTS });
      const path = nameOf(clipId);
      const file = join(folder, path);
      // Always the same name, so that the next one overwrites what a kill leaves behind
      const temporary = `${file}.part`;
      await fsPromises.rm(temporary, { force: true });
      await writeDurably(temporary, jpeg);
      await fsPromises.rename(temporary, file);
      const sha256 = createHash('sha256').update(jpeg).digest('hex');
      return { path, version: versionOf(await fsPromises.lstat(file, { bigint: true })), sha256 };
    },
    async remove(clipId) {
      await fsPromises.rm(join(folder, nameOf(clipId)), { force: true }).catch(() => undefined);
    },
  };
}

async function writeDurably(file: string, bytes: Uint8Array): Promise<void> {
  await using handle = await fsPromises.open(file, 'wx', FILE_RIGHTS);
  await handle.writeFile(bytes);
  await handle.sync();
}
