import { isHandleShortage } from './upload-failure.ts';

/**
 * What an error of a file operation concerns, and what it means. `entry`: certain, for this one path, as long as its
 * root is there. `root`: any other answer of the disk, the share or its permissions, which may affect one file or all
 * of them and may be over in a minute. `process`: this program has no handles or memory left.
 */
export type SystemTrouble =
  | { readonly whom: 'entry'; readonly what: 'gone' | 'link' | 'folder' | 'name-too-long' }
  | { readonly whom: 'root'; readonly what: 'denied' | 'busy' | 'unreachable' | 'unreadable' }
  | { readonly whom: 'process' };

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
/** Errors of a file system whose disk, share or network went away. */
const unreachableErrors = new Set(
  'ESTALE ENOTCONN EHOSTDOWN EHOSTUNREACH ENETDOWN ENETUNREACH ETIMEDOUT ENODEV ENXIO EREMOTEIO ECONNRESET ECONNREFUSED ESHUTDOWN ENOMEDIUM ECONNABORTED EPIPE'.split(
    ' ',
  ),
);

/** What the system error of this name means. */
export function troubleOf(name: string): SystemTrouble {
  const entry = entryErrors.get(name);
  if (entry !== undefined) return entry;
  if (isHandleShortage(name)) return { whom: 'process' };
  if (deniedErrors.has(name)) return { whom: 'root', what: 'denied' };
  if (busyErrors.has(name)) return { whom: 'root', what: 'busy' };
  return { whom: 'root', what: unreachableErrors.has(name) ? 'unreachable' : 'unreadable' };
}
