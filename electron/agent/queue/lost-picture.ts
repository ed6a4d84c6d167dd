import { agentPolicyOf } from '../core/failures/failure-policy.ts';
import type { JobOutcome } from './outcome.ts';

/** Whether a picture that was made could not be sent because its file is not there, or not the same, any more. */
export function isPictureLost(outcome: JobOutcome): boolean {
  return 'failure' in outcome && agentPolicyOf(outcome.failure.code).file !== undefined;
}

/** Where a picture that was made lies, in place of the export of its clip: nothing of it waits for a root. */
export function pictureIn(folder: string) {
  return { rootPath: folder, exportPath: '', isFolderGone: true };
}
