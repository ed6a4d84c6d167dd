import { mkdtemp, realpath } from 'node:fs/promises';
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** All tests together need a tenth of this, bytes; a container may have 64 MB in total. */
const LEAST_FREE_BYTES = 512 * 1024 * 1024;

/**
 * Makes a folder for files that a test's program writes durably: a queue, a browser's profile. In memory if there is
 * room, since no test cuts the power and waiting for the disk is half the time of a test with an agent. Never for a
 * watched folder: one on the system's devices is refused. The caller removes it.
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
