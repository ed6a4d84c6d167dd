import nodeFs from 'node:fs';
import nodePromises from 'node:fs/promises';

export type { BigIntStats, Dir, Dirent } from 'node:fs';
export type { FileHandle } from 'node:fs/promises';

const isFs = (module: object | undefined): module is typeof nodeFs => module !== undefined;

const original = process.getBuiltinModule('original-fs');
const plain = isFs(original) ? original : undefined;

/**
 * The real file system. Electron's own `fs`, in worker threads too, treats every file named `*.asar` as a folder: its
 * contents seem to be on the disk, and one that is not an archive throws an error without a number. Players that come
 * with exports contain such files. Whatever is read, listed or removed in a watched folder therefore goes through here;
 * the program's own files, which are in an archive themselves, must not.
 */
export const fs = plain ?? nodeFs;

/** The same with promises. */
export const fsPromises = plain?.promises ?? nodePromises;

/** Stats of a path, links followed. Rejects with the system's error. */
export const statOnDisk = (path: string): Promise<nodeFs.Stats> => fsPromises.stat(path);
