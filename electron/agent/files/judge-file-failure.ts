import { fsPromises } from './plain-fs.ts';
import { handlesUsedUp } from '../core/failures/upload-failure.ts';
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import { agentPolicyOf } from '../core/failures/failure-policy.ts';
import { inRoot } from './file-failures.ts';
import { rootFailureOf, rootNotFolder, rootOffline } from './root-failures.ts';
import type { RootGate } from './root-gate.ts';
import { troubleOf } from '../core/failures/system-trouble.ts';
import { systemErrorName } from '../system-errors.ts';

/** Pause before retrying a file that cannot be read while others in its root can, milliseconds: a bad sector. */
const ALONE_RETRY_MS = 4 * 60_000;

/** How long that must have lasted, milliseconds: reads from before a share went away are still reported afterwards. */
const ALONE_AFTER_MS = 2 * 60_000;

/** A file for which an operation failed. */
export interface FailedFile {
  readonly rootPath: string;
  /** Absolute path. */
  readonly path: string;
  /** The watch saw that its export folder was removed while the root was available. */
  readonly isFolderGone: boolean;
}

/**
 * A file's failure, or that of its root. A missing or unreadable file in a root that cannot be listed is the root's
 * failure. If the root can be listed, an unreadable file waits alone, longer when others are read meanwhile. Rejects as
 * the gate does.
 */
export async function judgeFileFailure(
  gate: RootGate,
  { rootPath, path, isFolderGone }: FailedFile,
  failure: Failure,
  signal?: AbortSignal,
): Promise<Failure> {
  const { file } = agentPolicyOf(failure.code);
  if (file === 'gone' && isFolderGone) return failure;
  if (file !== 'gone' && file !== 'unreadable') return failure;
  const standing = await findRootStanding(gate, rootPath, signal);
  if (standing.failure !== undefined) {
    gate.reportProblem();
    return standing.failure;
  }
  if (file === 'gone') {
    // An empty folder may be the mount point of a share that is gone, so it proves nothing
    if (!standing.isEmpty) return failure;
    gate.reportProblem();
    return rootOffline(rootPath, 'the folder is empty');
  }
  gate.noteUnreadable(path);
  const named = inRoot(failure, rootPath);
  return gate.aloneForMs(path) >= ALONE_AFTER_MS ? { ...named, retryAfterMs: ALONE_RETRY_MS } : named;
}

/** The failure of the root itself, or undefined when it can be listed. Rejects with the signal's reason. */
export async function findRootFailure(
  gate: Pick<RootGate, 'run'>,
  rootPath: string,
  signal?: AbortSignal,
): Promise<Failure | undefined> {
  return (await findRootStanding(gate, rootPath, signal)).failure;
}

/**
 * The failure of the root behind an error of something in it, or undefined when the error is about that entry alone.
 * Rejects with errors that do not come from the file system, and with the signal's reason.
 */
export async function findRootFailureBehind(
  error: unknown,
  gate: Pick<RootGate, 'run'>,
  rootPath: string,
  signal?: AbortSignal,
): Promise<Failure | undefined> {
  signal?.throwIfAborted();
  if (error instanceof FailureError) return error.failure;
  const name = systemErrorName(error);
  if (name === undefined) throw error;
  const trouble = troubleOf(name);
  if (trouble.whom === 'process') return handlesUsedUp(name);
  // A root that refuses or locks one entry has answered, so it is there
  const isAnswer = trouble.whom === 'entry' || trouble.what === 'denied' || trouble.what === 'busy';
  return isAnswer ? undefined : findRootFailure(gate, rootPath, signal);
}

interface RootStanding {
  readonly failure?: Failure;
  readonly isEmpty: boolean;
}

async function findRootStanding(
  gate: Pick<RootGate, 'run'>,
  rootPath: string,
  signal?: AbortSignal,
): Promise<RootStanding> {
  try {
    const isEmpty = await gate.run(() => listBriefly(rootPath), signal);
    return isEmpty === undefined ? { failure: rootNotFolder(rootPath), isEmpty: false } : { isEmpty };
  } catch (error) {
    signal?.throwIfAborted();
    const failure = rootFailureOf(error, rootPath);
    if (failure === undefined) throw error;
    return { failure, isEmpty: false };
  }
}

/** Whether the folder is empty; undefined when it is not a folder. */
async function listBriefly(path: string): Promise<boolean | undefined> {
  if (!(await fsPromises.lstat(path)).isDirectory()) return undefined;
  const folder = await fsPromises.opendir(path, { bufferSize: 1 });
  try {
    return (await folder.read()) === null;
  } finally {
    await folder.close();
  }
}
