import type { Page } from '@playwright/test';
import type { DoubleControl, DoubleOptions, SystemControl } from '../../electron-double/control.ts';

/** The app's runtime: the substitute, or the real one. */
export type DriverKind = 'double' | 'electron';

/** How the app is started. */
export interface LaunchOptions {
  /** Folder for all system folders of this run: settings, data, logs. */
  readonly home: string;
  /** The folder in which Linux keeps program data. */
  readonly dataHome: string;
  /** Arguments after the program's own. */
  readonly args: readonly string[];
  /** The key store that Linux offers, and Chromium's name for it; the double only. */
  readonly keys?: Pick<DoubleOptions, 'keyBackend' | 'keyStore'>;
  /** Ways in which the system differs from most desks; the double only. */
  readonly oddities?: Pick<DoubleOptions, 'notifications' | 'tray'>;
  /** The app as an installer leaves it; the double only. */
  readonly installed?: InstalledCopy;
  /** The Chromium that shows the windows; default: one that is started with the app. The double only. */
  readonly chromium?: SharedChromium;
}

/** A Chromium that shows the windows of one app after another. */
export interface SharedChromium {
  readonly socket: string;
  /** Settles when the pages of the previous app are gone. */
  untilEmpty(): Promise<void>;
}

/** An installed copy of the app. */
export interface InstalledCopy {
  /** Its built main program. */
  readonly main: string;
  readonly resourcesPath: string;
  /** Variables that its launcher and the system add to the environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The running app, with the person and the system around it. */
export interface RunningApp {
  readonly kind: DriverKind;
  readonly system: SystemControl;
  /** Controls that only the double has. */
  readonly double: DoubleControl | undefined;
  /** The window's page. Looks it up again after the page was recreated. */
  page(): Promise<Page>;
  /** Drops files or folders on the middle of the window. */
  drop(paths: readonly string[]): Promise<void>;
  /** Starts the program a second time; returns its exit code. */
  startAgain(args: readonly string[]): Promise<number>;
  /**
   * Ends the process as the system or a person does with a signal; not on Windows, where the process does not notice.
   */
  signal(name: 'SIGTERM' | 'SIGINT' | 'SIGHUP'): void;
  /** Settles with the exit code when the program has ended. */
  readonly ended: Promise<number>;
  /** The program's output on both streams. */
  output(): string;
  /** Kills it in whatever state it is. */
  kill(): Promise<void>;
}

/** A driver: how the app is started on one kind of runtime. */
export type Launch = (options: LaunchOptions) => Promise<RunningApp>;

/** Variables that put every system folder below `home` on each platform, and the data folder where `dataHome` says. */
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

/** A drop as the system reports it to Chromium: the same on both runtimes. */
export async function dispatchDrop(page: Page, paths: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const [x, y] = await page.evaluate(() => [innerWidth / 2, innerHeight / 2] as const);
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x, y, data });
  await session.detach();
}

/**
 * Whether it is the window's own page, not the hidden one that makes thumbnails or one that has not loaded anything
 * yet.
 */
export function isWindowPage(url: string): boolean {
  const { protocol, hostname, pathname } = new URL(url);
  const isOurs = protocol === 'app:' ? hostname === 'desk' : hostname === 'desk.app.invalid';
  return isOurs && !pathname.endsWith('thumbnailer.html');
}
