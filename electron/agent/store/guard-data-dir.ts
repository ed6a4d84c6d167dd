import { execFile } from 'node:child_process';
import { chmod, lstat, mkdir, open, readdir, realpath } from 'node:fs/promises';
import { join, dirname } from 'node:path';
import { promisify } from 'node:util';
import { readFileSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { FailureError, type Failure } from '../../../shared/domain/failure.ts';
import type { Logger } from '../ports.ts';
import { quoted, windowsProgram } from '../settings/guarded-path.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** Permission bits of group and others. */
const OTHERS = 0o077;
/** Longest wait for a Windows program, milliseconds. */
const PROGRAM_MS = 10_000;

/** Runs a system program; returns its output. Rejects when it failed. */
export type RunSystem = (program: string, args: readonly string[]) => Promise<string>;

interface Deps {
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly platform?: NodeJS.Platform;
  /** Numeric ID of the account that runs this program; undefined on Windows. */
  readonly userId?: number | undefined;
  readonly run?: RunSystem;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/**
 * Closes the data directory to other accounts before anything in it is opened: 0700 for folders, 0600 for files, on
 * Windows an access control list of this account, the system and its administrators. Missing `files` are created empty
 * and closed, because SQLite would create them readable. Rejects with `FailureError` DATA_FOLDER for a link among the
 * files, which could lead anywhere, and for files of another account; with the system's error otherwise.
 */
export async function guardDataDir(dataDir: string, files: readonly string[], deps: Deps): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: FOLDER_MODE });
  if ((deps.platform ?? process.platform) === 'win32') return closeOnWindows(dataDir, deps);
  const { logger, userId = process.getuid?.() } = deps;
  const closed = await closeFolder(dataDir, userId);
  for (const file of files) await makeClosed(join(dataDir, file));
  if (closed.length > 0)
    logger.warn('Other accounts could access the data directory; their access was removed', {
      dataDir,
      files: closed.length,
      first: closed[0],
    });
}

/** Files that decide what is sent: none of them may be a link, or belong to anybody else. */
const OWN_FILES = /^(?:queue|lock|owner)\.db|^(?:desk|pushed-roots)\.json/;
/** Other files that are written here: a link in their place would overwrite something else. */
const WRITTEN_FILES = /^(?:signed-policy\.json|chain-heads\.txt|key-origins\.json)$/;

/** Returns the paths that were open to others. Files in a subfolder are protected by that folder. */
async function closeFolder(dataDir: string, userId: number | undefined): Promise<readonly string[]> {
  // The directory itself may be a link that its owner made: its target is closed
  const folder = await realpath(dataDir);
  const closed = (await close(folder, userId, true)) ? [folder] : [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const isOurs = OWN_FILES.test(name);
    if (await close(path, userId, isOurs, isOurs || WRITTEN_FILES.test(name))) closed.push(path);
  }
  return closed;
}

async function close(
  path: string,
  userId: number | undefined,
  isOurs: boolean,
  isWritten = isOurs,
): Promise<boolean> {
  const facts = await lstat(path).catch(() => undefined);
  // Gone meanwhile: a temporary file
  if (facts === undefined) return false;
  const isPlain = facts.isFile() || facts.isDirectory();
  if (isWritten && !isPlain)
    throw new FailureError(
      unusable(path, 'is a link or not a regular file', `Check it, then remove it: rm ${quoted(path)}`),
    );
  const isOwned = userId === undefined || facts.uid === userId;
  if (isOurs && !isOwned) throw new FailureError(foreign(path, facts.uid, userId));
  if (!isPlain || !isOwned || (facts.mode & OTHERS) === 0) return false;
  await chmod(path, facts.isDirectory() ? FOLDER_MODE : FILE_MODE);
  return true;
}

async function makeClosed(file: string): Promise<void> {
  try {
    await using handle = await open(file, 'wx', FILE_MODE);
    await handle.chmod(FILE_MODE);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

const unusable = (path: string, what: string, advice: string): Failure => ({
  code: 'DATA_FOLDER',
  message: `The data directory cannot be used: ${path} ${what}.`,
  advice,
  retryable: false,
});

/** Another account's path. As root, a command would take the directory away from the service that uses it. */
const foreign = (path: string, ownerId: number, userId: number): Failure =>
  unusable(
    path,
    'belongs to another account',
    userId === 0
      ? `Run the command as that account: sudo -u '#${ownerId}' vms-export-agent ...`
      : `Check it, then take ownership as root: chown ${userId} ${quoted(path)}`,
  );

/** Why the agent would not start in this directory: DATA_FOLDER_REMOTE or DATA_FOLDER. Changes nothing. */
export function refusalOf(dataDir: string, userId = process.getuid?.()): Failure | undefined {
  const remote = remoteFolder(dataDir);
  const facts = statSync(dataDir, { throwIfNoEntry: false });
  if (remote !== undefined || facts === undefined || userId === undefined) return remote;
  return facts.uid === userId ? undefined : foreign(dataDir, facts.uid, userId);
}

/** SYSTEM and the administrators, by the IDs that are the same in every language. */
const TRUSTED_SIDS = ['*S-1-5-18', '*S-1-5-32-544'];

/** A list that cannot be set is only logged: a folder inside the profile is protected by its inherited one. */
async function closeOnWindows(
  dataDir: string,
  { logger, run = runSystem, environment = process.env }: Deps,
): Promise<void> {
  try {
    const whoami = await run(windowsProgram('whoami.exe', environment), ['/user', '/fo', 'csv', '/nh']);
    const sid = /S-1-[\d-]+/.exec(whoami)?.[0];
    if (sid === undefined) throw new Error('whoami did not name an account');
    const grants = [`*${sid}`, ...TRUSTED_SIDS].flatMap((each) => ['/grant:r', `${each}:(OI)(CI)F`]);
    await run(windowsProgram('icacls.exe', environment), [dataDir, '/inheritance:r', ...grants, '/q']);
  } catch (error) {
    logger.warn(
      'The access control list of the data directory could not be set, so the directory inherits that of its parent folder',
      {
        dataDir,
        error,
      },
    );
  }
}

const runSystem: RunSystem = async (program, args) =>
  (await promisify(execFile)(program, [...args], { timeout: PROGRAM_MS, windowsHide: true })).stdout;

/** Types of network file systems as returned by `statfs` on Linux, from linux/magic.h and the modules themselves. */
const NETWORK_TYPES: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x564c, 'NCP'],
  [0x73757245, 'Coda'],
  [0x786f4256, 'VirtualBox shared folder'],
]);
const FUSE_TYPE = 0x65735546;
/** FUSE file systems that work over the network; any other may well be a local disk. */
const NETWORK_FUSE =
  /^fuse\.(sshfs|rclone|davfs2?|s3fs|gcsfuse|blobfuse2?|curlftpfs|glusterfs|ceph(?:-fuse)?|mfs|smbnetfs|gvfsd-fuse|onedriver|google-drive-ocamlfuse)$/;

/** Folders that a program copies to a cloud, by the names that these programs give them. */
const SYNCED: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['OneDrive', /^OneDrive(?: - .+)?$/i],
  ['Dropbox', /^Dropbox(?: \(.+\))?$/i],
  ['iCloud', /^(?:iCloud ?Drive|com~apple~CloudDocs)$/i],
  ['Google Drive', /^(?:Google ?Drive|GoogleDrive-.+)$/i],
];

/** What is asked of the system; tests of other systems bring their own. */
export interface FolderFacts {
  readonly platform: NodeJS.Platform;
  /** Resolves links; on Windows a drive letter of a share becomes the share's own path. */
  realPath(path: string): string;
  /** The type of the file system, as `statfs` returns it. */
  type(path: string): number;
  /** /proc/self/mountinfo. */
  mounts(): string;
}

const system: FolderFacts = {
  platform: process.platform,
  realPath: (path) => realpathSync.native(path),
  type: (path) => statfsSync(path).type,
  mounts: () => readFileSync('/proc/self/mountinfo', 'utf8'),
};

/**
 * DATA_FOLDER_REMOTE when the data directory is on a share or in a folder that is copied to a cloud: SQLite's log needs
 * memory that processes share, and files that nobody else removes. The folder need not exist yet.
 */
export function remoteFolder(dataDir: string, facts: FolderFacts = system): Failure | undefined {
  const path = nearest(dataDir, facts);
  const where = shareOf(path, facts) ?? syncedBy(dataDir) ?? syncedBy(path);
  if (where === undefined) return undefined;
  return {
    code: 'DATA_FOLDER_REMOTE',
    message: `The data directory ${dataDir} is ${where}, which would eventually damage the queue.`,
    advice:
      'Use a local folder that is not synchronised: start the headless agent with --data-dir FOLDER, or the desktop app with --user-data-dir=FOLDER, which then also holds its settings and keys. To move this directory, stop the agent, then copy all of it there (for the desktop app, to a subfolder named "queue"). Watched folders may stay on shares.',
    retryable: false,
  };
}

/** The real path of the folder, or of the nearest one above it that exists. */
function nearest(folder: string, facts: FolderFacts): string {
  for (let path = folder; ; path = dirname(path)) {
    try {
      return facts.realPath(path);
    } catch {
      if (dirname(path) === path) return folder;
    }
  }
}

function shareOf(path: string, facts: FolderFacts): string | undefined {
  if (facts.platform === 'win32')
    return /^(?:\\\\\?\\UNC\\|\\\\(?![?.]\\))/i.test(path) ? 'on a network share' : undefined;
  if (facts.platform !== 'linux') return undefined;
  try {
    const type = facts.type(path) >>> 0;
    const name = type === FUSE_TYPE ? networkFuse(path, facts.mounts()) : NETWORK_TYPES.get(type);
    return name === undefined ? undefined : `on a network share (${name})`;
  } catch {
    // If it cannot be determined, it is not refused
    return undefined;
  }
}

/** The type of the mount that contains the path, if it is a network file system. */
function networkFuse(path: string, mounts: string): string | undefined {
  const holding = mounts
    .split('\n')
    .map((line) => {
      const [before = '', after = ''] = line.split(' - ');
      const point = (before.split(' ')[4] ?? '').replaceAll(/\\([0-7]{3})/g, (_, digits: string) =>
        String.fromCharCode(Number.parseInt(digits, 8)),
      );
      return { point, type: after.split(' ')[0] ?? '' };
    })
    .filter(({ point }) => point === path || path.startsWith(point === '/' ? point : `${point}/`))
    // Of two mounts at the same place the later one is visible
    .toSorted((a, b) => a.point.length - b.point.length)
    .at(-1);
  return holding !== undefined && NETWORK_FUSE.test(holding.type) ? holding.type : undefined;
}

function syncedBy(path: string): string | undefined {
  const names = path.split(/[\\/]/);
  const found = SYNCED.find(([, pattern]) => names.some((name) => pattern.test(name)));
  return found === undefined ? undefined : `in a folder that ${found[0]} synchronises`;
}
