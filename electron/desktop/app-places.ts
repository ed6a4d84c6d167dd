import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultDataDir, type Places } from '../agent/index.ts';
import type { ElectronApi } from './electron-api.ts';

/** Folder and file name as the command line has them: one PC has one configuration and one queue. */
const PROGRAM = 'vms-export-agent';
/** Chromium's switch for another profile; then everything of this run lies there. */
const PROFILE_SWITCH = 'user-data-dir';
/** Tries the program on this system (self-test/self-test.ts). */
const SELF_TEST = 'selftest';

/** Chromium's profile and the settings lie there, whose files may have any mode. */
const OWNER_ONLY = 0o700;

/** Where the app keeps what it keeps; absolute. */
export interface AppPlaces {
  /** What is this app's alone: choices, window, encrypted key. */
  readonly userData: string;
  /** The same of this account, where a run with a profile of its own keeps elsewhere. */
  readonly accountData: string;
  readonly isSelfTest: boolean;
  readonly settingsFile: string;
  /** The queue, which must lie on a local disk. */
  readonly dataDir: string;
  readonly logs: string;
}

/** The folder of this account, whatever the switches of a start say. */
export const accountFolder = (app: Pick<ElectronApi['app'], 'getPath'>): string =>
  join(app.getPath('appData'), PROGRAM);

type PlacesApp = Pick<ElectronApi['app'], 'getPath' | 'setPath'> & {
  readonly commandLine: Pick<ElectronApi['app']['commandLine'], 'hasSwitch'>;
};

/**
 * Fixes the places; to be called before the single-instance lock, which lies among them. A configuration in the
 * working folder is not looked for: whoever can put one there would say where the key goes.
 */
export function fixPlaces(app: PlacesApp, system: Omit<Places, 'workingDir'>): AppPlaces {
  const isSelfTest = app.commandLine.hasSwitch(SELF_TEST);
  const hasNamedProfile = app.commandLine.hasSwitch(PROFILE_SWITCH);
  const hasOwnProfile = hasNamedProfile || isSelfTest;
  const accountData = accountFolder(app);
  // A test must find neither the queue nor the key of a desk that works
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
    isSelfTest,
    settingsFile: join(userData, `${PROGRAM}.json`),
    dataDir: hasOwnProfile ? join(userData, 'queue') : defaultDataDir(system),
    logs: app.getPath('logs'),
  };
}
