import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHashPool } from '../../electron/agent/files/hashing/hash-pool.ts';
import { ownThreads } from '../../electron/agent/files/own-threads.ts';
import { createSystemClock } from '../../electron/agent/system-clock.ts';
import { smallFileThreads } from '../helpers/small-file-threads.ts';

const clock = createSystemClock();

let folder = '';
let before = new Set<string>();

/** Priorities of the threads that were started since the test began. */
const startedSince = (): number[] =>
  readdirSync('/proc/self/task')
    .filter((id) => !before.has(id))
    .map((id) => getPriority(Number(id)));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'priority-'));
  writeFileSync(join(folder, 'a.avi'), 'clip');
  before = new Set(readdirSync('/proc/self/task'));
});
afterEach(() => rmSync(folder, { recursive: true }));

// Linux alone gives each thread a priority
describe.runIf(process.platform === 'linux')('on a busy processor the main thread goes before', () => {
  it('a thread that makes sums of large files', async () => {
    const fd = openSync(join(folder, 'a.avi'), 'r');
    const pool = createHashPool({ rootPath: folder, clock, workers: ownThreads, threads: 1 });
    await pool.hashPart({ source: { fd, name: 'a.avi' }, offset: 0, length: 4, md5: false });
    expect(startedSince()).toContain(getPriority() + 5);
    await pool.stop();
    closeSync(fd);
  });

  it('a thread that sends small ones', async () => {
    const version = { sizeBytes: 4, mtimeNs: '0', inode: '0', device: '0' };
    const reader = smallFileThreads(clock);
    await reader.sum({ path: join(folder, 'a.avi'), rootPath: folder, name: 'a.avi', version });
    expect(startedSince()).toContain(getPriority() + 5);
    reader.stop();
  });
});
