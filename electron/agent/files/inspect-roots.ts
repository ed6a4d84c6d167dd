import { lstat, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { Result } from '../../../shared/lib/result.ts';
import type { Clock } from '../ports.ts';
import { createSystemClock } from '../system-clock.ts';
import { checkRoots, type RootFacts } from '../core/settings/check-roots.ts';

/** Longest wait for one folder, milliseconds: a share that hangs is taken for missing, and its watch says the rest. */
const DEADLINE_MS = 5000;

/** Looks at the folders that are to be watched and judges each; a missing one is fine here, it may come back. */
export async function inspectRoots(
  paths: readonly string[],
  dataDir: string,
  clock: Clock = createSystemClock(),
): Promise<readonly Result<RootFacts, Failure>[]> {
  const facts = await Promise.all(paths.map((path) => inTime(path, clock)));
  const platform = process.platform === 'win32' ? 'win32' : 'posix';
  return checkRoots(facts, { platform, dataDir, homeDir: homedir() });
}

async function inTime(path: string, clock: Clock): Promise<RootFacts> {
  const answered = new AbortController();
  const late = clock.sleep(DEADLINE_MS, answered.signal).then(
    () => ({ path }),
    () => ({ path }),
  );
  const facts = await Promise.race([factsOf(path), late]);
  answered.abort();
  return facts;
}

async function factsOf(path: string): Promise<RootFacts> {
  try {
    const [real, stats] = await Promise.all([realpath(path), lstat(path)]);
    return { path, realPath: real, isLink: stats.isSymbolicLink() };
  } catch {
    return { path };
  }
}
