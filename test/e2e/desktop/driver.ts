import type { Page } from '@playwright/test';
import type { DoubleControl, DoubleOptions, SystemControl } from '../../electron-double/control.ts';

/** What the app runs on: the substitute, or the real runtime. */
export type DriverKind = 'double' | 'electron';

/** How the app is started. */
export interface LaunchOptions {
  /** Folder in which all folders of the system lie for this run: settings, data, logs. */
  readonly home: string;
  /** Where Linux keeps the data of programs. */
  readonly dataHome: string;
  /** Arguments after the program's own. */
  readonly args: readonly string[];
  /** The key store that Linux offers, and what Chromium takes it for; the double only. */
  readonly keys?: Pick<DoubleOptions, 'keyBackend' | 'keyStore'>;
  /** What of the system is not as on most desks; the double only. */
  readonly oddities?: Pick<DoubleOptions, 'notifications' | 'tray'>;
  /** The app as an installer leaves it; the double only. */
  readonly installed?: InstalledCopy;
  /** Where the windows are shown; default: a Chromium that is started with the app. The double only. */
  readonly chromium?: SharedChromium;
}

/** A Chromium in which one app after another shows its windows. */
export interface SharedChromium {
  readonly socket: string;
  /** Settles when the pages of the app before are gone. */
  untilEmpty(): Promise<void>;
}

/** A copy of the app that was installed. */
export interface InstalledCopy {
  /** Its built main program. */
  readonly main: string;
  readonly resourcesPath: string;
  /** What its starter and the system add to the environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The app as it runs, with the person and the system around it. */
export interface RunningApp {
  readonly kind: DriverKind;
  readonly system: SystemControl;
  /** What only the double can show. */
  readonly double: DoubleControl | undefined;
  /** The window's page. Asks again after the page was made anew. */
  page(): Promise<Page>;
  /** Drops files or folders on the middle of the window. */
  drop(paths: readonly string[]): Promise<void>;
  /** Starts the program a second time; answers its exit code. */
  startAgain(args: readonly string[]): Promise<number>;
  /** As the system or a person ends a process by name; not on Windows, where nothing of it is heard. */
  signal(name: 'SIGTERM' | 'SIGINT' | 'SIGHUP'): void;
  /** Settles with the exit code when the program has ended. */
  readonly ended: Promise<number>;
  /** What the program wrote to its streams. */
  output(): string;
  /** Ends it in whatever state it is. */
  kill(): Promise<void>;
}

/** A driver: how the app is started on one kind of runtime. */
export type Launch = (options: LaunchOptions) => Promise<RunningApp>;

/** Variables that put every folder of the system below `home`, on each platform, and that of data where it is said. */
export function homeEnvironment({
  home,
  dataHome,
}: Pick<LaunchOptions, 'home' | 'dataHome'>): Readonly<Record<string, string>> {
  return {
    HOME: home,
    USERPROFILE: home,
    CFFIXED_USER_HOME: home,
    XDG_CONFIG_HOME: `${home}/.config`,
    XDG_DATA_HOME: dataHome,
    XDG_STATE_HOME: `${home}/.local/state`,
    XDG_CACHE_HOME: `${home}/.cache`,
    APPDATA: `${home}/AppData/Roaming`,
    LOCALAPPDATA: `${home}/AppData/Local`,
  };
}

/** A drop as the system tells Chromium of it: the same on both runtimes. */
export async function dispatchDrop(page: Page, paths: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const [x, y] = await page.evaluate(() => [innerWidth / 2, innerHeight / 2] as const);
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x, y, data });
  await session.detach();
}

/** True for the window's own page: the hidden one that makes pictures, and one that loads nothing yet, are not it. */
export function isWindowPage(url: string): boolean {
  const { protocol, hostname, pathname } = new URL(url);
  const isOurs = protocol === 'app:' ? hostname === 'desk' : hostname === 'desk.app.invalid';
  return isOurs && !pathname.endsWith('thumbnailer.html');
}
