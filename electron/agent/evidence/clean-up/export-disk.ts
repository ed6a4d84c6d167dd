import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type BigIntStats, fs, fsPromises } from '../../files/plain-fs.ts';
import { FailureError, type Failure } from '../../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';
import { visibleName } from '../../../../shared/lib/visible-name.ts';
import type { FileSum } from '../../files/file-sum.ts';
import { differenceOf, isInside, versionOf } from '../../files/opened-file.ts';
import { readEntries, statOf } from '../../files/read-entries.ts';
import type { RootGate, RootGates } from '../../files/root-gate.ts';
import { openSource } from '../../files/source-file.ts';
import { systemErrorName } from '../../system-errors.ts';
import {
  isPlainPath,
  type ExportDisk,
  type ExportFile,
  type Listing,
  type Obstacle,
  type PlannedFile,
} from './remove-export.ts';

/** Limits beyond which a folder is not treated as an export. */
const DEEPEST = 32;
const MOST_FILES = 100_000;
/** Chunk size while copying, bytes. */
const CHUNK_BYTES = 1024 * 1024;

/** Where an export is and where it is to be moved. */
export interface ExportPlace {
  /** Watched folder, absolute, as in the settings. */
  readonly rootPath: string;
  /** Inside the root, with slashes; empty for an export whose files lie loose in the root. */
  readonly folder: string;
  /** For loose files, their paths inside the root: nothing else there is looked at or touched. */
  readonly loose?: readonly string[] | undefined;
  /** Absolute; undefined: the export is not moved. */
  readonly target?: string | undefined;
}

interface Deps {
  readonly gates: RootGates;
  readonly fileSum: FileSum;
  readonly signal: AbortSignal;
}

type Place = 'export' | 'copy' | 'target';
const refused = (reason: string): Result<never, Obstacle> => err({ reason, waits: false });
const later = (reason: string): Result<never, Obstacle> => err({ reason, waits: true });

/** What is currently wrong with the destination folder for moved exports; undefined: nothing. */
export async function targetProblem(
  folder: string,
  forbidden: readonly string[],
): Promise<string | undefined> {
  const stats = await fsPromises.lstat(folder).catch(() => undefined);
  if (stats?.isDirectory() !== true)
    return 'the destination folder for moved exports does not exist, cannot be reached, or is a link or a file';
  const real = await fsPromises.realpath(folder);
  for (const path of forbidden) {
    const other = await fsPromises.realpath(path).catch(() => path);
    if (isInside(other, real) || isInside(real, other))
      return `the destination folder for moved exports overlaps ${visibleName(path)}`;
  }
  return undefined;
}

/** Creates the access to one export's folders. Every call into the watched folder goes through the root's gate. */
export function createExportDisk({ gates, fileSum, signal }: Deps, place: ExportPlace): ExportDisk {
  const { rootPath, folder, loose, target = '' } = place;
  const gate = gates.of(rootPath);
  const source = join(rootPath, folder);
  const copy = `${target}.part`;
  const pathOf: Readonly<Record<Place, string>> = { export: source, copy, target };
  const run = <T>(work: () => Promise<T>): Promise<T> => gate.run(work, signal);
  const sourceOf = ({ path, ...version }: ExportFile) => ({
    rootPath,
    folder,
    path,
    version,
    isFolderGone: false,
  });

  const isTaken = async () => (await fsPromises.lstat(target).catch(() => undefined)) !== undefined;

  async function sumOfCopy(which: Place, file: ExportFile): Promise<string> {
    const hash = createHash('sha256');
    const path = join(pathOf[which], file.path);
    await pipeline(fs.createReadStream(path, { highWaterMark: CHUNK_BYTES }), hash.setEncoding('hex'), {
      signal,
    });
    return String(hash.read());
  }

  return {
    list: (which) =>
      asStep<Listing | undefined>(signal, async () => {
        if (which === 'export' && loose !== undefined) return listLoose(gate, rootPath, loose, signal);
        const outside: Pick<RootGate, 'run'> = { run: (work) => work() };
        if (which === 'export' && !isPlainPath(folder))
          return refused('its path could lead outside the watched folder');
        const real =
          which === 'export' ? join(await run(() => fsPromises.realpath(rootPath)), folder) : pathOf[which];
        const stats = await statOf(gate, pathOf[which], signal);
        if (stats === undefined) return ok(undefined);
        if (!stats.isDirectory())
          return refused(`${which === 'export' ? 'it' : visibleName(pathOf[which])} is not a folder`);
        // A link or junction on the path leads elsewhere
        if (which === 'export' && (await run(() => fsPromises.realpath(source))) !== real)
          return refused('its folder is reached through a link');
        return listFolder(
          which === 'export' ? gate : { ...gate, ...outside },
          pathOf[which],
          stats.dev,
          signal,
        );
      }),
    sum: (which, file) =>
      asStep(signal, async () => {
        if (which !== 'export') return ok(await sumOfCopy(which, file));
        const sum = await fileSum(sourceOf(file), signal);
        return sum.ok ? sum : later(reasonOf(sum.error));
      }),
    removeFile: (file) =>
      asStep(signal, async () => {
        if (!isPlainPath(file.path)) return refused('a path in it could lead outside its folder');
        const sum = await fileSum(sourceOf(file), signal);
        if (!sum.ok) return later(reasonOf(sum.error));
        if (sum.value !== file.sha256) return refused(`${visibleName(file.path)} changed`);
        return run(async () => {
          const path = join(source, file.path);
          // Both calls are synchronous, with nothing in between: as close to atomic as it gets
          const change = differenceOf(file, versionOf(fs.lstatSync(path, { bigint: true })));
          if (change !== undefined) return refused(`${visibleName(file.path)} ${change}`);
          fs.unlinkSync(path);
          return ok(undefined);
        });
      }),
    removeFolders: (folders) =>
      asStep(signal, async () => {
        // The folder of loose files is shared with others
        const paths = loose === undefined ? [...folders.map((name) => join(source, name)), source] : [];
        for (const path of paths) await run(() => fsPromises.rmdir(path));
        return ok(undefined);
      }),
    rename: () =>
      asStep(signal, async () => {
        if (await isTaken()) return refused(`${visibleName(target)} already exists`);
        // Loose files have no folder of their own that could be renamed in one step
        if (loose !== undefined) return ok('other-disk' as const);
        try {
          await run(() => fsPromises.rename(source, target));
          return ok('renamed' as const);
        } catch (error) {
          if (systemErrorName(error) === 'EXDEV') return ok('other-disk' as const);
          throw error;
        }
      }),
    renameBack: () => asStep(signal, async () => ok(await run(() => fsPromises.rename(target, source)))),
    copyFile: (file) => asStep(signal, () => copyOne({ gates, signal }, sourceOf(file), copy, file)),
    finishCopy: () =>
      asStep(signal, async () => {
        if (await isTaken()) return refused(`${visibleName(target)} already exists`);
        await fsPromises.rename(copy, target);
        await syncFolder(dirname(target));
        return ok(undefined);
      }),
  };
}

/** Turns errors of the system and of the gate into obstacles, to be retried. Rejects when aborted. */
async function asStep<T>(
  signal: AbortSignal,
  work: () => Promise<Result<T, Obstacle>>,
): Promise<Result<T, Obstacle>> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof FailureError) return later(reasonOf(error.failure));
    const name = systemErrorName(error);
    if (name === undefined) throw error;
    return later(`the system reported an error (${name})`);
  }
}

const reasonOf = ({ message }: Failure): string => message.replace(/\.$/, '');

async function listFolder(
  gate: RootGate,
  top: string,
  device: bigint,
  signal: AbortSignal,
): Promise<Result<Listing, Obstacle>> {
  const files: ExportFile[] = [];
  const folders: string[] = [];
  const open = [''];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (path.split('/').length > DEEPEST) return refused('its folders are nested too deeply');
    if (files.length > MOST_FILES) return refused('it contains too many files');
    const { entries, unreadable } = await readEntries(gate, join(top, path), 0n, signal);
    if (unreadable.length > 0) return refused('a name in it cannot be read');
    for (const { name } of entries) {
      const inner = path === '' ? name : `${path}/${name}`;
      const shown = visibleName(inner);
      const stats = await statOf(gate, join(top, inner), signal);
      if (stats === undefined) return later(`${shown} disappeared`);
      if (stats.isDirectory() && stats.dev === device) {
        folders.push(inner);
        open.push(inner);
        continue;
      }
      const problem = fileProblem(stats, device);
      if (problem !== undefined) return refused(`${shown} ${problem}`);
      files.push({ path: inner, ...versionOf(stats) });
    }
  }
  return ok({ files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)), folders });
}

/** The given files that exist. */
async function listLoose(
  gate: RootGate,
  rootPath: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Result<Listing, Obstacle>> {
  const files: ExportFile[] = [];
  const root = await gate.run(() => fsPromises.realpath(rootPath), signal);
  const top = await gate.run(() => fsPromises.lstat(root, { bigint: true }), signal);
  for (const path of paths.toSorted()) {
    const shown = visibleName(path);
    if (!isPlainPath(path)) return refused(`${shown} could lead outside its folder`);
    const stats = await statOf(gate, join(rootPath, path), signal);
    if (stats === undefined) continue;
    const problem = fileProblem(stats, top.dev);
    if (problem !== undefined) return refused(`${shown} ${problem}`);
    if ((await gate.run(() => fsPromises.realpath(join(rootPath, path)), signal)) !== join(root, path))
      return refused(`${shown} is reached through a link`);
    files.push({ path, ...versionOf(stats) });
  }
  return ok({ files, folders: [] });
}

/** Why an entry is not a plain file on the root's own disk; undefined: it is one. */
function fileProblem(stats: BigIntStats, device: bigint): string | undefined {
  if (stats.dev !== device) return 'is on another disk';
  if (!stats.isFile()) return 'is not a regular file';
  return stats.nlink === 1n ? undefined : 'has another hard link';
}

/** Copies a file and syncs it, keeping its times. An unfinished copy is replaced. */
async function copyOne(
  { gates, signal }: Pick<Deps, 'gates' | 'signal'>,
  source: Parameters<typeof openSource>[1],
  copy: string,
  file: PlannedFile,
): Promise<Result<void, Obstacle>> {
  const path = join(copy, file.path);
  await fsPromises.mkdir(dirname(path), { recursive: true });
  await fsPromises.unlink(path).catch((error: unknown) => {
    if (systemErrorName(error) !== 'ENOENT') throw error;
  });
  const opened = await openSource(gates, source, signal);
  if (!opened.ok) return later(reasonOf(opened.error));
  await using handle = await fsPromises.open(path, 'wx');
  try {
    const buffer = new Uint8Array(CHUNK_BYTES);
    for (let position = 0; position < file.sizeBytes; position += CHUNK_BYTES) {
      const length = Math.min(CHUNK_BYTES, file.sizeBytes - position);
      const read = await opened.value.readExactly(buffer, length, position, signal);
      if (!read.ok) return later(reasonOf(read.error));
      await handle.writeFile(buffer.subarray(0, length));
    }
    const same = await opened.value.verifyUnchanged();
    if (!same.ok) return later(reasonOf(same.error));
    await handle.sync();
  } finally {
    opened.value.release();
  }
  const seconds = Number(BigInt(file.mtimeNs) / 1_000_000n) / 1000;
  await fsPromises.utimes(path, seconds, seconds);
  return ok(undefined);
}

/** Makes the rename survive a power cut; Windows has no such call. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await fsPromises.open(folder, 'r');
  await handle.sync();
}
