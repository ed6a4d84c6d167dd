import { posix, win32 } from 'node:path';

/** What the place of files depends on. */
export interface Places {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
  /** Where relative paths of the command line begin. */
  readonly workingDir: string;
}

/** The places of an account, wherever it works. */
type AccountPlaces = Omit<Places, 'workingDir'>;

const PROGRAM = 'vms-export-agent';
/** Name of the configuration in the folder of the account. */
export const CONFIG_NAME = `${PROGRAM}.json`;

/** Where the queue is kept when `--data-dir` does not say: local and not roaming on every system. */
export function defaultDataDir(places: AccountPlaces): string {
  switch (places.platform) {
    case 'win32':
      return win32.join(windowsDir(places, 'LOCALAPPDATA', 'Local'), PROGRAM);
    case 'darwin':
      return posix.join(places.homeDir, 'Library', 'Application Support', PROGRAM);
    default:
      return posix.join(xdgDir(places, 'XDG_DATA_HOME', '.local/share'), PROGRAM);
  }
}

/**
 * The configuration that is used when `--config` does not name one. The working folder is not looked at: whoever can
 * write there would decide where the key goes.
 */
export function defaultConfigFile(places: AccountPlaces): string {
  switch (places.platform) {
    case 'win32':
      return win32.join(windowsDir(places, 'APPDATA', 'Roaming'), PROGRAM, CONFIG_NAME);
    case 'darwin':
      return posix.join(places.homeDir, 'Library', 'Application Support', PROGRAM, CONFIG_NAME);
    default:
      return posix.join(xdgDir(places, 'XDG_CONFIG_HOME', '.config'), PROGRAM, CONFIG_NAME);
  }
}

// The specification of these variables says that relative values are to be ignored
function xdgDir(places: AccountPlaces, name: string, fallback: string): string {
  const value = places.environment[name];
  return value?.startsWith('/') ? value : posix.join(places.homeDir, fallback);
}

function windowsDir(places: AccountPlaces, name: string, fallback: string): string {
  const value = places.environment[name];
  return value !== undefined && win32.isAbsolute(value)
    ? value
    : win32.join(places.homeDir, 'AppData', fallback);
}
