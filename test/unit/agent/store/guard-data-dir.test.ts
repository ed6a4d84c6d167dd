import { execFileSync } from 'node:child_process';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { AgentEvents } from '../../../../electron/agent/events.ts';
import {
  guardDataDir,
  remoteFolder,
  type FolderFacts,
} from '../../../../electron/agent/store/guard-data-dir.ts';
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
  await data.close();
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
        message: 'Other accounts could access the data directory; their access was removed',
        fields: { files: 5 },
      },
    ]);
  });

  test.each([
    'queue.db',
    'queue.db-wal',
    'lock.db',
    'owner.db',
    'desk.json',
    'signed-policy.json',
    'chain-heads.txt',
    'key-origins.json',
  ])('with a link in the place of %s is refused, and the link is not followed', async (name) => {
    await mkdir(folder, { mode: 0o777 });
    const target = join(home, 'other.db');
    await writeFile(target, 'of somebody else');
    await symlink(target, join(folder, name));
    await expect(open()).rejects.toMatchObject({
      failure: {
        code: 'DATA_FOLDER',
        message: expect.stringMatching(new RegExp(`^The data directory cannot be used: .*${name} is a link`)),
      },
    });
    expect((await stat(target)).size).toBe(16);
    expect(await readlink(join(folder, name))).toBe(target);
  });

  test('with a link is refused with a command that removes it, whatever the folder is called', async () => {
    const named = join(home, "the desk's data");
    await mkdir(named);
    await symlink(join(home, 'other.db'), join(named, 'queue.db'));
    const advice: unknown = await guardDataDir(named, [], { logger }).catch((error) => error.failure.advice);
    execFileSync('sh', ['-c', String(advice).replace(/^Check it, then remove it: /, '')]);
    expect(await readdir(named)).toEqual([]);
  });

  test.skipIf(process.getuid?.() !== 0)(
    'of another account is refused; root gives folders away',
    async () => {
      await mkdir(folder);
      await chown(folder, 12_345, 12_345);
      await expect(open()).rejects.toMatchObject({
        failure: {
          code: 'DATA_FOLDER',
          message: expect.stringContaining('belongs to another account'),
          advice: "Run the command as that account: sudo -u '#12345' vms-export-agent ...",
        },
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

const linux = (type: number, mounts = ''): FolderFacts => ({
  platform: 'linux',
  realPath: (path) => path,
  type: () => type,
  mounts: () => mounts,
});
const windows = (realPath: (path: string) => string = (path) => path): FolderFacts => ({
  ...linux(0),
  platform: 'win32',
  realPath,
});
const FUSE = 0x65735546;
const mount = (point: string, type: string) =>
  `36 35 0:31 / ${point} rw,relatime shared:1 - ${type} source rw`;
const mounts = [
  mount('/', 'ext4'),
  mount('/data', 'fuse.sshfs'),
  mount('/data/local\\040disk', 'fuse.mergerfs'),
  mount('/mnt/ntfs', 'fuseblk'),
].join('\n');

test.each([
  ['NFS', linux(0x6969)],
  ['SMB', linux(0xff534d42)],
  ['SMB as statfs may answer it, below zero', linux(0xfe534d42 | 0)],
  ['Ceph', linux(0x00c36400)],
  ['sshfs', linux(FUSE, mounts)],
])('fault 26: a data directory on %s is refused, with a reason and advice', (_what, facts) => {
  const failure = remoteFolder('/data/desk', facts);
  expect(failure).toMatchObject({ code: 'DATA_FOLDER_REMOTE', retryable: false });
  expect(failure?.message).toContain('/data/desk is on a network share');
  expect(failure?.advice).toMatch(/--data-dir FOLDER, or the desktop app with --user-data-dir=FOLDER/);
});

test.each([
  ['ext4', linux(0xef53), '/data/desk'],
  ['an overlay of a container', linux(0x794c7630), '/data/desk'],
  ['tmpfs', linux(0x01021994), '/data/desk'],
  ['FUSE over local disks', linux(FUSE, mounts), '/data/local disk/desk'],
  ['NTFS through FUSE', linux(FUSE, mounts), '/mnt/ntfs/desk'],
  ['a mount that nothing is known of', linux(FUSE), '/elsewhere'],
  ['a folder whose name only begins alike', linux(0xef53), '/srv/dropbox-import/desk'],
  ['a drive of this PC', windows(), String.raw`C:\ProgramData\VMS Export Agent`],
  ['a long path of this PC', windows(), String.raw`\\?\C:\ProgramData\VMS Export Agent`],
])('fault 26: a data directory on %s is taken', (_what, facts, path) => {
  expect(remoteFolder(path, facts)).toBeUndefined();
});

test('fault 26: what the system does not say is not refused', () => {
  const fail = () => {
    throw new Error('not permitted');
  };
  expect(remoteFolder('/data', { ...linux(0), type: fail })).toBeUndefined();
  expect(remoteFolder('/data', { ...linux(FUSE), mounts: fail })).toBeUndefined();
});

// Windows itself is not available here: its paths are a fixture
test.each([
  ['a UNC path', windows(), String.raw`\\nas\desk`],
  ['a long UNC path', windows(), String.raw`\\?\UNC\nas\desk`],
  ['a drive letter of a share', windows(() => String.raw`\\nas\share\desk`), String.raw`Z:\desk`],
])('input F12: %s is refused', (_what, facts, path) => {
  expect(remoteFolder(path, facts)?.message).toContain('on a network share');
});

test.each([
  ['OneDrive', windows(), String.raw`C:\Users\desk\OneDrive - Arena Ltd\agent`],
  ['OneDrive', windows(), String.raw`C:\Users\desk\OneDrive\agent`],
  ['Dropbox', windows(), String.raw`D:\Dropbox (Arena)\agent`],
  ['Dropbox', linux(0xef53), '/home/desk/Dropbox/agent'],
  [
    'iCloud',
    { ...linux(0), platform: 'darwin' as const },
    '/Users/desk/Library/Mobile Documents/com~apple~CloudDocs/agent',
  ],
  [
    'Google Drive',
    { ...linux(0), platform: 'darwin' as const },
    '/Users/desk/Library/CloudStorage/GoogleDrive-desk@arena.example/agent',
  ],
])('input F12: a folder that %s synchronises is refused', (name, facts, path) => {
  expect(remoteFolder(path, facts)?.message).toContain(`in a folder that ${name} synchronises`);
});

test('input F12: a link into such a folder is refused, and so is a folder that does not exist yet', () => {
  const real = (path: string) => {
    if (path.endsWith('new')) throw new Error('ENOENT');
    return path.replace('/data', '/home/desk/Dropbox/data');
  };
  expect(remoteFolder('/data/desk/new', { ...linux(0xef53), realPath: real })?.message).toContain('Dropbox');
});

test('input F12: the folder of this very test is taken', () => {
  expect(remoteFolder(tmpdir())).toBeUndefined();
});
