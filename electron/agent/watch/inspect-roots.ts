import { lstat, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { Result } from '../../../shared/lib/result.ts';
import { checkRoots, type RootFacts } from '../core/check-roots.ts';

/** Looks at the folders that are to be watched and judges each; a missing one is fine here, it may come back. */
export async function inspectRoots(
  paths: readonly string[],
  dataDir: string,
): Promise<readonly Result<RootFacts, Failure>[]> {
  const facts = await Promise.all(paths.map(factsOf));
  const platform = process.platform === 'win32' ? 'win32' : 'posix';
  return checkRoots(facts, { platform, dataDir, homeDir: homedir() });
}

async function factsOf(path: string): Promise<RootFacts> {
  try {
    const [real, stats] = await Promise.all([realpath(path), lstat(path)]);
    return { path, realPath: real, isLink: stats.isSymbolicLink() };
  } catch {
    return { path };
  }
}
