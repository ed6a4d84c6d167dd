import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { dirname, resolve, basename, join, win32 } from 'node:path';
import { randomUUID } from 'node:crypto';
import { mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises';

/** Bits of group and others that allow writing. */
const OTHERS_WRITE = 0o022;
/** In a folder with this bit nobody can rename or delete what belongs to another account. */
const STICKY = 0o1000;
const ROOT_ID = 0;

/** Why another account could decide what a file says. */
export interface Intruder {
  /** The file, or the folder above it, that is open. */
  readonly path: string;
  /** What is said about it: "belongs to another account", "can be changed by other accounts (mode 0777)". */
  readonly fault: string;
  /** The command that mends it. */
  readonly command: string;
}

/** The owner and mode of something on the way to a file. */
export interface PathFacts {
  readonly path: string;
  readonly ownerId: number;
  readonly mode: number;
  readonly kind: 'file' | 'folder' | 'link';
}

/** The account that runs this program; undefined on Windows, which has no modes: ACLs guard the folders there. */
const ownUserId = (): number | undefined => process.getuid?.();

/**
 * The first thing on the way to `file` that another account than `userId` and root owns or can change: whoever can
 * change a folder can put another file there. Links are followed, and their own folders looked at too. Undefined:
 * nothing. Throws the system's error. Synchronous, since it is asked with each reading of the key and takes microseconds.
 */
export function findIntruder(file: string, userId = ownUserId()): Intruder | undefined {
  if (userId === undefined) return undefined;
  const named = resolve(file);
  for (const path of new Set([...upwards(named), ...upwards(realpathSync.native(named))])) {
    const found = judgePath(factsOf(path, lstatSync(path)), userId);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What is wrong with one thing on the way; undefined: nothing. */
export function judgePath({ path, ownerId, mode, kind }: PathFacts, userId: number): Intruder | undefined {
  if (ownerId !== userId && ownerId !== ROOT_ID)
    return { path, fault: 'belongs to another account', command: `chown ${userId} ${quoted(path)}` };
  if (kind === 'link' || (mode & OTHERS_WRITE) === 0) return undefined;
  if (kind === 'folder' && (mode & STICKY) !== 0) return undefined;
  const digits = (mode & 0o7777).toString(8).padStart(4, '0');
  return {
    path,
    fault: `can be changed by other accounts (mode ${digits})`,
    command: `chmod go-w ${quoted(path)}`,
  };
}

function factsOf(path: string, facts: Stats): PathFacts {
  const folderOrFile = facts.isDirectory() ? 'folder' : 'file';
  const kind = facts.isSymbolicLink() ? 'link' : folderOrFile;
  return { path, ownerId: facts.uid, mode: facts.mode, kind };
}

/** The path and every folder above it, the path first. */
function upwards(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...upwards(parent)];
}

/** A path as a shell takes it. */
export const quoted = (path: string): string =>
  /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;

/** The full path of a Windows program: a bare name would be looked for in the working folder first. */
export function windowsProgram(
  name: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const root = environment['SystemRoot'];
  return win32.join(root !== undefined && win32.isAbsolute(root) ? root : 'C:\\Windows', 'System32', name);
}

/** Bits of a mode that say who may do what. */
const RIGHTS = 0o777;
/** A new file is for the account that runs this program. */
export const OWNER_ONLY = 0o600;
const NEW_FOLDER_RIGHTS = 0o700;

/**
 * Gives a file another content: whoever reads it, after a power cut too, finds the old one or the new one. A link stays
 * a link; the rights stay, unless they are given. A file that does not exist is made, with its folder unless that must be
 * there already. Root also works in a service's data directory: a file keeps its owner and group, and a new one gets the
 * folder's. Rejects with the system's error, and then nothing was changed.
 */
export async function replaceFile(
  file: string,
  text: string,
  given: { readonly rights?: number; readonly needsFolder?: boolean } = {},
): Promise<void> {
  const { target, rights, owner } = await findTarget(file, given.needsFolder === true);
  // Shortened: the longest name that a file system takes has no room for more
  const temporary = join(dirname(target), `.${basename(target).slice(0, 100)}.${randomUUID()}`);
  try {
    await writeDurably(temporary, text, { rights: given.rights ?? rights, owner });
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  // Without it the new name may be lost in a power cut, which is the old content: not every system can do it
  await syncFolder(dirname(target)).catch(() => undefined);
}

/** The file that replaces another one. */
interface NewFile {
  readonly rights: number;
  /** Only root can give a file away. */
  readonly owner: Pick<Stats, 'uid' | 'gid'>;
}

async function findTarget(
  file: string,
  needsFolder: boolean,
): Promise<NewFile & { readonly target: string }> {
  try {
    const target = await realpath(file);
    const owner = await stat(target);
    return { target, rights: owner.mode & RIGHTS, owner };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    const folder = dirname(file);
    if (!needsFolder) await mkdir(folder, { recursive: true, mode: NEW_FOLDER_RIGHTS });
    return { target: file, rights: OWNER_ONLY, owner: await stat(folder) };
  }
}

async function writeDurably(file: string, text: string, { rights, owner }: NewFile): Promise<void> {
  await using handle = await open(file, 'wx', rights);
  if (ownUserId() === ROOT_ID) await handle.chown(owner.uid, owner.gid);
  // What is masked when a file is made is given here
  await handle.chmod(rights);
  await handle.writeFile(text);
  await handle.sync();
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}
