import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';

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

const quoted = (path: string): string =>
  /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
