import { access } from 'node:fs/promises';
import { posix, win32 } from 'node:path';

/** What the place of files depends on. */
export interface Places {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
  readonly workingDir: string;
}

const PROGRAM = 'vms-export-agent';
const CONFIG_NAME = `${PROGRAM}.json`;

/** Where the queue is kept when `--data-dir` does not say: local and not roaming on every system. */
export function defaultDataDir(places: Places): string {
  switch (places.platform) {
    case 'win32':
      return win32.join(windowsDir(places, 'LOCALAPPDATA', 'Local'), PROGRAM);
    case 'darwin':
      return posix.join(places.homeDir, 'Library', 'Application Support', PROGRAM);
    default:
      return posix.join(xdgDir(places, 'XDG_DATA_HOME', '.local/share'), PROGRAM);
  }
}

/** Where a configuration is looked for when `--config` does not say, in order. */
export function configCandidates(places: Places): readonly string[] {
  switch (places.platform) {
    case 'win32':
      return [
        win32.join(places.workingDir, CONFIG_NAME),
        win32.join(windowsDir(places, 'APPDATA', 'Roaming'), PROGRAM, CONFIG_NAME),
      ];
    case 'darwin':
      return [
        posix.join(places.workingDir, CONFIG_NAME),
        posix.join(places.homeDir, 'Library', 'Application Support', PROGRAM, CONFIG_NAME),
      ];
    default:
      return [
        posix.join(places.workingDir, CONFIG_NAME),
        posix.join(xdgDir(places, 'XDG_CONFIG_HOME', '.config'), PROGRAM, CONFIG_NAME),
      ];
  }
}

/**
 * The configuration file to use: the named one, else the first that exists, else the one in the user's folder, where it
 * is to be made: from there it is found whatever folder the program is started in.
 */
export async function locateConfig(named: string | undefined, places: Places): Promise<string> {
  if (named !== undefined) return named;
  const candidates = configCandidates(places);
  for (const candidate of candidates) {
    if (await exists(candidate)) return candidate;
  }
  return candidates.at(-1) ?? CONFIG_NAME;
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    // Only a file that is not there lets the next place count; what cannot be read is said.
    (error: unknown) => !(error instanceof Error && 'code' in error && error.code === 'ENOENT'),
  );

// The specification of these variables says that relative values are to be ignored
function xdgDir(places: Places, name: string, fallback: string): string {
  const value = places.environment[name];
  return value?.startsWith('/') ? value : posix.join(places.homeDir, fallback);
}

function windowsDir(places: Places, name: string, fallback: string): string {
  const value = places.environment[name];
  return value !== undefined && win32.isAbsolute(value)
    ? value
    : win32.join(places.homeDir, 'AppData', fallback);
}
