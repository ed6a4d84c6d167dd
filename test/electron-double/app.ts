import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { relaunch } from './relaunch.ts';
import { preventable, strict } from './strict.ts';

export interface AppNeeds {
  readonly home: string;
  readonly appPath: string;
  readonly isPackaged: boolean;
  readonly resourcesPath?: string;
  readonly windows: () => readonly { readonly window: Electron.BrowserWindow }[];
}

/** The app object, and what the double itself does with it. */
export interface DoubleApp {
  readonly app: Electron.App;
  readonly events: EventEmitter;
  readonly isReady: () => boolean;
}

/** A second start as the first instance sees it. */
interface SecondStart {
  readonly args: readonly string[];
  readonly workingDir: string;
}

/** An hour: any interval keeps the process alive until the app quits, as Electron's loop does. */
const HOLD_MS = 3_600_000;

export function createApp(needs: AppNeeds): DoubleApp {
  const { home, appPath, isPackaged, windows } = needs;
  const events = new EventEmitter();
  const { name, version } = JSON.parse(readFileSync(join(appPath, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  const hold = setInterval(() => undefined, HOLD_MS);
  let isReady = false;
  let isQuitting = false;
  let appName = name;
  const paths = new Map<string, string>();

  const ready = new Promise<void>((resolve) => {
    // Electron becomes ready some time after the entry module has run, never during it.
    setTimeout(() => {
      isReady = true;
      events.emit('will-finish-launching');
      events.emit('ready', preventable({}), {});
      resolve();
    }, 1);
  });

  function getPath(which: string): string {
    const set = paths.get(which);
    if (set !== undefined) return set;
    const userData = paths.get('userData') ?? switchValue('user-data-dir') ?? join(home, '.config', appName);
    const usual: Readonly<Record<string, string>> = {
      home: homedir(),
      appData: join(home, '.config'),
      userData,
      logs: join(userData, 'logs'),
      desktop: join(home, 'Desktop'),
      exe: process.execPath,
    };
    const path = usual[which];
    if (path === undefined) throw new Error(`Failed to get '${which}' path`);
    return path;
  }

  function end(code: number): void {
    clearInterval(hold);
    events.emit('quit', preventable({}), code);
    process.exit(code);
  }
  function quit(): void {
    if (isQuitting) return;
    isQuitting = true;
    const before = preventable({});
    events.emit('before-quit', before);
    isQuitting = !before.defaultPrevented;
    if (!isQuitting) return;
    for (const { window } of windows()) window.close();
    // A window that stays open keeps the app running.
    if (windows().length > 0) return void (isQuitting = false);
    const will = preventable({});
    events.emit('will-quit', will);
    isQuitting = !will.defaultPrevented;
    if (isQuitting) end(0);
  }

  if (isPackaged) standInstalled(needs.resourcesPath);
  // Each profile has its own lock
  let lock = '';
  const handovers = (): string => join(getPath('userData'), 'second-starts');

  /** Written synchronously: this start ends right after it. */
  function handOver(start: SecondStart): void {
    const file = join(handovers(), String(process.pid));
    writeFileSync(file, JSON.stringify(start));
    renameSync(file, `${file}.json`);
  }

  function takeHandovers(): void {
    mkdirSync(handovers(), { recursive: true });
    watch(handovers(), { persistent: false }, (_, name) => {
      const file = join(handovers(), String(name));
      if (!file.endsWith('.json') || !existsSync(file)) return;
      const { args, workingDir } = JSON.parse(readFileSync(file, 'utf8')) as SecondStart;
      rmSync(file);
      events.emit('second-instance', preventable({}), args, workingDir, {});
    });
  }

  function requestSingleInstanceLock(): boolean {
    lock = join(getPath('userData'), 'single-instance.lock');
    mkdirSync(dirname(lock), { recursive: true });
    if (existsSync(lock) && isAlive(Number(readFileSync(lock, 'utf8')))) {
      handOver({ args: asChromiumTells(process.argv), workingDir: process.cwd() });
      return false;
    }
    writeFileSync(lock, String(process.pid));
    takeHandovers();
    process.once('exit', () => rmSync(lock, { force: true }));
    return true;
  }

  // An app that does not listen for the last window to close ends with it.
  events.on('window-all-closed', () => {
    if (events.listenerCount('window-all-closed') === 1 && !isQuitting) quit();
  });
  return {
    events,
    isReady: () => isReady,
    app: strict<Electron.App>(
      'app',
      {
        isPackaged,
        get name() {
          return appName;
        },
        set name(next: string) {
          appName = next;
        },
        commandLine: strict<Electron.CommandLine>('commandLine', {
          hasSwitch: (wanted) =>
            process.argv.some((arg) => arg === `--${wanted}` || arg.startsWith(`--${wanted}=`)),
        }),
        dock: undefined,
        getVersion: () => version,
        getPath,
        setPath: (which, path) => void paths.set(which, path),
        isReady: () => isReady,
        whenReady: () => ready,
        enableSandbox() {
          if (isReady) throw new Error('app.enableSandbox() can only be called before app is ready');
        },
        requestSingleInstanceLock,
        disableHardwareAcceleration() {
          if (isReady)
            throw new Error('app.disableHardwareAcceleration() can only be called before app is ready');
          process.stdout.write('electron-double: no hardware acceleration\n');
        },
        getGPUFeatureStatus: () => ({ gpu_compositing: 'disabled_software' }) as Electron.GPUFeatureStatus,
        relaunch: (how) => relaunch(how, isPackaged),
        releaseSingleInstanceLock: () => rmSync(lock, { force: true }),
        // Runs a system program and waits for it on the app's loop; would override what a person chose
        setAsDefaultProtocolClient: () => refuseOnLinux('setAsDefaultProtocolClient'),
        isDefaultProtocolClient: () => false,
        setAppUserModelId: () => undefined,
        getLoginItemSettings: () =>
          strict<Electron.LoginItemSettings>('loginItem', { openAtLogin: false, wasOpenedAtLogin: false }),
        // Does nothing there, silently
        setLoginItemSettings: () => refuseOnLinux('setLoginItemSettings'),
        focus: () => windows()[0]?.window.focus(),
        quit,
        exit: (code) => end(code ?? 0),
      },
      events,
    ),
  };
}

/** The double behaves like Linux. Calls that make no sense there are a mistake that must not go unnoticed. */
function refuseOnLinux(name: string): never {
  throw new Error(`electron-double: app.${name} is for Windows and macOS.`);
}

/** Value of one of Chromium's own switches; the last occurrence counts. */
function switchValue(name: string): string | undefined {
  const start = `--${name}=`;
  return process.argv.findLast((each) => each.startsWith(start))?.slice(start.length);
}

/** Arguments as Chromium passes them on: switches before everything else, with some of its own among them. */
function asChromiumTells([program = '', ...args]: readonly string[]): readonly string[] {
  const isSwitch = (text: string): boolean => text.startsWith('-');
  const switches = args.filter(isSwitch);
  const plain = args.filter((text) => !isSwitch(text));
  return [program, ...switches, '--allow-file-access-from-files', '--enable-features=X', ...plain];
}

/**
 * Sets the resources path and the arguments as an installed app sees them: its own arguments follow the program
 * directly.
 */
function standInstalled(resourcesPath: string | undefined): void {
  process.argv.splice(1, 1);
  Object.defineProperty(process, 'resourcesPath', { value: resourcesPath });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
