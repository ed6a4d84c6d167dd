import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { getSystemErrorName } from 'node:util';
import { getEnvironmentData, isMainThread, setEnvironmentData, Worker } from 'node:worker_threads';
import type { WorkerThreads } from '../../electron/agent/ports.ts';

/**
 * File system faults for tests, in this thread and in the worker threads that `faultyThreads` starts: operations under
 * a folder fail with exactly the error that Node would make, or hang until the fault ends. Threads share the faults
 * through shared memory.
 */
export type FaultyOperation = 'list' | 'stat' | 'open' | 'read' | 'fstat' | 'close';

/** A fault and the operations that it affects. */
export interface FileFault {
  readonly operations: readonly FaultyOperation[];
  /** Number of the error, as in `errno.h`; 0: operations hang. */
  readonly errno: number;
  /** Operations under the folder that still succeed before the fault begins (default 0). */
  readonly after?: number;
  /** Limits the fault to paths that contain this. */
  readonly only?: string;
}

/** The faults of one folder. */
export interface FaultZone {
  begin(fault: FileFault): void;
  /** Ends the fault; hanging operations continue. */
  end(): void;
  /** Number of operations that were affected. */
  hits(): number;
}

const OPERATIONS: readonly FaultyOperation[] = ['list', 'stat', 'open', 'read', 'fstat', 'close'];
const KEY = 'test-file-faults';
/** Indexes in the shared memory of a zone. */
const MASK = 0;
const ERRNO = 1;
const LEFT = 2;
const HITS = 3;
const LENGTH = 4;

interface Zone {
  readonly folder: string;
  readonly only: Uint8Array;
  readonly words: Int32Array;
}

const zones = (): Zone[] => {
  const known = getEnvironmentData(KEY);
  return Array.isArray(known) ? known : [];
};
/** Hanging operations of this thread: the function that lets each continue, and its zone's folder. */
const hanging = new Map<() => void, string>();
const paths = new Map<number, string>();
let isInstalled = false;

/** Creates a zone; worker threads started earlier do not know it. */
export function createFaultZone(folder: string): FaultZone {
  install();
  const words = new Int32Array(new SharedArrayBuffer(LENGTH * 4));
  const only = new Uint8Array(new SharedArrayBuffer(64));
  setEnvironmentData(KEY, [...zones(), { folder, only, words }]);
  return {
    begin({ operations, errno, after = 0, only: part = '' }) {
      only.fill(0);
      only.set(Buffer.from(part));
      Atomics.store(words, ERRNO, errno);
      Atomics.store(words, LEFT, after);
      Atomics.store(words, HITS, 0);
      Atomics.store(
        words,
        MASK,
        operations.reduce((mask, name) => mask | (1 << OPERATIONS.indexOf(name)), 0),
      );
    },
    end() {
      Atomics.store(words, MASK, 0);
      Atomics.notify(words, MASK);
      for (const [goOn, zone] of hanging) if (zone === folder) goOn();
    },
    hits: () => Atomics.load(words, HITS),
  };
}

/** Threads that know the zones. */
export const faultyThreads: WorkerThreads = {
  take: (entry, options) => new Worker(entry, { ...options, execArgv: ['--import', import.meta.url] }),
  async giveBack(worker) {
    await worker.terminate();
  },
};

function hitOf(operation: FaultyOperation, path: unknown): Zone | undefined {
  const text = String(path);
  const bit = 1 << OPERATIONS.indexOf(operation);
  for (const zone of zones()) {
    if (text !== zone.folder && !text.startsWith(`${zone.folder}/`)) continue;
    if ((Atomics.load(zone.words, MASK) & bit) === 0) continue;
    const only = Buffer.from(zone.only.filter((byte) => byte !== 0)).toString();
    if (!text.includes(only)) continue;
    if (Atomics.sub(zone.words, LEFT, 1) > 0) continue;
    Atomics.store(zone.words, LEFT, 0);
    Atomics.add(zone.words, HITS, 1);
    return zone;
  }
  return undefined;
}

function errorOf({ words }: Zone, syscall: string, path: unknown): Error {
  const errno = -Atomics.load(words, ERRNO);
  const code = getSystemErrorName(errno);
  return Object.assign(new Error(`${code}: ${code}, ${syscall} '${String(path)}'`), { errno, code, syscall });
}

const isHang = ({ words }: Zone): boolean => Atomics.load(words, ERRNO) === 0;

async function guarded<T>(operation: FaultyOperation, path: unknown, work: () => Promise<T>): Promise<T> {
  const zone = hitOf(operation, path);
  if (zone === undefined) return work();
  if (!isHang(zone)) {
    if (operation === 'close') await work();
    throw errorOf(zone, operation, path);
  }
  await new Promise<void>((resolve) => {
    const goOn = (): void => {
      hanging.delete(goOn);
      resolve();
    };
    hanging.set(goOn, zone.folder);
  });
  return work();
}

function guardedSync<T>(operation: FaultyOperation, path: unknown, work: () => T): T {
  const zone = hitOf(operation, path);
  if (zone === undefined) return work();
  if (!isHang(zone)) {
    if (operation === 'close') work();
    throw errorOf(zone, operation, path);
  }
  // Like a system call that does not return: the thread can do nothing else
  for (let mask = Atomics.load(zone.words, MASK); mask !== 0; mask = Atomics.load(zone.words, MASK))
    Atomics.wait(zone.words, MASK, mask, 1_000);
  return work();
}

type AnyFunction = (...parameters: never[]) => unknown;

function install(): void {
  if (isInstalled) return;
  isInstalled = true;
  const plain = { ...fs, promises: { ...fs.promises } };
  const pathOf = (fd: number): string => paths.get(fd) ?? tryReadLink(plain.readlinkSync, fd);
  const replace = (target: object, name: string, made: AnyFunction): void => {
    Object.defineProperty(target, name, {
      value: made,
      writable: true,
      configurable: true,
      enumerable: true,
    });
  };
  for (const [name, operation] of [
    ['readdir', 'list'],
    ['lstat', 'stat'],
    ['stat', 'stat'],
    ['realpath', 'stat'],
  ] as const) {
    const real = plain.promises[name] as (...parameters: unknown[]) => Promise<unknown>;
    replace(fs.promises, name, (path: unknown, ...more: unknown[]) =>
      guarded(operation, path, () => real(path, ...more)),
    );
  }
  replace(fs.promises, 'opendir', async (path: string, options: fs.OpenDirOptions) => {
    const folder = await guarded('list', path, () => plain.promises.opendir(path, options));
    const read = folder.read.bind(folder);
    replace(folder, 'read', () => guarded('list', path, () => read()));
    return folder;
  });
  replace(fs.promises, 'open', async (path: string, ...more: [string | number]) => {
    const handle = await guarded('open', path, () => plain.promises.open(path, ...more));
    for (const [name, operation] of [
      ['read', 'read'],
      ['stat', 'fstat'],
      ['close', 'close'],
    ] as const) {
      const real = (handle[name] as (...parameters: unknown[]) => Promise<unknown>).bind(handle);
      replace(handle, name, (...parameters: unknown[]) =>
        guarded(operation, path, () => real(...parameters)),
      );
    }
    return handle;
  });
  for (const [name, operation] of [
    ['lstatSync', 'stat'],
    ['statSync', 'stat'],
  ] as const) {
    const real = plain[name] as (...parameters: unknown[]) => unknown;
    replace(fs, name, (path: unknown, ...more: unknown[]) =>
      guardedSync(operation, path, () => real(path, ...more)),
    );
  }
  replace(fs, 'openSync', (path: string, ...more: [string | number]) => {
    const fd = guardedSync('open', path, () => plain.openSync(path, ...more));
    paths.set(fd, path);
    return fd;
  });
  for (const [name, operation] of [
    ['readSync', 'read'],
    ['fstatSync', 'fstat'],
    ['closeSync', 'close'],
  ] as const) {
    const real = plain[name] as (...parameters: unknown[]) => unknown;
    replace(fs, name, (fd: number, ...more: unknown[]) => {
      const path = zones().length === 0 ? '' : pathOf(fd);
      if (operation === 'close') paths.delete(fd);
      return guardedSync(operation, path, () => real(fd, ...more));
    });
  }
  syncBuiltinESMExports();
}

/** The path of a descriptor that another thread opened. */
function tryReadLink(readLink: typeof fs.readlinkSync, fd: number): string {
  try {
    return readLink(`/proc/self/fd/${fd}`);
  } catch {
    return '';
  }
}

if (!isMainThread && getEnvironmentData(KEY) !== undefined) install();
