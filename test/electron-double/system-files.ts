import childProcess from 'node:child_process';
import fs, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { OPTIONS_VARIABLE, type DoubleOptions } from './control.ts';

/** Folder of an organisation's policy: owned by root, one for the whole PC. */
const SYSTEM_FOLDER = '/etc/vms-export-agent';

/**
 * Moves the system's folder into the run's home, where a test may write. To the app it still belongs to root; its modes
 * are the real ones.
 */
function moveSystemFolder(home: string): void {
  const { open, stat } = fs;
  const isMoved = (path: unknown): path is string =>
    path === SYSTEM_FOLDER || (typeof path === 'string' && dirname(path) === SYSTEM_FOLDER);
  const moved: typeof open = async (path, ...rest) => {
    if (!isMoved(path)) return open(path, ...rest);
    const handle = await open(join(home, path), ...rest);
    const facts = handle.stat.bind(handle);
    handle.stat = (async () => asRoots(await facts())) as FileHandle['stat'];
    return handle;
  };
  fs.open = moved;
  fs.stat = (async (path: string, ...rest: []) =>
    isMoved(path) ? asRoots(await stat(join(home, path))) : stat(path, ...rest)) as typeof stat;
  syncBuiltinESMExports();
}

const asRoots = <Facts extends object>(facts: Facts): Facts => Object.assign(facts, { uid: 0 });

const BUS_PROGRAM = '/usr/bin/gdbus';

/** Stands in for the session bus: it answers whether somebody shows tray icons, and nothing else. */
function standInForBus({ tray = 'shown' }: DoubleOptions): void {
  const { execFile } = childProcess;
  const run = promisify(execFile);
  const answering = {
    [promisify.custom]: async (file: string, ...rest: readonly unknown[]) =>
      file === BUS_PROGRAM
        ? { stdout: `(${String(tray === 'shown')},)\n`, stderr: '' }
        : Reflect.apply(run, undefined, [file, ...rest]),
  };
  childProcess.execFile = Object.assign(
    (...args: Parameters<typeof execFile>) => Reflect.apply(execFile, undefined, args),
    answering,
  ) as unknown as typeof execFile;
  syncBuiltinESMExports();
}

const options = JSON.parse(process.env[OPTIONS_VARIABLE] ?? '{}') as DoubleOptions;
moveSystemFolder(options.home);
standInForBus(options);
