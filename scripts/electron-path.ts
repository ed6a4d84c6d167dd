import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where to look; the environment may name another folder with an unpacked runtime. */
export interface ElectronPlaces {
  /** Folder of the `electron` package. */
  readonly packageDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
}

/**
 * The Electron runtime's executable, or undefined when it is not there. Looks for the files themselves: importing the
 * package would start a download.
 */
export function findElectron({
  packageDir,
  environment,
  platform = process.platform,
}: ElectronPlaces): string | undefined {
  const executable = executableName(packageDir);
  const override = environment['ELECTRON_OVERRIDE_DIST_PATH'];
  const path = override
    ? join(override, executable ?? usualName(platform))
    : executable && join(packageDir, 'dist', executable);
  return path !== undefined && existsSync(path) ? path : undefined;
}

/** Inside an unpacked runtime, as the package's installer would write it. */
function usualName(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron';
  return platform === 'win32' ? 'electron.exe' : 'electron';
}

/** Written by the package's installer when the runtime is in place; it differs by platform. */
function executableName(packageDir: string): string | undefined {
  const file = join(packageDir, 'path.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}
