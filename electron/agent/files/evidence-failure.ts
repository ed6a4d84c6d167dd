import { userInfo } from 'node:os';
import type { Failure, FailureCode } from '../../../shared/domain/failure.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';

interface Meaning {
  readonly code: FailureCode;
  readonly what: string;
  readonly advice: string;
  readonly retryable: boolean;
}

const GONE: Meaning = {
  code: 'FILE_GONE',
  what: 'is no longer in the folder; its record is kept',
  advice: 'Put it back if it is still wanted.',
  retryable: false,
};
const LINK: Meaning = {
  code: 'FILE_LINK',
  what: 'is a link; links are not uploaded',
  advice: 'Put the file itself into the folder.',
  retryable: false,
};
const NOT_REGULAR: Meaning = {
  code: 'FILE_NOT_REGULAR',
  what: 'is a folder, pipe, socket or device, not a file; it was not opened',
  advice: 'Put a regular file in its place.',
  retryable: false,
};
const LOCKED: Meaning = {
  code: 'FILE_LOCKED',
  what: 'is locked by another program',
  advice: 'Nothing to do: it is tried again. Close the program that holds it if this lasts.',
  retryable: true,
};
const OUTSIDE: Meaning = {
  code: 'FILE_LINK',
  what: 'lies outside the watched folder, behind a link; it was not read',
  advice: 'Put the file itself into the watched folder.',
  retryable: false,
};

/** The failure of a file that became shorter, longer, newer or another file. Sending starts again as a new generation. */
export function fileChanged(path: string, how: string): Failure {
  const advice = 'Nothing to do: it is sent again once it has settled.';
  return failureOf({ code: 'FILE_CHANGED', what: `${how}; starting again`, advice, retryable: true }, path);
}

/** The failure of something that is not a regular file. */
export function fileNotRegular(path: string): Failure {
  return failureOf(NOT_REGULAR, path);
}

/** The failure of a link. */
export function fileIsLink(path: string): Failure {
  return failureOf(LINK, path);
}

/** The failure of a file whose folder is reached through a link that leads out of the watched root. */
export function fileOutside(path: string): Failure {
  return failureOf(OUTSIDE, path);
}

/** What an error of the file system means for the file at `path`. */
export function fileFailure(error: unknown, path: string): Failure {
  const code = systemCode(error);
  return { ...failureOf(meaningOf(code), path), detail: code };
}

function meaningOf(code: string): Meaning {
  if (code === 'ENOENT' || code === 'ENOTDIR') return GONE;
  if (code === 'ELOOP' || code === 'EMLINK') return LINK;
  if (code === 'EACCES' || code === 'EPERM') return noAccess();
  if (code === 'EBUSY' || code === 'ETXTBSY' || code === 'EAGAIN') return LOCKED;
  if (code === 'ENXIO' || code === 'ENODEV' || code === 'EISDIR' || code === 'EOPNOTSUPP') return NOT_REGULAR;
  return {
    code: 'FILE_READ',
    what: `could not be read (${code})`,
    advice: 'Check the disk or the share; it is tried again.',
    retryable: true,
  };
}

function noAccess(): Meaning {
  return {
    code: 'FILE_NO_ACCESS',
    what: `may not be read by the account ${accountName()}`,
    advice: `Give ${accountName()} the right to read it; it is tried again.`,
    retryable: true,
  };
}

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'that runs this agent';
  }
}

function systemCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return 'unknown error';
}

function failureOf(meaning: Meaning, path: string): Failure {
  const { code, what, advice, retryable } = meaning;
  return { code, message: `${visibleName(path)} ${what}.`, advice, retryable };
}
