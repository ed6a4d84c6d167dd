import { execFile } from 'node:child_process';
import { chmod, lstat, mkdir, open, readdir, realpath } from 'node:fs/promises';
import { join, win32 } from 'node:path';
import { promisify } from 'node:util';
import { FailureError } from '../../../shared/domain/failure.ts';
import type { Logger } from '../ports.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** Bits of group and others. */
const OTHERS = 0o077;
/** Longest wait for a program of Windows, milliseconds. */
const PROGRAM_MS = 10_000;

/** Runs a program of the system; answers what it printed. Rejects when it failed. */
export type RunSystem = (program: string, args: readonly string[]) => Promise<string>;

interface Deps {
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly platform?: NodeJS.Platform;
  /** Numeric id of the account that runs this program; undefined on Windows. */
  readonly userId?: number | undefined;
  readonly run?: RunSystem;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/**
 * Closes the data directory to other accounts before anything in it is opened: 0700 for folders, 0600 for files, on
 * Windows an access list of this account, the system and its administrators. `files` are made empty and closed where they
 * are missing, because SQLite would make them readable. Rejects with `FailureError` DATA_FOLDER for a link among the files,
 * which could lead anywhere, and for what belongs to another account; with the system's error otherwise.
 */
export async function guardDataDir(dataDir: string, files: readonly string[], deps: Deps): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: FOLDER_MODE });
  if ((deps.platform ?? process.platform) === 'win32') return closeOnWindows(dataDir, deps);
  const { logger, userId = process.getuid?.() } = deps;
  const closed = await closeFolder(dataDir, userId);
  for (const file of files) await makeClosed(join(dataDir, file));
  if (closed.length > 0)
    logger.warn('The data directory was open to other accounts and was closed to them', {
      dataDir,
      files: closed.length,
      first: closed[0],
    });
}

/** Files that decide what is sent: none of them may be a link, or anybody else's. */
const OWN_FILES = /^(?:queue|lock|owner)\.db|^(?:desk|pushed-roots)\.json/;

/** Answers what was open. What lies in a folder below is closed by that folder. */
async function closeFolder(dataDir: string, userId: number | undefined): Promise<readonly string[]> {
  // The directory itself may be a link that its owner made: what it leads to is closed
  const folder = await realpath(dataDir);
  const closed = (await close(folder, userId, true)) ? [folder] : [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (await close(path, userId, OWN_FILES.test(name))) closed.push(path);
  }
  return closed;
}

async function close(path: string, userId: number | undefined, isOurs: boolean): Promise<boolean> {
  const facts = await lstat(path).catch(() => undefined);
  // Gone meanwhile: a temporary file
  if (facts === undefined) return false;
  const isPlain = facts.isFile() || facts.isDirectory();
  const isOwned = userId === undefined || facts.uid === userId;
  if (isOurs && !isPlain)
    throw refused(path, 'is a link or no file', `Look at it, and remove it: rm '${path}'`);
  if (isOurs && !isOwned)
    throw refused(
      path,
      'belongs to another account',
      `Look at it, and take it over: chown ${userId} '${path}'`,
    );
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

function refused(path: string, what: string, advice: string): FailureError {
  return new FailureError({
    code: 'DATA_FOLDER',
    message: `${path}, in the data directory, ${what}.`,
    advice,
    retryable: false,
  });
}

/** SYSTEM and the administrators, by the ids that are the same in every language. */
const TRUSTED_SIDS = ['*S-1-5-18', '*S-1-5-32-544'];

/** A list that cannot be set is said: a folder below the profile is closed by what it inherits. */
async function closeOnWindows(
  dataDir: string,
  { logger, run = runSystem, environment = process.env }: Deps,
): Promise<void> {
  const system = join32(environment['SystemRoot']);
  try {
    const whoami = await run(win32.join(system, 'whoami.exe'), ['/user', '/fo', 'csv', '/nh']);
    const sid = /S-1-[\d-]+/.exec(whoami)?.[0];
    if (sid === undefined) throw new Error('whoami names no account');
    const grants = [`*${sid}`, ...TRUSTED_SIDS].flatMap((each) => ['/grant:r', `${each}:(OI)(CI)F`]);
    await run(win32.join(system, 'icacls.exe'), [dataDir, '/inheritance:r', ...grants, '/q']);
  } catch (error) {
    logger.warn('The access list of the data directory could not be set; it inherits that of its folder', {
      dataDir,
      error,
    });
  }
}

const join32 = (root: string | undefined): string =>
  win32.join(root !== undefined && win32.isAbsolute(root) ? root : 'C:\\Windows', 'System32');

const runSystem: RunSystem = async (program, args) =>
  (await promisify(execFile)(program, [...args], { timeout: PROGRAM_MS, windowsHide: true })).stdout;
