import { EventEmitter } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, afterEach } from 'vitest';
import { parseDeepLink, fixPlaces } from '../../../electron/desktop/start-requests.ts';
import { followStartRequests } from '../../../electron/desktop/start-requests.ts';
import { readStartArguments } from '../../../electron/desktop/start-requests.ts';
import { collectLog, createSeenWindow, makeFolder } from '../../helpers/desk-tools.ts';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';

const ID = '6b0f2a3e-58a5-4a52-9d20-0d3a5a1f8a11';
const LINK = `vms-export-agent://incident/${ID}`;

describe('a link into the app', () => {
  it.each([LINK, `${LINK}/`])('%s names an incident', (link) => {
    expect(parseDeepLink(link)).toEqual({ incidentId: ID });
  });

  it.each([
    '',
    'vms-export-agent://incident/',
    'vms-export-agent://incident/1',
    `vms-export-agent:incident/${ID}`,
    `vms-export-agent://settings/${ID}`,
    `vms-export-agent://incident/${ID}/delete`,
    `${LINK}?send=1`,
    `${LINK}#x`,
    `${LINK}\n--hidden`,
    ` ${LINK}`,
    `vms-export-agent://user@incident/${ID}`,
    `vms-export-agent://incident:80/${ID}`,
    `vms-export-agent://incident/../${ID}`,
    `vms-export-agent://incident/%36${ID.slice(1)}`,
    `VMS-EXPORT-AGENT://incident/${ID}`,
    `https://incident/${ID}`,
    `file:///incident/${ID}`,
    `${LINK}${'0'.repeat(500)}`,
  ])('%j names nothing', (link) => {
    expect(parseDeepLink(link)).toBeUndefined();
  });
});

describe('the arguments of a start', () => {
  it.each([
    [[], { isHidden: false, folders: [] }],
    [['--hidden'], { isHidden: true, folders: [] }],
    [['/exports/Ramp', 'Pier'], { isHidden: false, folders: ['/exports/Ramp', '/home/desk/Pier'] }],
    [['/exports/Ramp', '/exports/Ramp', ''], { isHidden: false, folders: ['/exports/Ramp'] }],
    [[LINK], { isHidden: false, folders: [], incidentId: ID }],
    // A link with further arguments
    [['--', LINK, '/e'], { isHidden: false, folders: [], incidentId: ID }],
    [['\\\\evil.example\\share', 'vms-export-agent://x'], { isHidden: false, folders: [] }],
    // Not folders, although they are arguments too: Chromium's switches, other links, a broken one of ours
    [
      ['--inspect', '-x', 'https://evil.example/a', 'vms-export-agent://quit'],
      { isHidden: false, folders: [] },
    ],
    [['--gpu-launcher=/bin/sh'], { isHidden: false, folders: [] }],
  ])('%j', (args, wish) => {
    expect(readStartArguments(args, '/home/desk')).toEqual(wish);
  });

  it('are not endless', () => {
    const many = Array.from({ length: 500 }, (_, index) => `/exports/${index}`);
    expect(readStartArguments(many, '/').folders).toHaveLength(50);
  });
});

describe('later starts', () => {
  function openDesk(registersLinks = true, ownArguments = 1) {
    const registered: string[] = [];
    const app = Object.assign(new EventEmitter(), {
      setAsDefaultProtocolClient(scheme: string) {
        registered.push(scheme);
        return true;
      },
    });
    const { logger, lines } = collectLog();
    const { window, seen } = createSeenWindow();
    const starts = followStartRequests({ app, window, ownArguments, registersLinks, logger });
    return { app, seen, lines, registered, starts };
  }

  it('bring the window up and hand over the folders among what they name', async () => {
    const folder = await makeFolder();
    await mkdir(join(folder, 'Ramp'));
    await writeFile(join(folder, 'clip.mp4'), 'x');
    const desk = openDesk();
    desk.app.emit('second-instance', {}, ['/app', 'Ramp', 'clip.mp4', 'gone', '--x'], folder);
    await expect
      .poll(() => desk.seen)
      .toEqual(['front', { kind: 'addFolders', paths: [join(folder, 'Ramp')] }]);
    expect(desk.lines).toEqual(['info: Items opened with the app that are not folders were skipped']);
  });

  it('are understood as Chromium hands them over: switches first, some of its own among them', async () => {
    const folder = await makeFolder();
    await mkdir(join(folder, 'Ramp'));
    const desk = openDesk(true, 2);
    const argv = ['/electron', '--hidden', '--allow-file-access-from-files', '.', 'Ramp'];
    desk.app.emit('second-instance', {}, argv, folder);
    await expect.poll(() => desk.seen).toEqual([{ kind: 'addFolders', paths: [join(folder, 'Ramp')] }]);
  });

  it('show the incident of a link, on every system', async () => {
    const desk = openDesk();
    desk.app.emit('second-instance', {}, ['/app', LINK], '/');
    const shown = { kind: 'showIncident', incidentId: ID };
    await expect.poll(() => desk.seen).toEqual(['front', shown]);
    let isHandled = false;
    desk.app.emit('open-url', { preventDefault: () => void (isHandled = true) }, LINK);
    await expect.poll(() => desk.seen).toEqual(['front', shown, 'front', shown]);
    expect(isHandled).toBe(true);
  });

  it('do nothing for a link of another shape, not even come to the front', async () => {
    const desk = openDesk();
    desk.app.emit('open-url', { preventDefault: () => undefined }, 'vms-export-agent://settings/forgetKey');
    await desk.starts.take({ isHidden: true, folders: [] });
    expect(desk.seen).toEqual([]);
    expect(desk.lines).toEqual(['info: An unknown link was not followed']);
  });

  it('stay in the background when they are hidden, as at sign-in', async () => {
    const desk = openDesk();
    desk.app.emit('second-instance', {}, ['/app', '--hidden'], '/');
    await desk.starts.take({ isHidden: true, folders: [] });
    expect(desk.seen).toEqual([]);
  });

  it('come to the front from the dock, and take links only as an installed app', () => {
    const desk = openDesk(false);
    desk.app.emit('activate');
    expect(desk.seen).toEqual(['front']);
    expect(desk.registered).toEqual([]);
    expect(openDesk().registered).toEqual(['vms-export-agent']);
  });
});

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
    // Logs are below the profile, wherever that is
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
      profileArguments: [],
      isSelfTest: false,
      settingsFile: join(home, 'roaming', 'vms-export-agent', 'vms-export-agent.json'),
      dataDir: join(home, '.local', 'share', 'vms-export-agent'),
      logs: join(home, 'roaming', 'vms-export-agent', 'logs'),
    });
    // Other accounts have no access
    expect(statSync(places.userData).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o700);
  });

  it('is all in the profile when a start names one', () => {
    const { home, places } = createApp('/profiles/second');
    expect(places).toEqual({
      userData: '/profiles/second',
      accountData: join(home, 'roaming', 'vms-export-agent'),
      profileArguments: ['--user-data-dir=/profiles/second'],
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
