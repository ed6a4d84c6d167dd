import { access, constants, stat } from 'node:fs/promises';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import { visibleName } from '../core/visible-name.ts';
import { inspectRoots } from './inspect-roots.ts';

/** What looking at the watched folders showed, as one line for people. */
export interface FoldersCheck {
  readonly name: 'folders';
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly text: string;
  readonly failure?: Failure;
}

/** Looks at the watched folders: allowed, not inside each other, present, readable. */
export async function checkFolders(settings: Pick<Settings, 'watch'>): Promise<FoldersCheck> {
  const paths = settings.watch.map(({ path }) => path);
  if (paths.length === 0) return { name: 'folders', state: 'warning', text: 'No folder is watched.' };
  const roots = await inspectRoots(paths, '');
  for (const root of roots) if (!root.ok) return failed(root.error);
  for (const path of paths) {
    const trouble = await presence(path);
    if (trouble !== undefined) return failed(trouble);
  }
  const text = paths.length === 1 ? `${visibleName(paths[0] ?? '')} can be read.` : `${paths.length} folders can be read.`;
  return { name: 'folders', state: 'ok', text };
}

function failed(failure: Failure): FoldersCheck {
  return { name: 'folders', state: 'failed', text: failure.message, failure };
}

async function presence(path: string): Promise<Failure | undefined> {
  const shown = visibleName(path);
  try {
    if (!(await stat(path)).isDirectory()) {
      return folderFailure('ROOT_NOT_FOLDER', `${shown} is not a folder.`, 'Name a folder in the settings.');
    }
    await access(path, constants.R_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isMissing) {
      return folderFailure('ROOT_MISSING', `${shown} does not exist.`, 'Make the folder or correct the path.');
    }
    return folderFailure('FOLDER_NO_ACCESS', `${shown} may not be read.`, 'Give this account the right to read it.');
  }
}

function folderFailure(code: Failure['code'], message: string, advice: string): Failure {
  return { code, message, advice, retryable: true };
}
