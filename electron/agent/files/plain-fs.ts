import nodeFs from 'node:fs';
import nodePromises from 'node:fs/promises';

export type { BigIntStats, Dir, Dirent } from 'node:fs';
export type { FileHandle } from 'node:fs/promises';

const isFs = (module: object | undefined): module is typeof nodeFs => module !== undefined;

const original = process.getBuiltinModule('original-fs');
const plain = isFs(original) ? original : undefined;

/**
 * The file system as it is. Electron's own `fs`, in worker threads too, takes every file named `*.asar` for a folder:
 * what lies in one seems to lie on the disk, and one that is no archive throws an error without a number. Players that
 * come with exports contain such files. What is read, listed or removed in a watched folder therefore passes through
 * here; the program's own files, which lie in an archive themselves, must not.
 */
export const fs = plain ?? nodeFs;

/** The same, answering with promises. */
export const fsPromises = plain?.promises ?? nodePromises;

/** What stands at a path, links followed. Rejects with the system's error. */
export const statOnDisk = (path: string): Promise<nodeFs.Stats> => fsPromises.stat(path);
