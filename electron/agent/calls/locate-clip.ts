import { lstat, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FailureError } from '../../../shared/domain/failure-error.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { Tables } from '../store/tables.ts';
import { isInside, refusalOf } from '../files/opened-file.ts';
import { fileFailure, fileOutside } from '../files/file-failures.ts';
import { judgeMissing, type SourceRef } from '../files/source-file.ts';
import { type RootGates } from '../files/root-gate.ts';

interface Parts {
  readonly tables: Pick<Tables, 'clips' | 'incidents'>;
  readonly gates: RootGates;
}

/**
 * Where the file of a queued clip lies, for the host's own use: the path never crosses to a page. An ordinary file, not
 * a link, and really inside its export folder, which is really inside its root. Errors: NOT_FOUND, FILE_GONE,
 * ROOT_OFFLINE, ROOT_HUNG, and the refusals of evidence (FILE_LINK and their like).
 */
export async function locateClip(
  { tables, gates }: Parts,
  clipId: string,
  signal: AbortSignal,
): Promise<Result<string, Failure>> {
  const source = sourceOf(tables, clipId);
  if (source === undefined) return err(noClip);
  try {
    const found = await gates.of(source.rootPath).run(() => lookAt(source), signal);
    return found.ok ? found : err(await judgeMissing(gates, source, found.error, signal));
  } catch (error) {
    if (error instanceof FailureError) return err(error.failure);
    throw error;
  }
}

function sourceOf(tables: Parts['tables'], clipId: string): SourceRef | undefined {
  const clip = tables.clips.byId(clipId);
  const incident = clip && tables.incidents.byId(clip.incidentId);
  if (clip === undefined || incident === undefined) return undefined;
  const { rootPath, exportPath, folderGone } = incident;
  return { rootPath, exportPath, path: clip.path, version: clip, isFolderGone: folderGone === 1 };
}

async function lookAt({ rootPath, exportPath, path: name }: SourceRef): Promise<Result<string, Failure>> {
  const folder = join(rootPath, exportPath);
  const path = join(folder, name);
  try {
    const refusal = refusalOf(await lstat(path, { bigint: true }), name);
    if (refusal !== undefined) return err(refusal);
    const [realRoot, realExport, realFolder] = await Promise.all([
      realpath(rootPath),
      realpath(folder),
      realpath(dirname(path)),
    ]);
    const isWithin = isInside(realRoot, realExport) && isInside(realExport, realFolder);
    return isWithin ? ok(path) : err(fileOutside(name));
  } catch (error) {
    return err(fileFailure(error, name));
  }
}

const noClip: Failure = {
  code: 'NOT_FOUND',
  message: 'There is no such clip in the queue.',
  advice: 'Look at the list again: it may have changed.',
  retryable: false,
};
