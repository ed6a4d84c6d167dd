import type { Failure } from '../../../../shared/domain/failure.ts';

const names: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS']);

/** Whether a system error of this name says that this program has no handles or memory left, and nothing about a file. */
export function isHandleShortage(name: string): boolean {
  return names.has(name);
}

/** The failure for such an error: whatever was to be done is tried again. */
export function handlesUsedUp(detail: string): Failure {
  return {
    code: 'HANDLES_USED_UP',
    message: 'This program has run out of file handles and is slower until some are free.',
    advice:
      'Nothing to do: it will recover automatically. If this lasts, raise the limit of open files for this account, or restart the program.',
    retryable: true,
    detail,
  };
}
