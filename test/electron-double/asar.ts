import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { foreignPath, unpackedArchive, type ForeignPath } from './foreign-archives.ts';

/**
 * How Electron's file functions treat paths inside an archive (its lib/node/asar-fs-wrapper.ts). The app's archive is a
 * folder named `app.asar` here: reading works as in a folder, an unpacked file is read from `app.asar.unpacked`, and
 * whatever goes to the operating system finds a file where the path needs a folder. With a plain folder, all of that
 * would succeed. Any other file with such a name counts as an archive too, wherever it is.
 */
const INSIDE = /^(.*[/\\]app\.asar)(?:[/\\]+(.*))?$/;
/** The archive that the app was started from. A thread's program is in it as well. */
const ownArchive = INSIDE.exec(process.argv[1] ?? '')?.[1];

/** Calls that Electron answers from the archive; `led` ones are redirected to the unpacked file if there is one. */
const answered: Readonly<Record<string, 'led' | 'same'>> = {
  access: 'led',
  copyFile: 'led',
  lstat: 'led',
  open: 'led',
  readFile: 'led',
  stat: 'led',
  exists: 'same',
  readdir: 'same',
  realpath: 'same',
  // Uses `open`
  createReadStream: 'same',
};
/** Functions whose second argument is a path as well. */
const ofTwoPaths: ReadonlySet<string> = new Set(['copyFile', 'cp', 'link', 'rename', 'symlink']);
/** Uses `open` too. */
const passed = 'createWriteStream';
const wantsWriting = /[wa+]/;
/** For the double itself, which waits in a program of its own (relaunch). */
export const { spawn: startFreely } = childProcess;

type Method = (...args: unknown[]) => unknown;
type Api = Record<string, unknown>;

function textOf(value: unknown): string | undefined {
  const path = value instanceof URL && value.protocol === 'file:' ? fileURLToPath(value) : value;
  return typeof path === 'string' ? path : undefined;
}

/** Path of the app's archive or a file in it; undefined for any other. */
function insideArchive(value: unknown): RegExpExecArray | undefined {
  const found = INSIDE.exec(textOf(value) ?? '') ?? undefined;
  return found?.[1] === ownArchive ? found : undefined;
}

function failure(code: string, what: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${what} '${path}', inside an archive`), { code, path });
}

/** The arguments as Electron passes them on, or the error that it or the system returns. */
function judge(
  name: string,
  args: readonly unknown[],
  isThere: (path: string) => boolean,
): unknown[] | Error {
  const plainName = name.replace(/Sync$/, '');
  const kind = answered[plainName];
  const foreign = kind === undefined ? undefined : foreignPath(textOf(args[0]) ?? '');
  if (foreign !== undefined && insideArchive(args[0]) === undefined)
    return judgeForeign(plainName, args, foreign);
  const [source, target] = args.slice(0, ofTwoPaths.has(plainName) ? 2 : 1).map(insideArchive);
  const refused = kind === undefined ? (source ?? target) : target;
  if (refused !== undefined) return failure('ENOTDIR', name, refused[0]);
  const [path, archive, file = ''] = source ?? [];
  if (path === undefined || kind !== 'led' || file === '') return [...args];
  const [, how] = args;
  // Written data would end up in a copy that nobody reads
  if (name.startsWith('open') && isForWriting(how)) return failure('EACCES', name, path);
  if (name.startsWith('access') && ((Number(how) || 0) & fs.constants.W_OK) !== 0)
    return failure('EACCES', name, path);
  const unpacked = `${archive}.unpacked/${file}`;
  return [isThere(unpacked) ? unpacked : args[0], ...args.slice(1)];
}

/**
 * The answer of the copy that Electron makes of a foreign archive; for a file that is not an archive, an error without
 * a number.
 */
function judgeForeign(
  name: string,
  [path, how, ...rest]: readonly unknown[],
  { archive, inside }: ForeignPath,
): unknown[] | Error {
  const folder = unpackedArchive(archive);
  if (folder === undefined)
    return name === 'exists' ? [archive, how, ...rest] : new Error(`Invalid package ${archive}`);
  if (inside === '' && name === 'realpath') return [path, how, ...rest];
  if (inside === '' && !['access', 'exists', 'lstat', 'readdir', 'stat'].includes(name))
    return failure('ENOENT', name, archive);
  // The copy knows no numbers above 2^53
  const asked = typeof how === 'object' && how !== null && 'bigint' in how ? { ...how, bigint: false } : how;
  return [join(folder, inside), asked, ...rest];
}

const isForWriting = (how: unknown): boolean =>
  typeof how === 'number' ? (how & 3) !== 0 : typeof how === 'string' && wantsWriting.test(how);

/**
 * Runs `judge` before a function that throws, calls back or rejects; errors are returned the way the function itself
 * would.
 */
function guard(api: Api, name: string, rejects: boolean, isThere: (path: string) => boolean): void {
  const old = api[name];
  if (typeof old !== 'function' || /^[A-Z_]/.test(name) || name === passed) return;
  const guarded: Method = function (this: unknown, ...args) {
    const judged = judge(name, args, isThere);
    if (!(judged instanceof Error)) return Reflect.apply(old, this, judged);
    if (rejects) return Promise.reject(judged);
    const callback = args.at(-1);
    if (typeof callback !== 'function') throw judged;
    return process.nextTick(callback, judged);
  };
  api[name] = Object.defineProperties(guarded, Object.getOwnPropertyDescriptors(old));
}

/** Throws for programs that a packaged app cannot start. */
function refuseProgram(name: string, [file, ...rest]: readonly unknown[]): void {
  const cwd = rest.map((each) => insideArchive((each as { cwd?: unknown } | undefined)?.cwd)).find(Boolean);
  if (cwd !== undefined) throw failure('ENOTDIR', `${name} in`, cwd[0]);
  // The fuse RunAsNode is off: the program would start the app again, whatever its arguments
  if (name === 'fork' || file === process.execPath)
    throw new Error(`electron-double: ${name} would start the app again: its program does not run as Node.`);
  const program = insideArchive(file);
  // Only these two extract a program from the archive first
  if (program !== undefined && !name.startsWith('execFile')) throw failure('ENOTDIR', name, program[0]);
}

function guardPrograms(api: Api): void {
  for (const name of ['spawn', 'spawnSync', 'execFile', 'execFileSync', 'fork']) {
    const old = api[name] as Method & { [promisify.custom]?: Method };
    const before =
      (run: Method): Method =>
      (...args) => {
        refuseProgram(name, args);
        return run(...args);
      };
    const { [promisify.custom]: promised } = old;
    api[name] = Object.assign(before(old), promised && { [promisify.custom]: before(promised) });
  }
}

function guardProcess(isThere: (path: string) => boolean): void {
  const { chdir, dlopen } = process;
  process.chdir = (folder) => {
    const inside = insideArchive(folder);
    if (inside !== undefined) throw failure('ENOTDIR', 'chdir', inside[0]);
    chdir(folder);
  };
  process.dlopen = (module: object, file: string, ...rest: []) => {
    const [path, archive, name] = insideArchive(file) ?? [];
    if (path === undefined) return dlopen(module, file, ...rest);
    const unpacked = `${archive}.unpacked/${name}`;
    // Electron would load a copy of it from a temporary folder, whose checksum nothing verifies
    if (!isThere(unpacked)) throw failure('ENOTDIR', 'dlopen', path);
    return dlopen(module, unpacked, ...rest);
  };
}

/** Provides Electron's `original-fs`: the file functions of the system. */
function keepOriginals(): void {
  const { createReadStream } = fs;
  const original = { ...fs, promises: { ...fs.promises } };
  // Opens files with the functions that it is given
  original.createReadStream = (path, options) =>
    createReadStream(path, {
      ...(typeof options === 'string' ? { encoding: options } : options),
      fs: original,
    });
  const { getBuiltinModule } = process;
  process.getBuiltinModule = (id: string) =>
    /^(node:)?original-fs$/.test(id) ? original : getBuiltinModule(id);
}

/**
 * From here on this process treats paths inside archives as Electron does and, in a packaged app, programs and native
 * modules too.
 */
export function meetArchives(isPackaged: boolean): void {
  const { existsSync } = fs;
  const { promises } = fs;
  keepOriginals();
  for (const name of Object.keys(fs)) guard(fs, name, false, existsSync);
  for (const name of Object.keys(promises)) guard(promises, name, true, existsSync);
  if (isPackaged) {
    guardPrograms(childProcess);
    guardProcess(existsSync);
  }
  syncBuiltinESMExports();
}
