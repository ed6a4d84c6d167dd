import { readFileSync, realpathSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Failure } from '../../../shared/domain/failure.ts';

/** Types of network file systems as `statfs` of Linux answers them, from linux/magic.h and the modules themselves. */
const NETWORK_TYPES: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x564c, 'NCP'],
  [0x73757245, 'Coda'],
  [0x786f4256, 'a folder of the host of this virtual machine'],
]);
const FUSE_TYPE = 0x65735546;
/** File systems in user space that reach over the network; any other one may well be a local disk. */
const NETWORK_FUSE =
  /^fuse\.(sshfs|rclone|davfs2?|s3fs|gcsfuse|blobfuse2?|curlftpfs|glusterfs|ceph(?:-fuse)?|mfs|smbnetfs|gvfsd-fuse|onedriver|google-drive-ocamlfuse)$/;

/** Folders that a program copies to a cloud, by the names that these programs give them. */
const SYNCED: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['OneDrive', /^OneDrive(?: - .+)?$/i],
  ['Dropbox', /^Dropbox(?: \(.+\))?$/i],
  ['iCloud', /^(?:iCloud ?Drive|com~apple~CloudDocs)$/i],
  ['Google Drive', /^(?:Google ?Drive|GoogleDrive-.+)$/i],
];

/** What is asked of the system; tests of other systems bring their own. */
export interface FolderFacts {
  readonly platform: NodeJS.Platform;
  /** Without links; on Windows a drive letter of a share becomes the share's own path. */
  realPath(path: string): string;
  /** The type of the file system, as `statfs` has it. */
  type(path: string): number;
  /** /proc/self/mountinfo. */
  mounts(): string;
}

const system: FolderFacts = {
  platform: process.platform,
  realPath: (path) => realpathSync.native(path),
  type: (path) => statfsSync(path).type,
  mounts: () => readFileSync('/proc/self/mountinfo', 'utf8'),
};

/**
 * DATA_FOLDER_REMOTE when the data directory is on a share or in a folder that is copied to a cloud: SQLite's log needs
 * memory that is shared between processes, and files that nobody else takes away. The folder need not exist yet.
 */
export function remoteFolder(dataDir: string, facts: FolderFacts = system): Failure | undefined {
  const path = nearest(dataDir, facts);
  const where = shareOf(path, facts) ?? syncedBy(dataDir) ?? syncedBy(path);
  if (where === undefined) return undefined;
  return {
    code: 'DATA_FOLDER_REMOTE',
    message: `The data directory ${dataDir} is ${where}, where the queue would sooner or later be damaged.`,
    advice:
      'Give the agent a folder on a local disk that nothing synchronises, with --data-dir. To move this one, stop the agent and copy the whole directory there. Watched folders may stay on shares.',
    retryable: false,
  };
}

/** The real path of the folder, or of the nearest one above it that exists. */
function nearest(folder: string, facts: FolderFacts): string {
  for (let path = folder; ; path = dirname(path)) {
    try {
      return facts.realPath(path);
    } catch {
      if (dirname(path) === path) return folder;
    }
  }
}

function shareOf(path: string, facts: FolderFacts): string | undefined {
  if (facts.platform === 'win32')
    return /^(?:\\\\\?\\UNC\\|\\\\(?![?.]\\))/i.test(path) ? 'on a network share' : undefined;
  if (facts.platform !== 'linux') return undefined;
  try {
    const type = facts.type(path) >>> 0;
    const name = type === FUSE_TYPE ? networkFuse(path, facts.mounts()) : NETWORK_TYPES.get(type);
    return name === undefined ? undefined : `on a network share (${name})`;
  } catch {
    // What cannot be asked is not refused
    return undefined;
  }
}

/** The type of the mount that the path lies in, when it is one of the network. */
function networkFuse(path: string, mounts: string): string | undefined {
  const holding = mounts
    .split('\n')
    .map((line) => {
      const [before = '', after = ''] = line.split(' - ');
      const point = (before.split(' ')[4] ?? '').replaceAll(/\\([0-7]{3})/g, (_, digits: string) =>
        String.fromCharCode(Number.parseInt(digits, 8)),
      );
      return { point, type: after.split(' ')[0] ?? '' };
    })
    .filter(({ point }) => point === path || path.startsWith(point === '/' ? point : `${point}/`))
    // Of two mounts at the same place the later one is seen
    .toSorted((a, b) => a.point.length - b.point.length)
    .at(-1);
  return holding !== undefined && NETWORK_FUSE.test(holding.type) ? holding.type : undefined;
}

function syncedBy(path: string): string | undefined {
  const names = path.split(/[\\/]/);
  const found = SYNCED.find(([, pattern]) => names.some((name) => pattern.test(name)));
  return found === undefined ? undefined : `in a folder that ${found[0]} synchronises`;
}
