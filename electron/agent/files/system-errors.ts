import { constants } from 'node:os';
import { getSystemErrorMap } from 'node:util';
import { isHandleShortage } from '../core/failures/upload-failure.ts';

/**
 * Whom an error of a file operation concerns, and what it says. `entry`: a clear statement about this one path, true as
 * long as its root is there. `root`: anything else that the disk, the share or its rights answered: it may hit one file
 * or all of them, and may be over in a minute. `process`: this program has no handles or memory left.
 */
export type SystemTrouble =
  | { readonly whom: 'entry'; readonly what: 'gone' | 'link' | 'folder' | 'name-too-long' }
  | { readonly whom: 'root'; readonly what: 'denied' | 'busy' | 'unreachable' | 'unreadable' }
  | { readonly whom: 'process' };

/** Names of the numbers that libuv's own table lacks, such as ESTALE: Node reports those as "Unknown system error -116". */
const posixNames = new Map(Object.entries(constants.errno).map(([name, errno]) => [-errno, name]));
const uvNames = getSystemErrorMap();

const entryErrors: ReadonlyMap<string, SystemTrouble & { whom: 'entry' }> = new Map([
  ['ENOENT', { whom: 'entry', what: 'gone' }],
  ['ENOTDIR', { whom: 'entry', what: 'gone' }],
  ['ELOOP', { whom: 'entry', what: 'link' }],
  ['EMLINK', { whom: 'entry', what: 'link' }],
  ['EISDIR', { whom: 'entry', what: 'folder' }],
  ['ENAMETOOLONG', { whom: 'entry', what: 'name-too-long' }],
]);
/** EROFS never comes from reading; on Windows a sharing or lock violation is EBUSY and a refused access EPERM. */
const deniedErrors = new Set(['EACCES', 'EPERM']);
const busyErrors = new Set(['EBUSY', 'ETXTBSY', 'EAGAIN', 'EWOULDBLOCK']);
/** What a file system says of itself when a disk, share or network went away. */
const unreachableErrors = new Set(
  'ESTALE ENOTCONN EHOSTDOWN EHOSTUNREACH ENETDOWN ENETUNREACH ETIMEDOUT ENODEV ENXIO EREMOTEIO ECONNRESET ECONNREFUSED ESHUTDOWN ENOMEDIUM ECONNABORTED EPIPE'.split(
    ' ',
  ),
);

/**
 * The system's name of an error, such as ENOENT, by its number: Node has no name for some that shares give. `errno 529`
 * where the system has none either. Undefined for anything else that was thrown, a database's errors too.
 */
export function systemErrorName(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { errno, code }: NodeJS.ErrnoException = error;
  if (typeof errno === 'number' && errno < 0)
    return uvNames.get(errno)?.[0] ?? posixNames.get(errno) ?? `errno ${-errno}`;
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : undefined;
}

/** What the error with this name, as `systemErrorName` answers it, says. */
export function troubleOf(name: string): SystemTrouble {
  const entry = entryErrors.get(name);
  if (entry !== undefined) return entry;
  if (isHandleShortage(name)) return { whom: 'process' };
  if (deniedErrors.has(name)) return { whom: 'root', what: 'denied' };
  if (busyErrors.has(name)) return { whom: 'root', what: 'busy' };
  return { whom: 'root', what: unreachableErrors.has(name) ? 'unreachable' : 'unreadable' };
}

/**
 * `systemErrorName` of the error with which a worker thread ended, or never began: threads need handles too, and say so in
 * their text only.
 */
export function threadErrorName(error: unknown): string | undefined {
  const text = String(error);
  if (/too many open files/i.test(text)) return 'EMFILE';
  return /\b(EMFILE|ENFILE|ENOMEM)\b/.exec(text)?.[1] ?? systemErrorName(error);
}

/** Whether an error says that this program has no handles or memory left, and nothing about a file. */
export function isProcessTrouble(error: unknown): boolean {
  const name = systemErrorName(error);
  return name !== undefined && troubleOf(name).whom === 'process';
}
