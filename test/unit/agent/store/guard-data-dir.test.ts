import { chmod, chown, mkdir, mkdtemp, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { AgentEvents } from '../../../../electron/agent/events.ts';
import { guardDataDir } from '../../../../electron/agent/store/guard-data-dir.ts';
import { openDataDir } from '../../../../electron/agent/store/open-data-dir.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';

let home = '';
let folder = '';
let lines: { message: string; fields: unknown }[] = [];
const note = (message: string, fields?: unknown): void => void lines.push({ message, fields });
const logger = { info: note, warn: note };

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'guard-'));
  const made = home;
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  folder = join(home, 'data');
  lines = [];
});

const modeOf = async (name = ''): Promise<string> =>
  ((await stat(join(folder, name))).mode & 0o777).toString(8);
const open = async (): Promise<void> => {
  const data = await openDataDir(folder, { clock: createSystemClock(), events: new AgentEvents(), logger });
  data.close();
};

describe('a data directory', () => {
  test('is made for this account alone, with every file in it', async () => {
    await open();
    expect(await modeOf()).toBe('700');
    for (const name of ['queue.db', 'lock.db', 'owner.db', 'desk.json'])
      expect(await modeOf(name)).toBe('600');
    expect(lines).toEqual([]);
  });

  test('that is open to others is closed, with a line in the log', async () => {
    await open();
    await mkdir(join(folder, 'thumbnails'));
    for (const name of ['', 'queue.db', 'lock.db', 'desk.json', 'thumbnails'])
      await chmod(join(folder, name), name.includes('.') ? 0o644 : 0o755);
    await open();
    expect([await modeOf(), await modeOf('thumbnails'), await modeOf('queue.db')]).toEqual([
      '700',
      '700',
      '600',
    ]);
    expect(lines).toMatchObject([
      {
        message: 'The data directory was open to other accounts and was closed to them',
        fields: { files: 5 },
      },
    ]);
  });

  test.each(['queue.db', 'queue.db-wal', 'lock.db', 'owner.db', 'desk.json'])(
    'with a link in the place of %s is refused, and the link is not followed',
    async (name) => {
      await mkdir(folder, { mode: 0o777 });
      const target = join(home, 'other.db');
      await writeFile(target, 'of somebody else');
      await symlink(target, join(folder, name));
      await expect(open()).rejects.toMatchObject({
        failure: {
          code: 'DATA_FOLDER',
          message: expect.stringContaining(`${name}, in the data directory, is a link`),
        },
      });
      expect((await stat(target)).size).toBe(16);
      expect(await readlink(join(folder, name))).toBe(target);
    },
  );

  test.skipIf(process.getuid?.() !== 0)(
    'of another account is refused; root gives folders away',
    async () => {
      await mkdir(folder);
      await chown(folder, 12_345, 12_345);
      await expect(open()).rejects.toMatchObject({
        failure: { code: 'DATA_FOLDER', message: expect.stringContaining('belongs to another account') },
      });
    },
  );
});

describe('on Windows', () => {
  const environment = { SystemRoot: 'D:\\Win' };
  test('the list of the directory names this account, the system and its administrators', async () => {
    const ran: string[] = [];
    const run = async (program: string, args: readonly string[]): Promise<string> => {
      ran.push([program, ...args].join(' '));
      return '"PC\\desk","S-1-5-21-1-2-3-1001"';
    };
    await guardDataDir(folder, [], { logger, platform: 'win32', run, environment });
    expect(ran).toEqual([
      'D:\\Win\\System32\\whoami.exe /user /fo csv /nh',
      `D:\\Win\\System32\\icacls.exe ${folder} /inheritance:r /grant:r *S-1-5-21-1-2-3-1001:(OI)(CI)F /grant:r *S-1-5-18:(OI)(CI)F /grant:r *S-1-5-32-544:(OI)(CI)F /q`,
    ]);
    expect(lines).toEqual([]);
  });

  test('a list that cannot be set is said', async () => {
    const run = (): Promise<string> => Promise.reject(new Error('denied'));
    await guardDataDir(folder, [], { logger, platform: 'win32', run, environment });
    expect(lines).toHaveLength(1);
  });
});
