import { fsPromises } from './plain-fs.ts';
import { handlesUsedUp } from '../core/failures/upload-failure.ts';
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import { agentPolicyOf } from '../core/failures/failure-policy.ts';
import { inRoot } from './file-failures.ts';
import { rootFailureOf, rootNotFolder, rootOffline } from './root-failures.ts';
import type { RootGate } from './root-gate.ts';
import { troubleOf } from '../core/failures/system-trouble.ts';
import { systemErrorName } from '../system-errors.ts';

/** Pause before a file is tried again that cannot be read while others of its root can, milliseconds: a bad sector. */
const ALONE_RETRY_MS = 4 * 60_000;

/** How long it must have been so, milliseconds: what was read before a share went away is still told of after that. */
const ALONE_AFTER_MS = 2 * 60_000;

/** A file with which something failed. */
export interface FailedFile {
  readonly rootPath: string;
  /** Absolute path. */
  readonly path: string;
  /** Watching saw that its export folder was taken away while the root was there. */
  readonly isFolderGone: boolean;
}

/**
 * Whom a failure of a file concerns. A file that is missing or cannot be read in a root that cannot be listed is the
 * root's failure; one that cannot be read in a root that can waits alone, longer when others are read meanwhile. Rejects
 * as the gate does.
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
    // An empty folder may be the mount point of a share that is gone: nothing is concluded from it
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
 * The failure of the root that stands behind an error of something in it, or undefined when it is about that entry
 * alone. Rejects with what is no error of the file system, and with the signal's reason.
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
  // Whoever refuses or locks one entry has answered: the root is there
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

/** Whether the folder is empty; undefined when it is none. */
async function listBriefly(path: string): Promise<boolean | undefined> {
  if (!(await fsPromises.lstat(path)).isDirectory()) return undefined;
  const folder = await fsPromises.opendir(path, { bufferSize: 1 });
  try {
    return (await folder.read()) === null;
  } finally {
    await folder.close();
  }
}
