import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { remoteFolder, type FolderFacts } from '../../../../electron/agent/store/remote-folder.ts';

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
  expect(failure?.advice).toContain('--data-dir');
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

// Windows itself is not at hand here: its paths are a fixture
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
