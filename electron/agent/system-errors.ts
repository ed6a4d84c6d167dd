import { constants } from 'node:os';
import { getSystemErrorMap } from 'node:util';
import { troubleOf } from './core/failures/system-trouble.ts';

/** Names of errors that libuv's table lacks, such as ESTALE: Node reports those as "Unknown system error -116". */
const posixNames = new Map(Object.entries(constants.errno).map(([name, errno]) => [-errno, name]));
const uvNames = getSystemErrorMap();

/**
 * The system's name of an error, such as ENOENT, by its number: Node has no name for some that shares return.
 * `errno 529` where the system has none either. Undefined for any other error, including those of the database.
 */
export function systemErrorName(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { errno, code }: NodeJS.ErrnoException = error;
  if (typeof errno === 'number' && errno < 0)
    return uvNames.get(errno)?.[0] ?? posixNames.get(errno) ?? `errno ${-errno}`;
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : undefined;
}

/**
 * `systemErrorName` of the error with which a worker thread ended, or failed to start: threads need handles too, and
 * only say so in the text of the error.
 */
export function threadErrorName(error: unknown): string | undefined {
  const text = String(error);
  if (/too many open files/i.test(text)) return 'EMFILE';
  return /\b(EMFILE|ENFILE|ENOMEM)\b/.exec(text)?.[1] ?? systemErrorName(error);
}

/** Whether an error means that this program has run out of handles or memory, whatever the file. */
export function isProcessTrouble(error: unknown): boolean {
  const name = systemErrorName(error);
  return name !== undefined && troubleOf(name).whom === 'process';
}
