import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, constants, copyFile, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { verifyUpdateFile, type SignedRelease } from './verify-update.ts';

/** What the system says about this process, as much as is used. */
interface ProcessFacts {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where Electron found the app. */
  readonly resourcesPath: string;
}

/**
 * The AppImage that this program was started from, absolute; undefined when it was none. The variables are inherited: a
 * terminal that is an AppImage itself gives its own to all that is started in it.
 */
export function ownAppImage({ env, resourcesPath }: ProcessFacts): string | undefined {
  const { APPIMAGE: file, APPDIR: mounted } = env;
  if (file === undefined || mounted === undefined || mounted === '') return undefined;
  return resourcesPath.startsWith(join(mounted, '/')) ? file : undefined;
}

/**
 * Puts a checked update in the place of the AppImage, under the name that it has: what points to it (sign-in, a pinned
 * entry) goes on doing so. The updater's own way deletes the program first and moves the new one from another disk
 * after. Rejects with the system's error or why the copy is not taken; what was there before is then still there.
 */
export async function placeAppImage(file: string, release: SignedRelease, program: string): Promise<void> {
  const { mode } = await stat(program);
  const next = join(dirname(program), `.${basename(program).slice(0, 100)}.update`);
  // Of an attempt that a power cut ended
  await rm(next, { force: true });
  try {
    await copyFile(file, next, constants.COPYFILE_EXCL);
    await settle(next, mode);
    const checked = await verifyUpdateFile(next, release, basename(file));
    if (!checked.ok) throw new Error(checked.error);
    await rename(next, program);
  } catch (error) {
    await rm(next, { force: true }).catch(() => undefined);
    throw error;
  }
  await rm(file, { force: true });
}

/** On the disk for good before it gets the name of the program: an empty file there would be no program. */
async function settle(file: string, mode: number): Promise<void> {
  await chmod(file, mode);
  await using handle = await open(file, 'r+');
  await handle.sync();
}

/** What holds other starts off, as much as is used. */
interface Lock {
  releaseSingleInstanceLock(): void;
}

/**
 * Starts the AppImage beside this program, which is about to end. Rejects with the system's error. Electron's own
 * relaunch waits in a process that runs from the mounted image, and that is taken away with this program.
 */
export async function startAppImage(
  program: string,
  lock: Lock,
  args: readonly string[] = [],
): Promise<void> {
  // The new one would else find this one, hand over to it, and end
  lock.releaseSingleInstanceLock();
  // A working folder in the mounted image would keep it mounted
  const started = spawn(program, args, { detached: true, stdio: 'ignore', cwd: '/' });
  await once(started, 'spawn');
  started.unref();
}
