import { troubleOf } from '../core/failures/system-trouble.ts';
import { systemErrorName } from '../system-errors.ts';

/** The system's error code of a file error, or Node's own. */
export const systemCode = (error: unknown): string =>
  systemErrorName(error) ?? (error instanceof Error && 'code' in error ? String(error.code) : 'unknown');

/** Advice for a file error with this system code; `access`: the advice if permissions may be the cause. */
export function fileAdvice(code: string, access: string): string {
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return "The disk or the account's quota is full. Free some space and try again.";
  // Node has its own code for operations that it does not attempt
  if (code === 'EISDIR' || code === 'ERR_FS_EISDIR')
    return 'This is the path of a folder. Give the path of a file.';
  if (code === 'EROFS')
    return 'The disk or share that the file is on is read-only. Make it writable and try again.';
  const trouble = troubleOf(code);
  if (trouble.whom === 'process')
    return "Restart the program. If this happens again, raise its account's limit on open files.";
  switch (trouble.what) {
    case 'busy':
      return 'Another program is using the file. Close it there and try again.';
    case 'unreachable':
    case 'unreadable':
      return 'Check the disk or share that the file is on, then try again.';
    case 'name-too-long':
      return 'The name or path of the file is too long. Shorten it and try again.';
    default:
      return access;
  }
}
