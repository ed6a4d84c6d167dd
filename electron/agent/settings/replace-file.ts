import { randomUUID } from 'node:crypto';
import { mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Bits of a mode that say who may do what. */
const RIGHTS = 0o777;
/** A new file is for the account that runs this program. */
export const OWNER_ONLY = 0o600;
const NEW_FOLDER_RIGHTS = 0o700;

/**
 * Gives a file another content: whoever reads it, after a power cut too, finds the old one or the new one. A link stays
 * a link; the rights stay, unless they are given. A file that does not exist is made, with its folder unless that must be
 * there already. Rejects with the system's error, and then nothing was changed.
 */
export async function replaceFile(
  file: string,
  text: string,
  given: { readonly rights?: number; readonly needsFolder?: boolean } = {},
): Promise<void> {
  const { target, rights } = await findTarget(file, given.needsFolder === true);
  // Shortened: the longest name that a file system takes has no room for more
  const temporary = join(dirname(target), `.${basename(target).slice(0, 100)}.${randomUUID()}`);
  try {
    await writeDurably(temporary, text, given.rights ?? rights);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  // Without it the new name may be lost in a power cut, which is the old content: not every system can do it
  await syncFolder(dirname(target)).catch(() => undefined);
}

async function findTarget(
  file: string,
  needsFolder: boolean,
): Promise<{ readonly target: string; readonly rights: number }> {
  try {
    const target = await realpath(file);
    return { target, rights: (await stat(target)).mode & RIGHTS };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    if (!needsFolder) await mkdir(dirname(file), { recursive: true, mode: NEW_FOLDER_RIGHTS });
    return { target: file, rights: OWNER_ONLY };
  }
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
