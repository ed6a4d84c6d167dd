import { randomUUID } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Bits of a mode that say who may do what. */
const RIGHTS = 0o777;

/**
 * Gives an existing file another content: whoever reads it, after a power cut too, finds the old one or the new one.
 * A link stays a link; the rights stay. Rejects with the system's error, and then nothing was changed.
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  const target = await realpath(file);
  const rights = (await stat(target)).mode & RIGHTS;
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}`);
  try {
    await writeDurably(temporary, text, rights);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  // Without it the new name may be lost in a power cut, which is the old content: not every system can do it
  await syncFolder(dirname(target)).catch(() => undefined);
}

async function writeDurably(file: string, text: string, rights: number): Promise<void> {
  await using handle = await open(file, 'wx', rights);
  // What is masked when a file is made is given here
  await handle.chmod(rights);
  await handle.writeFile(text);
  await handle.sync();
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}
