import { mkdtemp, realpath } from 'node:fs/promises';
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** All tests at once keep a tenth of this there, bytes; a container may have 64 MB in all. */
const LEAST_FREE_BYTES = 512 * 1024 * 1024;

/**
 * Makes a folder for what a test's program writes durably: a queue, a browser's profile. In memory where there is room,
 * as no test pulls the plug, and waiting for the disk is half of what a test with an agent takes. Never for a watched
 * folder: that of the system's devices is refused. Whoever makes it removes it.
 */
export async function makeUnsyncedFolder(prefix: string): Promise<string> {
  return realpath(await mkdtemp(join(hasMemory() ? MEMORY : tmpdir(), prefix)));
}

let answer: boolean | undefined;
function hasMemory(): boolean {
  answer ??= process.platform === 'linux' && freeBytes() >= LEAST_FREE_BYTES;
  return answer;
}

function freeBytes(): number {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
