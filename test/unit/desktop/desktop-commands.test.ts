import { chmod, mkdir, readdir, readFile, writeFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureSchema } from '../../../shared/domain/failure.ts';
import { desktopCommands, helpPages } from '../../../shared/ipc/desktop.ts';
import { err, ok } from '../../../shared/lib/result.ts';
import {
  createDesktopCommands,
  type CommandDeps,
  createServeCommand,
} from '../../../electron/desktop/desktop-commands.ts';
import { helpAddresses, openHelpPage } from '../../../electron/desktop/window/app-menu.ts';
import { collectLog, makeFolder } from '../../helpers/desk-tools.ts';
import type { DesktopCommands } from '../../../electron/desktop/desktop-commands.ts';

const choice = { closeToTray: true, startAtLogin: false, notifyFinished: false, isGpuUsed: true };
const gone = failureSchema.parse({ code: 'FILE_GONE', message: 'Gone.', advice: 'None.', retryable: false });

function commandsOf(change: Partial<CommandDeps> = {}) {
  const shown: string[] = [];
  const commands = createDesktopCommands({
    agent: { locateClip: async () => ok('/exports/Ramp/a.mp4') },
    dialogs: { chooseFolder: async () => undefined, chooseSavePlace: async () => undefined },
    logger: collectLog().logger,
    showInFolder: (path) => void shown.push(path),
    openHelp: async () => undefined,
    choice: { get: () => choice, set: async () => choice },
    diagnose: async () => ({
      isGpuUsed: true,
      hasTray: true,
      pageCrashes: 0,
      pageHangs: 0,
      gpuCrashes: 0,
      processCrashes: 0,
      restarts: 0,
    }),
    takeReport: () => undefined,
    setMenu: () => undefined,
    speak: () => undefined,
    setUnsaved: () => undefined,
    updates: {
      state: () => ({ kind: 'off', reason: 'Off.' }),
      check: async () => ({ kind: 'current' }),
      install: async () => ok(undefined),
    },
    ...change,
  });
  return { commands, shown };
}

describe('showing a clip in the file manager', () => {
  it('shows the file that the agent located, and tells the page nothing of its path', async () => {
    const { commands, shown } = commandsOf();
    expect(await commands.revealClip({ clipId: 'c1' })).toEqual(ok({}));
    expect(shown).toEqual(['/exports/Ramp/a.mp4']);
  });

  it('input G5: shows nothing when the agent has no such file', async () => {
    const { commands, shown } = commandsOf({ agent: { locateClip: async () => err(gone) } });
    expect(await commands.revealClip({ clipId: 'c1' })).toEqual(err(gone));
    expect(shown).toEqual([]);
  });
});

describe('choosing a folder', () => {
  it.each([
    ['/exports/Ramp', { path: '/exports/Ramp' }],
    [undefined, {}],
    ['relative', {}],
  ])('%s', async (path, answer) => {
    const dialogs = { chooseFolder: async () => path, chooseSavePlace: async () => undefined };
    expect(await commandsOf({ dialogs }).commands.chooseFolder({})).toEqual(ok(answer));
  });
});

describe('saving a text', () => {
  async function deskWith(place: (folder: string, name: string) => string | undefined) {
    const folder = await makeFolder();
    const asked: string[] = [];
    const dialogs = {
      chooseFolder: async () => undefined,
      chooseSavePlace: async (name: string) => {
        asked.push(name);
        return place(folder, name);
      },
    };
    return { folder, asked, save: commandsOf({ dialogs }).commands.saveText };
  }

  it('writes it whole where a person said, under a name without folders', async () => {
    const desk = await deskWith((folder, name) => join(folder, name));
    expect(await desk.save({ name: '../list.csv', text: 'a;b\n' })).toEqual(ok({ isSaved: true }));
    expect(desk.asked).toEqual(['list.csv']);
    expect(await readFile(join(desk.folder, 'list.csv'), 'utf8')).toBe('a;b\n');
    expect(await readdir(desk.folder)).toEqual(['list.csv']);
  });

  it.skipIf(process.platform === 'win32')('writes it for this account only', async () => {
    const desk = await deskWith((folder, name) => join(folder, name));
    await desk.save({ name: 'passwords.csv', text: 'secret' });
    expect((await stat(join(desk.folder, 'passwords.csv'))).mode & 0o777).toBe(0o600);
  });

  it('replaces a file after the dialog asked', async () => {
    const desk = await deskWith((folder) => join(folder, 'there.csv'));
    await writeFile(join(desk.folder, 'there.csv'), 'before');
    await desk.save({ name: 'there.csv', text: 'after' });
    expect(await readFile(join(desk.folder, 'there.csv'), 'utf8')).toBe('after');
  });

  it('writes nothing when the dialog was left', async () => {
    const desk = await deskWith(() => undefined);
    expect(await desk.save({ name: 'list.csv', text: 'a' })).toEqual(ok({ isSaved: false }));
    expect(await readdir(desk.folder)).toEqual([]);
  });

  it('says that a place cannot be written to, and leaves nothing behind', async () => {
    const desk = await deskWith((folder) => join(folder, 'taken'));
    await mkdir(join(desk.folder, 'taken'));
    await writeFile(join(desk.folder, 'taken', 'inside'), 'x');
    const saved = await desk.save({ name: 'taken', text: 'a' });
    expect(saved).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('Could not save') },
    });
    expect(await readdir(desk.folder)).toEqual(['taken']);
    await chmod(desk.folder, 0o700);
  });

  it('does not recreate a folder that is gone: what is saved would lie where nobody looks', async () => {
    const desk = await deskWith((folder) => join(folder, 'gone', 'list.csv'));
    expect(await desk.save({ name: 'list.csv', text: 'a' })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('(ENOENT)') },
    });
    expect(await readdir(desk.folder)).toEqual([]);
  });
});

describe('the other commands', () => {
  it('opens help by its name only, at addresses that are https', async () => {
    const opened: string[] = [];
    const browser = { openExternal: async (url: string) => void opened.push(url) };
    for (const page of helpPages) await openHelpPage(browser, page);
    expect(opened).toEqual(Object.values(helpAddresses));
    expect(opened.every((url) => new URL(url).protocol === 'https:')).toBe(true);
    expect(desktopCommands.openHelp.input.safeParse({ page: 'https://evil.example' }).success).toBe(false);
  });

  it('says that there is no browser', async () => {
    const { commands } = commandsOf({ openHelp: () => Promise.reject(new Error('no handler')) });
    expect(await commands.openHelp({ page: 'readme' })).toMatchObject({
      ok: false,
      error: { code: 'CALL_FAULT' },
    });
  });

  it('says that a choice could not be kept', async () => {
    const broken = { get: () => choice, set: () => Promise.reject(new Error('ENOSPC')) };
    const answer = await commandsOf({ choice: broken }).commands['choice.set']({ closeToTray: false });
    expect(answer).toMatchObject({ ok: false, error: { code: 'CONFIG_UNREADABLE' } });
  });

  it('answers in the shapes that the contract says', async () => {
    const { commands } = commandsOf();
    const answers = {
      'choice.get': await commands['choice.get']({}),
      'update.state': await commands['update.state']({}),
      'update.check': await commands['update.check']({}),
      'update.install': await commands['update.install']({}),
      'menu.set': await commands['menu.set']({ commands: [] }),
      'unsaved.set': await commands['unsaved.set']({ hasChanges: true }),
    };
    for (const [name, answer] of Object.entries(answers)) {
      const shape = Object.entries(desktopCommands).find(([order]) => order === name)?.[1];
      expect(shape?.output.safeParse(answer.ok ? answer.value : undefined).success).toBe(true);
    }
  });
});

const failed = { code: 'FILE_GONE', message: 'Gone.', advice: 'None.', retryable: false } as const;

function createDesk() {
  const given: unknown[] = [];
  const errors: unknown[] = [];
  const silent = (): void => undefined;
  const commands: Partial<DesktopCommands> = {
    async chooseFolder() {
      return ok({ path: '/exports', mtimeMs: 1 });
    },
    async revealClip(input) {
      given.push(input);
      return err(failed);
    },
    async openHelp() {
      throw new Error('at /home/jo/secret');
    },
    async 'update.install'() {
      return ok('nonsense') as never;
    },
  };
  const serve = createServeCommand(commands as DesktopCommands, {
    debug: silent,
    info: silent,
    warn: silent,
    error: (...line) => void errors.push(line),
  });
  return { serve, given, errors };
}

describe('commands of the page', () => {
  it('are answered with what the contract says, and no more', async () => {
    const { serve } = createDesk();
    expect(await serve({ call: 'chooseFolder', input: {} })).toEqual(ok({ path: '/exports' }));
  });

  it('answer failures as they are', async () => {
    const { serve, given } = createDesk();
    expect(await serve({ call: 'revealClip', input: { clipId: 'c1' } })).toEqual(err(failed));
    expect(given).toEqual([{ clipId: 'c1' }]);
  });

  it.each([
    ['a path for a clip', { call: 'revealClip', input: { clipId: 'c1', path: '/etc/passwd' } }],
    ['no input', { call: 'revealClip', input: null }],
    ['an address for the help', { call: 'openHelp', input: { page: 'https://evil/' } }],
    ['an empty name', { call: 'saveText', input: { name: '', text: '' } }],
  ])('are not carried out with %s', async (_, request) => {
    const { serve, given } = createDesk();
    expect(await serve(request)).toMatchObject({ ok: false, error: { code: 'CALL_INPUT' } });
    expect(given).toEqual([]);
  });

  it.each([
    ['a name of every object', { call: 'constructor', input: {} }],
    ['a call of the agent', { call: 'users.list', input: {} }],
    ['no name', { input: {} }],
    ['more than a request', { call: 'chooseFolder', input: {}, isConfirmed: true }],
    ['nothing', undefined],
  ])('are unknown for %s', async (_, request) => {
    const { serve } = createDesk();
    expect(await serve(request)).toMatchObject({ ok: false, error: { code: 'CALL_UNKNOWN' } });
  });

  it.each([
    ['throws', { call: 'openHelp', input: { page: 'readme' } }],
    ['answers nonsense', { call: 'update.install', input: {} }],
  ])('tell nothing of a handler that %s; the log has it', async (_, request) => {
    const { serve, errors } = createDesk();
    const reply = await serve(request);
    expect(reply).toMatchObject({ ok: false, error: { code: 'CALL_FAULT' } });
    expect(JSON.stringify(reply)).not.toContain('secret');
    expect(errors).toHaveLength(1);
  });
});
