import { utcMinute } from '../core/times/zoned-time.ts';
import { type Failure, type FailureCode, FailureError } from '../../../shared/domain/failure.ts';
import { handlesUsedUp } from '../core/failures/upload-failure.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { troubleOf } from '../core/failures/system-trouble.ts';
import { systemErrorName } from '../system-errors.ts';

const KEEPS_LOOKING = 'the agent keeps looking for it, and treats nothing as deleted in the meantime.';
const retried = `Nothing to do: ${KEEPS_LOOKING}`;

/** The failure that an error of an operation on the root itself means; undefined for a bug. */
export function rootFailureOf(error: unknown, rootPath: string): Failure | undefined {
  if (error instanceof FailureError) return error.failure;
  const name = systemErrorName(error);
  if (name === undefined) return undefined;
  const trouble = troubleOf(name);
  if (trouble.whom === 'process') return handlesUsedUp(name);
  if (trouble.what === 'gone') return rootVanished(rootPath);
  if (trouble.what === 'denied') return rootDenied(rootPath, name);
  return rootOffline(rootPath, name);
}

export function rootMissing(rootPath: string): Failure {
  const advice = 'Create it, or correct its path; the agent keeps looking for it.';
  return rootFailure('ROOT_MISSING', `The folder ${visibleName(rootPath)} does not exist.`, advice);
}

export function rootOffline(rootPath: string, detail: string): Failure {
  const message = `The folder ${visibleName(rootPath)} is not reachable right now.`;
  return { ...rootFailure('ROOT_OFFLINE', message, retried), detail };
}

export function rootVanished(rootPath: string): Failure {
  const advice = `Reconnect its disk or share, put it back, or correct its path; ${KEEPS_LOOKING}`;
  return rootFailure('ROOT_OFFLINE', `The folder ${visibleName(rootPath)} is gone.`, advice);
}

export function otherDisk(rootPath: string): Failure {
  return rootFailure(
    'ROOT_OFFLINE',
    `A different disk is mounted at ${visibleName(rootPath)}, so the folder is not being watched.`,
    'Reconnect the previous disk. To use this one instead, restart the agent.',
  );
}

export function rootNotFolder(rootPath: string): Failure {
  const advice = 'Correct the path, or put the folder back in its place.';
  return rootFailure('ROOT_NOT_FOLDER', `The path ${visibleName(rootPath)} is not a folder.`, advice);
}

export function rootLink(rootPath: string): Failure {
  const advice = 'Use the path of the real folder; links are never followed.';
  return rootFailure('ROOT_LINK', `The folder ${visibleName(rootPath)} is a link.`, advice);
}

/** The last whole scan ended, or the current one began, too long ago: new exports may have gone unnoticed. */
export function rootSilent(rootPath: string, since: string): Failure {
  const message = `The folder ${visibleName(rootPath)} has not been fully scanned since ${utcMinute(since)}, so new exports may go unnoticed.`;
  const advice =
    'Check the disk or share, and whether the folder contains far more files than before. The scan continues.';
  return rootFailure('ROOT_SILENT', message, advice);
}

export function rootHung(rootPath: string, deadlineMs: number): Failure {
  const message = `The folder ${visibleName(rootPath)} has not responded for ${Math.round(deadlineMs / 1000)} s.`;
  return rootFailure(
    'ROOT_HUNG',
    message,
    'Check the disk or share. The agent keeps trying, and treats nothing as deleted in the meantime.',
  );
}

export function rootDenied(rootPath: string, detail: string): Failure {
  const message = `The folder ${visibleName(rootPath)} cannot be listed by the agent's account.`;
  const advice = "Give the agent's account permission to read it.";
  return { ...rootFailure('ROOT_OFFLINE', message, advice), detail };
}

function rootFailure(code: FailureCode, message: string, advice: string): Failure {
  return { code, message, advice, retryable: true };
}
