import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Only the account that runs the app may read and write what it keeps for itself. */
export const PRIVATE_MODE = 0o600;

/**
 * Writes a file so that whoever reads it, after a power cut too, finds what was there before or all of the new content.
 * Rejects with the system's error, and then nothing was changed. `mode` is given to the file; default: the system's.
 */
export async function writeFileWhole(
  file: string,
  content: string | Uint8Array,
  mode?: number,
): Promise<void> {
  const temporary = join(dirname(file), `.${basename(file).slice(0, 100)}.${randomUUID()}`);
  try {
    await writeDurably(temporary, content, mode);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function writeDurably(
  file: string,
  content: string | Uint8Array,
  mode: number | undefined,
): Promise<void> {
  await using handle = await open(file, 'wx', mode);
  // What is masked when a file is made is given here
  if (mode !== undefined) await handle.chmod(mode);
  await handle.writeFile(content);
  await handle.sync();
}
