import { constants, openSync, closeSync, fstatSync } from 'node:fs';
import type { Failure, FailureCode } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { baseName } from '../core/naming/file-kinds.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';

/** A regular file, open for reading. Whoever opened it closes it. */
export interface OpenFile {
  readonly descriptor: number;
  readonly sizeBytes: number;
}

const troubles: Readonly<Record<string, readonly [FailureCode, string, string, boolean]>> = {
  ENOENT: ['FILE_GONE', 'is no longer in the folder', 'Put it back when it is still needed.', false],
  ENOTDIR: ['FILE_GONE', 'is no longer in the folder', 'Put it back when it is still needed.', false],
  EACCES: [
    'FILE_NO_ACCESS',
    'may not be read by this account',
    'Give the account the right to read it.',
    true,
  ],
  EPERM: [
    'FILE_NO_ACCESS',
    'may not be read by this account',
    'Give the account the right to read it.',
    true,
  ],
  ELOOP: ['FILE_LINK', 'is a link; links are not followed', 'Put the file itself here.', false],
  ENXIO: ['FILE_NOT_REGULAR', 'is not a regular file', 'Put a video file here.', false],
  EBUSY: ['FILE_LOCKED', 'is locked by another program', 'Close it there.', true],
};

/**
 * Opens a file for reading, synchronously, for use in a worker. Links are not followed, pipes do not block,
 * and what is not a regular file is closed again at once.
 */
export function openRegular(path: string): Result<OpenFile, Failure> {
  try {
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    const descriptor = openSync(path, flags);
    const stats = fstatSync(descriptor);
    if (stats.isFile()) return ok({ descriptor, sizeBytes: stats.size });
    closeSync(descriptor);
    return err(fileFailure(path, 'ENXIO'));
  } catch (error) {
    return err(fileFailure(path, errorCode(error)));
  }
}

/** The `code` of a system error; empty when it has none. */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/** A failure for a system error code met at a file. The path is shown by its last name only. */
export function fileFailure(path: string, systemCode: string): Failure {
  const [code, what, advice, retryable] = troubles[systemCode] ?? [
    'FILE_READ',
    'could not be read',
    'Check the disk or share.',
    true,
  ];
  const message = `"${visibleName(baseName(path))}" ${what}.`;
  return { code, message, advice, retryable, ...(systemCode !== '' && { detail: systemCode }) };
}
