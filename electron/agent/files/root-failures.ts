import type { Failure, FailureCode } from '../../../shared/domain/failure.ts';
import { FailureError } from '../../../shared/domain/failure.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';

/** What a file system says when a disk, share or network went away. EIO is told apart by where it happens. */
const offlineCodes = new Set(
  'ESTALE ENOTCONN EHOSTDOWN EHOSTUNREACH ENETDOWN ENETUNREACH ETIMEDOUT ENODEV ENXIO EREMOTEIO ECONNRESET ESHUTDOWN ENOMEDIUM ECONNABORTED'.split(
    ' ',
  ),
);

const retried =
  'Nothing to do: it is looked for again by itself, and nothing is taken for deleted meanwhile.';

/** The system's name of an error, such as ENOENT; undefined for anything else that was thrown, a database's errors too. */
export function errorCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' && /^E[A-Z0-9]+$/.test(error.code) ? error.code : undefined;
}

/** The failure of the whole root that an error stands for; undefined when it concerns one entry only. */
export function rootFailureOf(error: unknown, rootPath: string): Failure | undefined {
  if (error instanceof FailureError) return error.failure;
  const code = errorCodeOf(error);
  return code !== undefined && offlineCodes.has(code) ? rootOffline(rootPath, code) : undefined;
}

export function rootMissing(rootPath: string): Failure {
  const advice = 'Create it, or correct the path in the settings; it is looked for again by itself.';
  return rootFailure('ROOT_MISSING', `The folder ${visibleName(rootPath)} does not exist.`, advice);
}

export function rootOffline(rootPath: string, detail: string): Failure {
  const message = `The folder ${visibleName(rootPath)} cannot be reached at present.`;
  return { ...rootFailure('ROOT_OFFLINE', message, retried), detail };
}

export function rootVanished(rootPath: string): Failure {
  return rootFailure('ROOT_OFFLINE', `The folder ${visibleName(rootPath)} is gone.`, retried);
}

export function otherDisk(rootPath: string): Failure {
  return rootFailure(
    'ROOT_OFFLINE',
    `Another disk stands at ${visibleName(rootPath)}; watching it is paused.`,
    'Connect the former disk again. To use this one instead, restart the agent.',
  );
}

export function rootNotFolder(rootPath: string): Failure {
  const advice = 'Set the path of a folder in the settings.';
  return rootFailure('ROOT_NOT_FOLDER', `${visibleName(rootPath)} is not a folder.`, advice);
}

export function rootLink(rootPath: string): Failure {
  const advice = 'Set the path of the real folder in the settings; links are never followed.';
  return rootFailure('ROOT_LINK', `The folder ${visibleName(rootPath)} is a link.`, advice);
}

export function rootHung(rootPath: string, deadlineMs: number): Failure {
  const message = `The folder ${visibleName(rootPath)} has not answered for ${Math.round(deadlineMs / 1000)} s.`;
  return rootFailure('ROOT_HUNG', message, `Check the disk or share. ${retried}`);
}

export function rootDenied(rootPath: string, detail: string): Failure {
  const message = `The folder ${visibleName(rootPath)} may not be listed by this account.`;
  const advice = 'Give the account of this program the right to read it.';
  return { ...rootFailure('ROOT_OFFLINE', message, advice), detail };
}

function rootFailure(code: FailureCode, message: string, advice: string): Failure {
  return { code, message, advice, retryable: true };
}
