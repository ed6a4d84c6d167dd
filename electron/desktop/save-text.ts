import type { Failure } from '../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../shared/lib/result.ts';
import { visibleName } from '../../shared/lib/visible-name.ts';
import type { Logger } from '../agent/index.ts';
import type { NativeDialogs } from './desktop-ports.ts';
import { safeFileName } from './safe-file-name.ts';
import { PRIVATE_MODE, writeFileWhole } from './write-file-whole.ts';

interface Deps {
  readonly dialogs: Pick<NativeDialogs, 'chooseSavePlace'>;
  readonly logger: Logger;
}

/**
 * Saves a text where a person says; the system's dialog asks before a file is replaced. False when the dialog was left.
 * Errors: DISK_FULL, FILE_NO_ACCESS, FILE_READ, and then a file that was there is as it was.
 */
export async function saveText(
  { dialogs, logger }: Deps,
  { name, text }: { readonly name: string; readonly text: string },
): Promise<Result<{ readonly isSaved: boolean }, Failure>> {
  const place = await dialogs.chooseSavePlace(safeFileName(name));
  if (place === undefined) return ok({ isSaved: false });
  try {
    // Users and first passwords may be in it
    await writeFileWhole(place, text, PRIVATE_MODE);
    return ok({ isSaved: true });
  } catch (error) {
    logger.warn('A file could not be saved', { error });
    return err(cannotSave(place, error));
  }
}

function cannotSave(place: string, error: unknown): Failure {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  const message = `${visibleName(place)} could not be saved (${reason}).`;
  if (reason === 'ENOSPC' || reason === 'EDQUOT')
    return {
      code: 'DISK_FULL',
      message,
      advice: 'Make room on the disk, or save it elsewhere.',
      retryable: true,
    };
  const advice = 'Save it in a folder that this account may write to.';
  const code = ['EACCES', 'EPERM', 'EROFS'].includes(reason) ? 'FILE_NO_ACCESS' : 'FILE_READ';
  return { code, message, advice, retryable: true };
}
