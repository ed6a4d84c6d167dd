import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { dirname, resolve, basename, join, win32 } from 'node:path';
import { randomUUID } from 'node:crypto';
import { mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises';

/** Write bits of group and others. */
const OTHERS_WRITE = 0o022;
/** In a folder with this bit, nobody can rename or delete what belongs to another account. */
const STICKY = 0o1000;
const ROOT_ID = 0;

/** Why another account could control the content of a file. */
export interface Intruder {
  /** The unprotected file or parent folder. */
  readonly path: string;
  /** The problem: "belongs to another account", "can be changed by other accounts (mode 0777)". */
  readonly fault: string;
  /** The command that fixes it. */
  readonly command: string;
}

/** The owner and mode of one element of a file's path. */
export interface PathFacts {
  readonly path: string;
  readonly ownerId: number;
  readonly mode: number;
  readonly kind: 'file' | 'folder' | 'link';
}

/** The account that runs this program; undefined on Windows, which has no modes: ACLs protect the folders there. */
const ownUserId = (): number | undefined => process.getuid?.();

/**
 * Finds the first element of the path to `file` that an account other than `userId` and root owns or can change:
 * whoever can change a folder can replace the file. Links are followed, and their own folders checked too. Undefined:
 * there is none. Throws the system's error. Synchronous, since it runs on each read of the key and takes microseconds.
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

/** The problem with one element of a path; undefined: none. */
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

/** A path quoted for a shell. */
export const quoted = (path: string): string =>
  /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;

/** The full path of a Windows program: a bare name would first be searched in the working directory. */
export function windowsProgram(
  name: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const root = environment['SystemRoot'];
  return win32.join(root !== undefined && win32.isAbsolute(root) ? root : 'C:\\Windows', 'System32', name);
}

/** Permission bits of a mode. */
const RIGHTS = 0o777;
/** Mode of new files: only the account that runs this program has access. */
export const OWNER_ONLY = 0o600;
const NEW_FOLDER_RIGHTS = 0o700;

/**
 * Replaces a file's content atomically: readers find the old or the new content, even after a power cut. A link stays a
 * link; permissions are kept unless given. A missing file is created, with its folder unless `needsFolder` is set. If
 * root works in a service's data directory, a file keeps its owner and group, and a new one gets the folder's. Rejects
 * with the system's error; nothing has changed then.
 */
export async function replaceFile(
  file: string,
  text: string,
  given: { readonly rights?: number; readonly needsFolder?: boolean } = {},
): Promise<void> {
  const { target, rights, owner } = await findTarget(file, given.needsFolder === true);
  // Shortened: a name of maximum length has no room for a suffix
  const temporary = join(dirname(target), `.${basename(target).slice(0, 100)}.${randomUUID()}`);
  try {
    await writeDurably(temporary, text, { rights: given.rights ?? rights, owner });
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  // Otherwise a power cut may restore the old content; not every system supports this
  await syncFolder(dirname(target)).catch(() => undefined);
}

/** The file that replaces another one. */
interface NewFile {
  readonly rights: number;
  /** Only root can change a file's owner. */
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
  // The umask does not apply to this
  await handle.chmod(rights);
  await handle.writeFile(text);
  await handle.sync();
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}
