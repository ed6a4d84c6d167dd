import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { fixPlaces } from '../../../electron/desktop/app-places.ts';

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

function createApp(profile?: string, isSelfTest = false) {
  const home = mkdtempSync(join(tmpdir(), 'app-places-'));
  made.push(home);
  const paths = new Map([
    ['appData', join(home, 'roaming')],
    ['userData', profile ?? join(home, 'roaming', 'VMS Export Agent')],
  ]);
  const app = {
    // Logs lie below the profile, wherever that is
    getPath: (name: string) => (name === 'logs' ? `${paths.get('userData')}/logs` : (paths.get(name) ?? '')),
    setPath: (name: string, path: string) => void paths.set(name, path),
    commandLine: {
      hasSwitch: (name: string) =>
        (name === 'user-data-dir' && profile !== undefined) || (name === 'selftest' && isSelfTest),
    },
  };
  const system = { platform: 'linux', environment: {}, homeDir: home } as const;
  return { home, places: fixPlaces(app, system) };
}

describe('where the app keeps things', () => {
  it('is where the command line looks: one configuration and one queue for one PC', () => {
    const { home, places } = createApp();
    expect(places).toEqual({
      userData: join(home, 'roaming', 'vms-export-agent'),
      accountData: join(home, 'roaming', 'vms-export-agent'),
      isSelfTest: false,
      settingsFile: join(home, 'roaming', 'vms-export-agent', 'vms-export-agent.json'),
      dataDir: join(home, '.local', 'share', 'vms-export-agent'),
      logs: join(home, 'roaming', 'vms-export-agent', 'logs'),
    });
    // Other accounts have no business in it
    expect(statSync(places.userData).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o700);
  });

  it('is all in the profile when a start names one', () => {
    const { home, places } = createApp('/profiles/second');
    expect(places).toEqual({
      userData: '/profiles/second',
      accountData: join(home, 'roaming', 'vms-export-agent'),
      isSelfTest: false,
      settingsFile: '/profiles/second/vms-export-agent.json',
      dataDir: '/profiles/second/queue',
      logs: '/profiles/second/logs',
    });
  });

  it('is nowhere near the desk of this account while the program tests itself', () => {
    const { home, places } = createApp(undefined, true);
    made.push(places.userData);
    for (const place of [places.userData, places.settingsFile, places.dataDir, places.logs])
      expect(place.startsWith(home)).toBe(false);
    expect(places.accountData.startsWith(home)).toBe(true);
  });
});
