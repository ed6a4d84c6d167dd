import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { autostartEntry, createLoginItem, openChoiceStore } from '../../../electron/desktop/choice-store.ts';
import { chooseGraphics } from '../../../electron/desktop/process-faults.ts';
import { collectLog, makeFolder } from '../../helpers/desk-tools.ts';

const PROGRAM = '/opt/vms export agent/vms-export-agent';

function createSystemItems(wasOpenedAtLogin = false) {
  const set: unknown[] = [];
  let openAtLogin = false;
  let isSwitchedOff = false;
  return {
    set,
    switchOff: () => void (isSwitchedOff = true),
    app: {
      getLoginItemSettings: () => ({
        openAtLogin,
        executableWillLaunchAtLogin: openAtLogin && !isSwitchedOff,
        wasOpenedAtLogin,
      }),
      setLoginItemSettings(settings: { openAtLogin: boolean; args: string[] }) {
        set.push(settings);
        openAtLogin = settings.openAtLogin;
      },
    },
  };
}

const itemOf = (
  platform: NodeJS.Platform,
  configHome: string,
  system = createSystemItems(),
  profile: readonly string[] = [],
) =>
  createLoginItem({
    ...{ platform, app: system.app, configHome, name: 'vms-export-agent' },
    command: [PROGRAM, ...profile],
  });

describe('starting at sign-in', () => {
  it.each(['win32', 'darwin'] as const)('is set with the system of %s, hidden', async (platform) => {
    const system = createSystemItems();
    const item = itemOf(platform, '/', system);
    expect(await item.isOn()).toBe(false);
    expect(await item.set(true)).toBe(true);
    expect(await item.isOn()).toBe(true);
    expect(await item.set(false)).toBe(false);
    expect(system.set[0]).toEqual({ openAtLogin: true, args: ['--hidden'] });
  });

  it('is off where a person has switched it off in the settings of Windows', async () => {
    const system = createSystemItems();
    const item = itemOf('win32', '/', system);
    await item.set(true);
    system.switchOff();
    expect(await item.isOn()).toBe(false);
  });

  it('is an autostart entry of the account on Linux', async () => {
    const home = await makeFolder();
    const item = itemOf('linux', home);
    expect(await item.isOn()).toBe(false);
    expect(await item.set(true)).toBe(true);
    const text = await readFile(join(home, 'autostart', 'vms-export-agent.desktop'), 'utf8');
    expect(text).toContain(`Exec="${PROGRAM}" "--hidden"`);
    expect(await item.isOn()).toBe(true);
    expect(await item.set(false)).toBe(false);
    expect(await readdir(join(home, 'autostart'))).toEqual([]);
    expect(await item.set(false)).toBe(false);
  });

  it.each(['win32', 'linux'] as const)('starts the profile that it was set in (%s)', async (platform) => {
    const home = await makeFolder();
    const system = createSystemItems();
    await itemOf(platform, home, system, ['--user-data-dir=/srv/desk 2']).set(true);
    if (platform === 'win32')
      expect(system.set).toMatchObject([{ args: ['"--user-data-dir=/srv/desk 2"', '--hidden'] }]);
    else
      expect(await readFile(join(home, 'autostart', 'vms-export-agent.desktop'), 'utf8')).toContain(
        `Exec="${PROGRAM}" "--user-data-dir=/srv/desk 2" "--hidden"\n`,
      );
  });

  it('is not there on other systems', async () => {
    const home = await makeFolder();
    expect(await itemOf('freebsd', home).set(true)).toBe(false);
    expect(await readdir(home)).toEqual([]);
  });

  it('is told by macOS; the switch tells it elsewhere', () => {
    expect(itemOf('darwin', '/', createSystemItems(true)).wasUsed()).toBe(true);
    expect(itemOf('win32', '/', createSystemItems(true)).wasUsed()).toBe(false);
  });

  it.each([
    ['/opt/a b/app', '"/opt/a b/app"'],
    ['/opt/50%/app', '"/opt/50%%/app"'],
    [
      '/opt/$HOME/`x`/"y"',
      String.raw`"/opt/\\$HOME/\\` + '`x' + String.raw`\\` + '`/' + String.raw`\\"y\\""`,
    ],
  ])('quotes %s', (program, quoted) => {
    expect(autostartEntry({ name: 'App', program, args: [] })).toContain(`Exec=${quoted}\n`);
  });

  it('writes no entry for a path that would begin another line', () => {
    expect(autostartEntry({ name: 'App', program: '/opt/a\nExec=/bin/sh', args: [] })).toBeUndefined();
  });
});

describe('the choices of the desktop', () => {
  async function openDesk() {
    const folder = await makeFolder();
    const file = join(folder, 'desktop.json');
    const { logger, lines } = collectLog();
    const open = (hasTray = true) =>
      openChoiceStore({ file, loginItem: itemOf('linux', folder), hasTray, logger });
    return { folder, file, lines, open };
  }

  it('are kept over starts', async () => {
    const desk = await openDesk();
    const choice = await desk.open();
    expect(choice.get()).toEqual({
      closeToTray: true,
      notifyFinished: false,
      startAtLogin: false,
      isGpuUsed: true,
    });
    expect(await choice.set({ notifyFinished: true })).toMatchObject({ notifyFinished: true });
    await choice.set({ closeToTray: false, startAtLogin: true });
    const kept = { closeToTray: false, notifyFinished: true, startAtLogin: true, isGpuUsed: true };
    expect(choice.get()).toEqual(kept);
    expect((await desk.open()).get()).toEqual(kept);
  });

  it('ask what closing does where there is no tray, until somebody chose', async () => {
    const desk = await openDesk();
    expect((await desk.open(true)).mustAskOfClosing()).toBe(false);
    const choice = await desk.open(false);
    expect(choice.get().closeToTray).toBe(false);
    expect(choice.mustAskOfClosing()).toBe(true);
    await choice.set({ closeToTray: true });
    expect(choice.mustAskOfClosing()).toBe(false);
    expect((await desk.open(false)).mustAskOfClosing()).toBe(false);
    expect((await desk.open(false)).get().closeToTray).toBe(true);
  });

  it('switch the graphics processor off after two crashes, and count again when a person switches it on', async () => {
    const desk = await openDesk();
    const noAcceleration: string[] = [];
    const app = { disableHardwareAcceleration: () => void noAcceleration.push('off') };
    expect(chooseGraphics(app, desk.file)).toBe(true);
    expect(await (await desk.open()).noteGpuCrash()).toBe(false);
    expect(chooseGraphics(app, desk.file)).toBe(true);
    const choice = await desk.open();
    expect(await choice.noteGpuCrash()).toBe(true);
    expect(noAcceleration).toEqual([]);
    expect(chooseGraphics(app, desk.file)).toBe(false);
    expect(noAcceleration).toEqual(['off']);
    await choice.set({ isGpuUsed: true });
    expect(chooseGraphics(app, desk.file)).toBe(true);
    // GPU crashes come in bursts
    expect(await Promise.all([choice.noteGpuCrash(), choice.noteGpuCrash()])).toEqual([false, true]);
  });

  it('tell of the tray once, over starts', async () => {
    const desk = await openDesk();
    expect(await (await desk.open()).tellOfTray()).toBe(true);
    const again = await desk.open();
    expect(await again.tellOfTray()).toBe(false);
    expect(again.get().closeToTray).toBe(true);
  });

  it.each(['', '{', '[]', '{"closeToTray": "yes"}'])('a file with %j is kept aside', async (text) => {
    const desk = await openDesk();
    await writeFile(desk.file, text);
    expect((await desk.open()).get()).toMatchObject({ closeToTray: true });
    expect(await readFile(`${desk.file}.broken`, 'utf8')).toBe(text);
    expect(desk.lines[0]).toContain('set aside');
  });

  it('do not count when they cannot be kept', async () => {
    const desk = await openDesk();
    const choice = await desk.open();
    await mkdir(join(desk.file, 'in-the-way'), { recursive: true });
    await expect(choice.set({ closeToTray: false, startAtLogin: true })).rejects.toThrow();
    expect(choice.get()).toMatchObject({ closeToTray: true, startAtLogin: false });
    expect(await readdir(join(desk.folder, 'autostart'))).toEqual([]);
    expect(await choice.tellOfTray()).toBe(true);
  });
});
