import { type Failure, type FailureCode, FailureError } from '../../../shared/domain/failure.ts';
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
  return retryable('ROOT_MISSING', `The folder ${visibleName(rootPath)} does not exist.`, advice);
}

export function rootOffline(rootPath: string, detail: string): Failure {
  const message = `The folder ${visibleName(rootPath)} cannot be reached at present.`;
  return { ...retryable('ROOT_OFFLINE', message, retried), detail };
}

export function rootVanished(rootPath: string): Failure {
  return retryable('ROOT_OFFLINE', `The folder ${visibleName(rootPath)} is gone.`, retried);
}

export function otherDisk(rootPath: string): Failure {
  return retryable(
    'ROOT_OFFLINE',
    `Another disk stands at ${visibleName(rootPath)}; watching it is paused.`,
    'Connect the former disk again. To use this one instead, restart the agent.',
  );
}

export function rootNotFolder(rootPath: string): Failure {
  const advice = 'Set the path of a folder in the settings.';
  return retryable('ROOT_NOT_FOLDER', `${visibleName(rootPath)} is not a folder.`, advice);
}

export function rootLink(rootPath: string): Failure {
  const advice = 'Set the path of the real folder in the settings; links are never followed.';
  return retryable('ROOT_LINK', `The folder ${visibleName(rootPath)} is a link.`, advice);
}

export function rootHung(rootPath: string, deadlineMs: number): Failure {
  const message = `The folder ${visibleName(rootPath)} has not answered for ${Math.round(deadlineMs / 1000)} s.`;
  return retryable('ROOT_HUNG', message, `Check the disk or share. ${retried}`);
}

export function rootDenied(rootPath: string, detail: string): Failure {
  const message = `The folder ${visibleName(rootPath)} may not be listed by this account.`;
  return {
    ...retryable('ROOT_OFFLINE', message, 'Give the account of this program the right to read it.'),
    detail,
  };
}

export function folderDenied(path: string, detail: string): Failure {
  const message = `The folder ${visibleName(path)} cannot be listed; the rest of the export is taken.`;
  return {
    ...retryable('FOLDER_NO_ACCESS', message, 'Give the account of this program the right to read it.'),
    detail,
  };
}

export function folderTooDeep(path: string, mostLevels: number): Failure {
  const message = `The folder ${visibleName(path)} lies deeper than ${mostLevels} levels and is not looked at.`;
  return lasting('FOLDER_TOO_DEEP', message, 'Move its files further up.');
}

export function folderCycle(path: string): Failure {
  const message = `The folder ${visibleName(path)} contains itself and is not looked at again.`;
  return lasting('FOLDER_CYCLE', message, 'Remove the mount that leads back.');
}

export function fileLink(path: string): Failure {
  const message = `${visibleName(path)} is a link; links are not uploaded.`;
  return lasting('FILE_LINK', message, 'Put the file itself into the folder.');
}

export function fileNotRegular(path: string): Failure {
  const message = `${visibleName(path)} is a pipe, socket or device, not a file; it is not opened.`;
  return lasting('FILE_NOT_REGULAR', message, 'Remove it from the export folder.');
}

export function nameUnreadable(folder: string, hex: string): Failure {
  const place = folder === '' ? 'A name' : `A name in ${visibleName(folder)}`;
  const message = `${place} is not valid text (hex ${hex}); the file is not taken.`;
  return lasting('FILE_NAME_UNREADABLE', message, 'Rename the file.');
}

export function looseFile(name: string): Failure {
  const message = `${visibleName(name)} is not in an export folder; it is not taken.`;
  return lasting('FILE_SKIPPED', message, 'Move it into a folder: each folder is one incident.');
}

export function moreSkipped(mostNamed: number): Failure {
  const message = `More entries are skipped here; only the first ${mostNamed} are named.`;
  return lasting('FILE_SKIPPED', message, 'Look into the folder for entries that are no plain files.');
}

export function fileDenied(path: string, detail: string): Failure {
  const message = `${visibleName(path)} cannot be looked at by this account.`;
  return {
    ...retryable('FILE_NO_ACCESS', message, 'Give the account of this program the right to read it.'),
    detail,
  };
}

export function fileEmpty(path: string): Failure {
  const advice = 'Nothing to do when it is still being exported; otherwise export it again.';
  return retryable('FILE_EMPTY', `${visibleName(path)} is empty; waiting for content.`, advice);
}

export function fileIncomplete(path: string, reason: string): Failure {
  const message = `${visibleName(path)} is not complete yet: ${reason}`;
  return retryable(
    'FILE_INCOMPLETE',
    message,
    'Nothing to do while the recorder still writes; otherwise export it again.',
  );
}

function retryable(code: FailureCode, message: string, advice: string): Failure {
  return { code, message, advice, retryable: true };
}

function lasting(code: FailureCode, message: string, advice: string): Failure {
  return { code, message, advice, retryable: false };
}
