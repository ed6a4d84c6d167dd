import { handlesUsedUp } from '../core/failures/upload-failure.ts';
import { isAbsolute, resolve } from 'node:path';
import { fsPromises, type BigIntStats } from './plain-fs.ts';
import { type Failure, type FailureCode, FailureError } from '../../../shared/domain/failure.ts';
import { policyOf } from '../../../shared/domain/failure-policy.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { rootHung } from './root-failures.ts';
import { troubleOf } from '../core/failures/system-trouble.ts';
import { systemErrorName } from '../system-errors.ts';
import type { Clock } from '../ports.ts';
import { createRootGate, type RootGate } from './root-gate.ts';

/** How long one file operation may take while a person waits, milliseconds. */
const DEADLINE_MS = 5_000;
/**
 * Most gates: while all of them hang, browsing fails. Each holds one thread of the pool, which has a few to spare
 * beyond those of the watched roots.
 */
const MOST_GATES = 3;

/** Access to unwatched folders for a person who browses: one that hangs does not block the others. */
export interface BrowseGate extends Pick<RootGate, 'run'> {
  /** How long one operation may take, milliseconds. */
  readonly deadlineMs: number;
}

/** Makes the gate; its deadlines end when `stopping` is aborted. */
export function createBrowseGate(
  clock: Clock,
  stopping: AbortSignal,
  deadlineMs: number = DEADLINE_MS,
): BrowseGate {
  const gates: RootGate[] = [];

  function freeGate(): RootGate {
    const [first] = gates;
    const free = gates.find((gate) => !gate.isHung());
    if (free !== undefined) return free;
    if (first !== undefined && gates.length === MOST_GATES) return first;
    const gate = createRootGate({ clock, rootPath: '', inFlightLimit: 1, deadlineMs });
    stopping.addEventListener('abort', () => gate.close(), { once: true });
    gates.push(gate);
    return gate;
  }

  return { deadlineMs, run: (operation, signal, onLate) => freeGate().run(operation, signal, onLate) };
}

/** A folder as it was found. */
export interface FoundFolder {
  /** Without links. */
  readonly realPath: string;
  /** Device, inode and size of the folder itself, among others. */
  readonly stats: BigIntStats;
}

/** Finds a folder that a person named. Errors: ROOT_MISSING, ROOT_NOT_FOLDER, ROOT_LINK, and those of `throughGate`. */
export async function findFolder(
  gate: BrowseGate,
  path: string,
  signal: AbortSignal,
): Promise<Result<FoundFolder, Failure>> {
  if (!isAbsolute(path))
    return err(
      refusal(
        'ROOT_NOT_FOLDER',
        path,
        'is not a full path on this system',
        'Enter the full path of the folder.',
      ),
    );
  // Without a trailing slash, which would follow a link
  const place = resolve(path);
  const found = await throughGate(gate, path, signal, async () => {
    const stats = await fsPromises.lstat(place, { bigint: true });
    return { stats, realPath: stats.isDirectory() ? await fsPromises.realpath(place) : place };
  });
  if (!found.ok) return found;
  const { stats } = found.value;
  if (stats.isSymbolicLink())
    return err(
      refusal(
        'ROOT_LINK',
        path,
        'is a link; links are not followed',
        'Choose the folder that the link points to.',
      ),
    );
  return stats.isDirectory() ? found : err(refusal('ROOT_NOT_FOLDER', path, 'is not a folder'));
}

/**
 * Runs file operations on a folder that a person named. Errors: ROOT_MISSING, FOLDER_NO_ACCESS, ROOT_HUNG,
 * ROOT_OFFLINE. Rejects with the signal's reason, and with errors that do not come from the file system.
 */
export async function throughGate<T>(
  gate: BrowseGate,
  path: string,
  signal: AbortSignal,
  operation: () => Promise<T>,
): Promise<Result<T, Failure>> {
  try {
    return ok(await gate.run(operation, signal));
  } catch (error) {
    signal.throwIfAborted();
    const failure = folderFailureOf(error, path, gate.deadlineMs);
    if (failure === undefined) throw error;
    return err(failure);
  }
}

const CHECK_OR_CHOOSE = 'Check the disk or network share, or choose another folder.';

/** The failure that an error means for a folder that a person named; undefined for a bug. */
export function folderFailureOf(error: unknown, path: string, deadlineMs: number): Failure | undefined {
  if (error instanceof FailureError)
    return policyOf(error.failure.code).scope === 'root'
      ? { ...rootHung(path, deadlineMs), advice: CHECK_OR_CHOOSE }
      : error.failure;
  const name = systemErrorName(error);
  if (name === undefined) return undefined;
  const trouble = troubleOf(name);
  if (trouble.whom === 'process') return handlesUsedUp(name);
  if (trouble.what === 'gone') return folderMissing(path);
  if (trouble.what === 'denied')
    return refusal('FOLDER_NO_ACCESS', path, "cannot be read by the agent's account");
  return refusal('ROOT_OFFLINE', path, `cannot be reached (${name})`, CHECK_OR_CHOOSE);
}

/** The failure of a folder that does not exist. */
export function folderMissing(path: string): Failure {
  return refusal('ROOT_MISSING', path, 'does not exist');
}

const refusal = (
  code: FailureCode,
  path: string,
  what: string,
  advice = "Choose an existing folder that the agent's account can read.",
): Failure => ({
  code,
  message: `${visibleName(path)} ${what}.`,
  advice,
  retryable: false,
});
