import { execFile } from 'node:child_process';

/** Of util-linux, which every Linux with a package manager has. Named whole: a search path is somebody else's. */
const PRLIMIT = '/usr/bin/prlimit';
/** It needs some milliseconds. */
const LIMIT_MS = 5_000;

/**
 * From here on the system writes no memory of this process to the disk when it crashes: the key is in it. Linux only,
 * where Node has no call for it; other systems write none unless an administrator says so. Resolves with whether it was
 * done; never rejects.
 */
export function forbidCoreDumps({
  platform,
  pid,
}: Pick<NodeJS.Process, 'platform' | 'pid'>): Promise<boolean> {
  if (platform !== 'linux') return Promise.resolve(false);
  return new Promise((resolve) => {
    execFile(PRLIMIT, ['--core=0:0', '--pid', String(pid)], { timeout: LIMIT_MS }, (error) =>
      resolve(error === null),
    );
  });
}
