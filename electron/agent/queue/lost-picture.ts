import type { FailureCode } from '../../../shared/domain/failure.ts';
import type { JobOutcome } from './outcome.ts';

/** What may have become of a picture on the disk of this desk since it was made. */
const LOST: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'FILE_GONE',
  'FILE_CHANGED',
  'FILE_LINK',
  'FILE_NOT_REGULAR',
]);

/** Whether a picture that was made could not be sent because its file is not there, or not the same, any more. */
export function isPictureLost(outcome: JobOutcome): boolean {
  return 'failure' in outcome && LOST.has(outcome.failure.code);
}

/** Where a picture that was made lies, in place of the export of its clip: nothing of it waits for a root. */
export function pictureIn(folder: string) {
  return { rootPath: folder, exportPath: '', isFolderGone: true };
}
