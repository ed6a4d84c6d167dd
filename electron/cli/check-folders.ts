import { lstat, readdir, realpath } from 'node:fs/promises';
import type { Failure, FailureCode } from '../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../shared/lib/result.ts';
import type { Places } from '../agent/settings/default-places.ts';
import { checkRoots, type RootFacts } from '../agent/core/settings/check-roots.ts';
import { visibleName } from '../../shared/lib/visible-name.ts';
import type { AgentConfig, Clock } from '../agent/index.ts';
import type { CheckLine } from './needs.ts';

/** A folder that has not answered after this time is on a share that hangs, milliseconds. */
const DEADLINE_MS = 5000;

/** Looks at the watched folders: present, readable, allowed, not inside each other. One line for each that is not. */
export async function checkFolders(
  { settings, dataDir }: AgentConfig,
  clock: Clock,
  places: Pick<Places, 'platform' | 'homeDir'>,
): Promise<readonly CheckLine[]> {
  if (settings.watch.length === 0) return [nothingWatched];
  const looks = await Promise.all(settings.watch.map(({ path }) => lookInTime(path, clock)));
  const found = looks.flatMap((look) => (look.ok ? [look.value] : []));
  const platform = places.platform === 'win32' ? 'win32' : 'posix';
  const rules = checkRoots(found, { platform, dataDir, homeDir: places.homeDir });
  const failures = [...looks, ...rules].flatMap((each) => (each.ok ? [] : [failed(each.error)]));
  if (failures.length > 0) return failures;
  const names = settings.watch.map(({ path }) => visibleName(path)).join(', ');
  return [{ name: 'folders', state: 'ok', text: `Can be watched: ${names}.` }];
}

async function lookInTime(path: string, clock: Clock): Promise<Result<RootFacts, Failure>> {
  const ended = new AbortController();
  const late = clock.sleep(DEADLINE_MS, ended.signal).then(
    () => err(failure('ROOT_HUNG', path, `has not answered for ${DEADLINE_MS / 1000} s`)),
    () => err(failure('ROOT_HUNG', path, 'was not waited for')),
  );
  try {
    return await Promise.race([look(path), late]);
  } finally {
    ended.abort();
  }
}

async function look(path: string): Promise<Result<RootFacts, Failure>> {
  try {
    const facts = await lstat(path);
    const isLink = facts.isSymbolicLink();
    if (!isLink && !facts.isDirectory()) return err(failure('ROOT_NOT_FOLDER', path, 'is not a folder'));
    if (!isLink) await readdir(path);
    return ok({ path, isLink, realPath: await realpath(path) });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code === 'ENOENT' || code === 'ENOTDIR') return err(failure('ROOT_MISSING', path, 'does not exist'));
    if (code === 'EACCES' || code === 'EPERM')
      return err(failure('FOLDER_NO_ACCESS', path, 'may not be read by this account'));
    return err(failure('ROOT_OFFLINE', path, `cannot be reached (${code})`));
  }
}

const nothingWatched: CheckLine = {
  name: 'folders',
  state: 'warning',
  text: 'No folder is watched: only push uploads something.',
};

const failed = (problem: Failure): CheckLine => ({
  name: 'folders',
  state: 'failed',
  text: problem.message,
  failure: problem,
});

const failure = (code: FailureCode, path: string, what: string): Failure => ({
  code,
  message: `The watched folder ${visibleName(path)} ${what}.`,
  advice: 'Correct the path in the configuration, or make the folder readable.',
  retryable: true,
});
