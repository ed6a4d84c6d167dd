import { homedir } from 'node:os';
import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { checkRoots } from '../core/settings/check-roots.ts';
import type { WatchedRoot } from '../files/watched-root.ts';
import { isInside } from '../files/opened-file.ts';
import type { BrowseGate } from '../files/find-folder.ts';
import { findFolder } from '../files/find-folder.ts';

interface Deps {
  readonly gate: BrowseGate;
  readonly roots: readonly WatchedRoot[];
  readonly dataDir: string;
}

/**
 * The real paths of folders that are to be sent, each once and in order. The first that does not suit refuses all,
 * with its place in the list as the field. `isLoose`: they are watched folders. Errors: as `checkFolder`.
 */
export async function checkPush(
  deps: Deps,
  folders: readonly string[],
  signal: AbortSignal,
  isLoose = false,
): Promise<Result<readonly string[], Failure>> {
  const found: string[] = [];
  for (const [index, folder] of folders.entries()) {
    const result = isLoose
      ? await checkRoot(deps, folder, signal)
      : await checkFolder(deps, folder, signal, found);
    if (!result.ok) return err(atPlace(result.error, index));
    if (!found.includes(result.value)) found.push(result.value);
  }
  return ok(found);
}

/** The real path of a watched folder, whose loose files are to be sent. Errors: as `findFolder`, ROOT_MISSING for any other. */
async function checkRoot(
  { gate, roots }: Deps,
  folder: string,
  signal: AbortSignal,
): Promise<Result<string, Failure>> {
  const found = await findFolder(gate, folder, signal);
  if (!found.ok) return found;
  const isWatched = roots.some(({ realPath }) => realPath === found.value.realPath);
  return isWatched ? ok(found.value.realPath) : err(notWatched(folder));
}

const notWatched = (folder: string): Failure => ({
  code: 'ROOT_MISSING',
  message: `${visibleName(folder)} is not a watched folder.`,
  advice: 'Send the files from the list of the watched folder that they lie in.',
  retryable: false,
});

/**
 * The real path of one folder that is to be sent, beside those `before` it. Errors: as `findFolder`, ROOT_FORBIDDEN,
 * ROOT_OVERLAP.
 */
export async function checkFolder(
  deps: Deps,
  folder: string,
  signal: AbortSignal,
  before: readonly string[] = [],
): Promise<Result<string, Failure>> {
  const found = await findFolder(deps.gate, folder, signal);
  if (!found.ok) return found;
  const { realPath } = found.value;
  const platform = process.platform === 'win32' ? 'win32' : 'posix';
  const others = before.filter((other) => other !== realPath).map((path) => ({ path, realPath: path }));
  // The last of them is the one that is asked about: it is checked against those before it
  const judged = checkRoots([...others, { path: folder, realPath }], {
    platform,
    dataDir: deps.dataDir,
    homeDir: homedir(),
  }).at(-1);
  if (judged?.ok === false) return judged;
  const root = deps.roots.find((each) => isInside(realPath, each.realPath));
  return root === undefined ? ok(realPath) : err(holdsRoot(realPath, root.realPath));
}

function holdsRoot(folder: string, root: string): Failure {
  return {
    code: 'ROOT_OVERLAP',
    message:
      folder === root
        ? `${visibleName(folder)} is a watched folder: each folder in it is an incident of its own.`
        : `${visibleName(folder)} holds the watched folder ${visibleName(root)}.`,
    advice: 'Choose a folder that contains the clips of one incident.',
    retryable: false,
  };
}

function atPlace(failure: Failure, index: number): Failure {
  return { ...failure, fields: [{ name: `folders.${index}`, text: failure.message }] };
}
