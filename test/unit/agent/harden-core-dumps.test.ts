import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { forbidCoreDumps } from '../../../electron/agent/harden.ts';

/** Soft and hard limit of core files, as the system reports them. */
const coreLimit = (pid: number): readonly string[] =>
  /^Max core file size\s+(\S+)\s+(\S+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))?.slice(1) ?? [];

/** Without the right to write core files there is nothing to test. */
const mayDump = process.platform === 'linux' && coreLimit(process.pid)[1] !== '0';

it.runIf(mayDump)('checklist 17: leaves no memory on the disk when the process crashes', async () => {
  const child = spawn('/bin/sh', ['-c', 'ulimit -S -c "$(ulimit -H -c)"; echo ready; exec sleep 60']);
  try {
    await once(child.stdout, 'data');
    const pid = child.pid ?? 0;
    expect(coreLimit(pid)).not.toEqual(['0', '0']);
    expect(await forbidCoreDumps({ platform: 'linux', pid })).toBe(true);
    expect(coreLimit(pid)).toEqual(['0', '0']);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

it('says that it was not done: of a process that is not there, on another system', async () => {
  expect(await forbidCoreDumps({ platform: 'linux', pid: 2 ** 22 + 1 })).toBe(false);
  expect(await forbidCoreDumps({ platform: 'win32', pid: process.pid })).toBe(false);
});
