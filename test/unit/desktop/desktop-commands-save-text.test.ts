import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createKeptLog } from '../../helpers/queue-fixture.ts';
import { mountSmallDisk, noSmallDisk } from '../../helpers/small-disk.ts';
import { safeFileName, saveText } from '../../../electron/desktop/desktop-commands.ts';

describe('the name that is offered in a save dialog', () => {
  it.each([
    ['actions 2026-05-01.csv', 'actions 2026-05-01.csv'],
    ['Zuschauer Südtribüne.csv', 'Zuschauer Südtribüne.csv'],
    ['../../.ssh/authorized_keys', 'ssh-authorized_keys'],
    ['..\\..\\run.bat', 'run.bat'],
    ['/etc/passwd', 'etc-passwd'],
    ['C:\\Windows\\win.ini', 'C-Windows-win.ini'],
    ['.bashrc', 'bashrc'],
    ['--help.csv', 'help.csv'],
    ['a\u0000b\nc.csv', 'a-b-c.csv'],
    ['report\u202Evsc.exe', 'report-vsc.exe'],
    ['what?.csv', 'what-.csv'],
    ['ends.csv. . ', 'ends.csv'],
    ['CON', 'export-CON'],
    ['nul.csv', 'export-nul.csv'],
    ['lpt1.tar.csv', 'export-lpt1.tar.csv'],
    ['console.csv', 'console.csv'],
    ['', 'export'],
    ['...', 'export'],
    ['\ud800.csv', 'csv'],
    [`${'n'.repeat(300)}.csv`, `${'n'.repeat(60)}.csv`],
  ])('%j becomes %j', (name, safe) => {
    expect(safeFileName(name)).toBe(safe);
  });

  it('never holds more bytes than a file system takes', () => {
    expect(Buffer.byteLength(safeFileName(`${'🎥'.repeat(200)}.json`))).toBeLessThanOrEqual(255);
  });
});

describe('saving where a person says', () => {
  async function folderOf() {
    const folder = await mkdtemp(join(tmpdir(), 'save-text-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }
  const save = (place: string | undefined, text = 'name,time') =>
    saveText(
      { dialogs: { chooseSavePlace: async () => place }, logger: createKeptLog() },
      { name: 'actions.csv', text },
    );

  it('input H5: replaces a file that the dialog of the system asked about, whole, for this account', async () => {
    const place = join(await folderOf(), 'actions.csv');
    await writeFile(place, 'an older and longer export of the same list');
    expect(await save(place)).toEqual({ ok: true, value: { isSaved: true } });
    expect(await readFile(place, 'utf8')).toBe('name,time');
    expect((await stat(place)).mode & 0o077).toBe(0);
  });

  it('input H5: saves nothing when the dialog is cancelled', async () => {
    expect(await save(undefined)).toEqual({ ok: true, value: { isSaved: false } });
  });

  it('input H5: does not recreate a deleted folder', async () => {
    const folder = await folderOf();
    expect(await save(join(folder, 'share', 'actions.csv'))).toMatchObject({
      ok: false,
      error: { code: 'FILE_READ' },
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it('input H5: does not replace a folder of that name', async () => {
    const place = join(await folderOf(), 'actions.csv');
    await mkdir(place);
    expect((await save(place)).ok).toBe(false);
    expect((await stat(place)).isDirectory()).toBe(true);
  });

  it.skipIf(process.getuid?.() === 0)('input H5: says that a folder is read-only', async () => {
    const folder = await folderOf();
    await chmod(folder, 0o500);
    onTestFinished(() => chmod(folder, 0o700));
    expect(await save(join(folder, 'actions.csv'))).toMatchObject({
      ok: false,
      error: {
        code: 'FILE_NO_ACCESS',
        advice: 'Save the file under another name, or in a folder that this account can write to.',
      },
    });
  });

  it.skipIf(noSmallDisk !== undefined)(
    `input H4, input H5: says that the disk is full, and leaves what was there (${noSmallDisk ?? 'tmpfs'})`,
    async (context) => {
      const disk = mountSmallDisk(context, 1);
      const place = join(disk.folder, 'actions.csv');
      await writeFile(place, 'before');
      disk.fill();
      expect(await save(place, 'x'.repeat(100_000))).toMatchObject({
        ok: false,
        error: { code: 'DISK_FULL', advice: 'Free some space, or save the file elsewhere.' },
      });
      expect(await readFile(place, 'utf8')).toBe('before');
      expect((await readdir(disk.folder)).toSorted()).toEqual(['actions.csv', 'ballast']);
    },
  );
});
