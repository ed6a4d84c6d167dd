import { isAbsolute, resolve, join } from 'node:path';
import { statOnDisk, type Logger } from '../agent/index.ts';
import type { MainWindow } from './window/main-window.ts';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { defaultDataDir, type Places } from '../agent/index.ts';
import type { ElectronApi } from './electron-api.ts';

/** Starts the app without a window; used at sign-in. */
export const HIDDEN_SWITCH = '--hidden';
/** Most folders accepted from one start; nobody looks through more previews. */
const MOST_FOLDERS = 50;

/** What a start of the app asks for. */
export interface StartWish {
  readonly isHidden: boolean;
  /** Absolute paths; whether they are folders is checked later. */
  readonly folders: readonly string[];
  readonly incidentId?: string;
}

/**
 * Reads the arguments after the program's own name (and, in development, after the app's path). An argument that starts
 * with a dash is a switch of Chromium or ours, never a folder: a link or a shortcut could otherwise control the app.
 * Relative paths are relative to the folder that the app was started in. A start by a link accepts nothing else:
 * whoever wrote the link may have written the other arguments too.
 */
export function readStartArguments(args: readonly string[], workingDir: string): StartWish {
  const plain = args.filter((each) => each !== '' && !each.startsWith('-'));
  const isLink = (text: string): boolean => text.toLowerCase().startsWith(`${LINK_SCHEME}:`);
  const links = plain.filter(isLink);
  const [link] = links.flatMap((text) => parseDeepLink(text) ?? []);
  const folders = links.length > 0 ? [] : plain.filter((text) => !/^[a-z][a-z0-9+.-]+:/i.test(text));
  return {
    isHidden: args.includes(HIDDEN_SWITCH),
    folders: [...new Set(folders.map((path) => (isAbsolute(path) ? path : resolve(workingDir, path))))].slice(
      0,
      MOST_FOLDERS,
    ),
    ...link,
  };
}

/** The scheme of links into the app, without the colon. */
export const LINK_SCHEME = 'vms-export-agent';

/** Longest link that is read, characters; those that the app hands out are shorter. */
const LONGEST_LINK = 200;

/** Links name only incidents, whose IDs are UUIDs. */
const LINK =
  /^vms-export-agent:\/\/incident\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\/?$/;

/**
 * The incident that a link names; undefined for anything else. A link can only show something, never change or send it:
 * anyone may have got the person to click it.
 */
export function parseDeepLink(text: string): { readonly incidentId: string } | undefined {
  if (text.length > LONGEST_LINK) return undefined;
  const incidentId = LINK.exec(text)?.[1];
  return incidentId === undefined ? undefined : { incidentId };
}

/** The part of Electron's API for other starts and links that is used. */
interface StartSource {
  on(
    event: 'second-instance',
    listener: (event: unknown, argv: string[], workingDir: string) => void,
  ): unknown;
  on(event: 'open-url', listener: (event: { preventDefault(): void }, url: string) => void): unknown;
  on(event: 'activate', listener: () => void): unknown;
  setAsDefaultProtocolClient(protocol: string): boolean;
}

interface Deps {
  readonly app: StartSource;
  readonly window: Pick<MainWindow, 'bringToFront' | 'tell'>;
  /** Number of arguments before the user's own: the program, and in development the app's path. */
  readonly ownArguments: number;
  /**
   * The app registers itself for its links. On Linux the package's own entry does, and a person may choose otherwise.
   */
  readonly registersLinks: boolean;
  readonly logger: Logger;
}

/** Passes on to the window what later starts and links ask for; `take` does the same for this start. */
export function followStartRequests(deps: Deps): {
  readonly take: (wish: StartWish) => Promise<void>;
} {
  const { app, window, ownArguments, registersLinks, logger } = deps;

  async function take({ isHidden, folders, incidentId }: StartWish): Promise<void> {
    if (!isHidden) window.bringToFront();
    const paths = await onlyFolders(folders);
    if (paths.length < folders.length)
      logger.info('Items opened with the app that are not folders were skipped', {
        named: folders.length,
        taken: paths.length,
      });
    if (paths.length > 0) window.tell({ kind: 'addFolders', paths });
    if (incidentId !== undefined) window.tell({ kind: 'showIncident', incidentId });
  }

  app.on('second-instance', (_, argv, workingDir) => {
    void take(readStartArguments(ofAnotherStart(argv, ownArguments), workingDir));
  });
  app.on('open-url', (event, url) => {
    event.preventDefault();
    const link = parseDeepLink(url);
    if (link === undefined) logger.info('An unknown link was not followed');
    else void take({ isHidden: false, folders: [], ...link });
  });
  app.on('activate', () => window.bringToFront());
  if (registersLinks && !app.setAsDefaultProtocolClient(LINK_SCHEME))
    logger.warn('The system did not register the app for its links', { scheme: LINK_SCHEME });
  return { take };
}

/**
 * Arguments of another start without the program's own. Chromium puts switches first, with some of its own among them;
 * of the rest, the first are the program's.
 */
function ofAnotherStart([, ...args]: readonly string[], ownArguments: number): readonly string[] {
  const isSwitch = (text: string): boolean => text.startsWith('-');
  const plain = args.filter((text) => !isSwitch(text));
  return [...args.filter(isSwitch), ...plain.slice(ownArguments - 1)];
}

async function onlyFolders(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    paths.map((path) =>
      statOnDisk(path).then(
        (stats) => stats.isDirectory(),
        () => false,
      ),
    ),
  );
  return paths.filter((_, index) => found[index] === true);
}

/** Folder and file name, as in the command line: one PC has one configuration and one queue. */
const PROGRAM = 'vms-export-agent';
/** Chromium's switch for another profile, which then has everything of this run. */
const PROFILE_SWITCH = 'user-data-dir';
/** Tests the program on this system (self-test/self-test.ts). */
const SELF_TEST = 'selftest';

/** Mode of the folder with Chromium's profile and the settings, whose files may have any mode. */
const OWNER_ONLY = 0o700;

/** Where the app keeps its files; absolute paths. */
export interface AppPlaces {
  /** The app's own files: choices, window position, encrypted key. */
  readonly userData: string;
  /** The account's `userData`, also when this run has its own profile. */
  readonly accountData: string;
  /** Arguments with which another start finds the same places; none for the account's own. */
  readonly profileArguments: readonly string[];
  readonly isSelfTest: boolean;
  readonly settingsFile: string;
  /** The queue, which must be on a local disk. */
  readonly dataDir: string;
  readonly logs: string;
}

/** The folder of this account, whatever switches a start has. */
export const accountFolder = (app: Pick<ElectronApi['app'], 'getPath'>): string =>
  join(app.getPath('appData'), PROGRAM);

type PlacesApp = Pick<ElectronApi['app'], 'getPath' | 'setPath'> & {
  readonly commandLine: Pick<ElectronApi['app']['commandLine'], 'hasSwitch'>;
};

/**
 * Sets the places. Call it before taking the single-instance lock, which is in one of them. No configuration is read
 * from the working folder: whoever can put one there could decide where the key is sent.
 */
export function fixPlaces(app: PlacesApp, system: Omit<Places, 'workingDir'>): AppPlaces {
  const isSelfTest = app.commandLine.hasSwitch(SELF_TEST);
  const hasNamedProfile = app.commandLine.hasSwitch(PROFILE_SWITCH);
  const hasOwnProfile = hasNamedProfile || isSelfTest;
  const accountData = accountFolder(app);
  // A self-test must find neither the queue nor the key of a working desk
  if (isSelfTest && !hasNamedProfile)
    app.setPath('userData', mkdtempSync(join(tmpdir(), `${PROGRAM}-selftest-`)));
  if (!hasOwnProfile) {
    mkdirSync(accountData, { recursive: true, mode: OWNER_ONLY });
    app.setPath('userData', accountData);
  }
  const userData = app.getPath('userData');
  return {
    userData,
    accountData,
    profileArguments: hasNamedProfile ? [`--${PROFILE_SWITCH}=${resolve(userData)}`] : [],
    isSelfTest,
    settingsFile: join(userData, `${PROGRAM}.json`),
    dataDir: hasOwnProfile ? join(userData, 'queue') : defaultDataDir(system),
    logs: app.getPath('logs'),
  };
}
