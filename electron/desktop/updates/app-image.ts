import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, constants, copyFile, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { verifyUpdateFile, type SignedRelease } from './verify-update.ts';

/** The facts about this process that are used. */
interface ProcessFacts {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where Electron found the app. */
  readonly resourcesPath: string;
}

/**
 * The AppImage that this program was started from, absolute; undefined if it was not. The variables alone prove
 * nothing, since they are inherited: a terminal that is an AppImage itself passes its own on to everything started in
 * it.
 */
export function ownAppImage({ env, resourcesPath }: ProcessFacts): string | undefined {
  const { APPIMAGE: file, APPDIR: mounted } = env;
  if (file === undefined || mounted === undefined || mounted === '') return undefined;
  return resourcesPath.startsWith(join(mounted, '/')) ? file : undefined;
}

/**
 * Replaces the AppImage with a verified update under the same name, so that whatever points to it (sign-in, a pinned
 * entry) keeps working. The updater's own way deletes the program first and then moves the new one from another disk.
 * Rejects with the system's error or with the reason why the copy was refused; the old file is then still there.
 */
export async function placeAppImage(file: string, release: SignedRelease, program: string): Promise<void> {
  const { mode } = await stat(program);
  const next = join(dirname(program), `.${basename(program).slice(0, 100)}.update`);
  // Left over from an attempt that a power cut ended
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

/** Syncs the file to disk before it gets the program's name: an empty file there would not start. */
async function settle(file: string, mode: number): Promise<void> {
  await chmod(file, mode);
  await using handle = await open(file, 'r+');
  await handle.sync();
}

/** The single-instance lock, as far as it is used. */
interface Lock {
  releaseSingleInstanceLock(): void;
}

/**
 * Starts the AppImage while this program is about to end. Rejects with the system's error. Electron's own relaunch
 * waits in a process that runs from the mounted image, which is unmounted with this program.
 */
export async function startAppImage(
  program: string,
  lock: Lock,
  args: readonly string[] = [],
): Promise<void> {
  // Otherwise the new program would find this one, pass its request on and exit
  lock.releaseSingleInstanceLock();
  // A working folder in the mounted image would keep it mounted
  const started = spawn(program, args, { detached: true, stdio: 'ignore', cwd: '/' });
  await once(started, 'spawn');
  started.unref();
}
