import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  isOwned,
  takeInstanceLock,
  type InstanceLock,
} from '../../../../electron/agent/store/instance-lock.ts';
import { makeUnsyncedFolder } from '../../../helpers/unsynced-folder.ts';

const HOLDER = fileURLToPath(new URL('../../../helpers/hold-lock.ts', import.meta.url));

let dir = '';
const held: InstanceLock[] = [];
const children: ChildProcess[] = [];

beforeEach(async () => {
  dir = await makeUnsyncedFolder('lock-');
});
afterEach(async () => {
  for (const lock of held.splice(0)) lock.release();
  await Promise.all(children.splice(0).map(kill));
  await rm(dir, { recursive: true, force: true });
});

/** A clock whose waits end immediately. */
function fastClock() {
  let nowMs = 0;
  return { now: () => 1_000, monotonic: () => nowMs, sleep: async (ms: number) => void (nowMs += ms) };
}

async function take(folder = dir) {
  const taken = await takeInstanceLock(folder, fastClock());
  if (taken.ok) held.push(taken.value);
  return taken;
}

/** Another process that tries to take the directory; returns what it reported. */
async function holdElsewhere(): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, ['--no-warnings', HOLDER, dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [said]: unknown[] = await once(child.stdout, 'data');
  return { child, said: String(said).trim() };
}

/** Records a process as the directory's owner that is not the one holding its lock. */
function noteOwner(pid: number): void {
  const note = new Database(join(dir, 'owner.db'));
  note.prepare('UPDATE owner SET pid = ?').run(pid);
  note.close();
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe('takeInstanceLock', () => {
  it('gives the directory to one owner at a time, and again after it was released', async () => {
    const first = await take();
    expect(first.ok).toBe(true);
    expect(await take()).toMatchObject({ ok: false, error: { code: 'DATA_IN_USE', retryable: false } });
    held.pop()?.release();
    expect((await take()).ok).toBe(true);
  });

  it('fault 12, fault 13, checklist 16: refuses a directory that a second process owns, names that process and since when, and takes it over after kill -9', async () => {
    const { child, said } = await holdElsewhere();
    expect(said).toBe('taken');
    const refused = await take();
    const owner = `(process ${child.pid} on ${hostname()}, since 2026-01-01 00:00:00 UTC)`;
    expect(refused).toMatchObject({ ok: false, error: { code: 'DATA_IN_USE' } });
    expect(refused.ok ? '' : refused.error.message).toContain(owner);
    await kill(child);
    expect((await take()).ok).toBe(true);
  });

  it('is refused to a second process while this one holds it', async () => {
    expect((await take()).ok).toBe(true);
    expect((await holdElsewhere()).said).toBe('DATA_IN_USE');
  });

  it('recreates a damaged lock file, says so once, and is the only owner then', async () => {
    await writeFile(join(dir, 'lock.db'), 'this is no database at all, it is text '.repeat(40));
    await writeFile(join(dir, 'lock.db-journal'), 'nor is this a journal');
    expect(await take()).toMatchObject({ ok: true, value: { wasDamaged: true } });
    expect((await holdElsewhere()).said).toBe('DATA_IN_USE');
    held.pop()?.release();
    expect(await take()).toMatchObject({ ok: true, value: { wasDamaged: false } });
  });

  it('waits for the lock of an owner that was killed and is not quite gone', async () => {
    const { child } = await holdElsewhere();
    let waits = 0;
    const sleep = async (): Promise<void> => {
      waits += 1;
      if (waits === 12) await kill(child);
    };
    // It takes longer than the wait for a living owner: the process is stopped, and dies during the wait
    const gone = spawn(process.execPath, ['-e', '']);
    await once(gone, 'exit');
    noteOwner(gone.pid ?? 0);
    let nowMs = 0;
    const clock = { now: () => 1_000, monotonic: () => (nowMs += 200), sleep };
    const taken = await takeInstanceLock(dir, clock);
    if (taken.ok) held.push(taken.value);
    expect([taken.ok, waits]).toEqual([true, 12]);
  });

  it('keeps two directories apart', async () => {
    const other = await makeUnsyncedFolder('lock-');
    try {
      expect([(await take()).ok, (await take(other)).ok]).toEqual([true, true]);
    } finally {
      for (const lock of held.splice(0)) lock.release();
      await rm(other, { recursive: true });
    }
  });

  it.each([
    ['is not there', () => join(dir, 'missing')],
    ['is a file', () => join(dir, 'file')],
  ])('refuses a directory that %s', async (_what, path) => {
    await writeFile(join(dir, 'file'), '');
    expect(await take(path())).toMatchObject({ ok: false, error: { code: 'DATA_FOLDER' } });
  });

  it('fault 13: does not need the note about the owner: a damaged one keeps nobody out', async () => {
    await writeFile(
      join(dir, 'owner.db'),
      'this is no database at all, it is text that was written here '.repeat(20),
    );
    expect((await take()).ok).toBe(true);
    expect(await take()).toMatchObject({ ok: false, error: { code: 'DATA_IN_USE' } });
    held.pop()?.release();
    // The next owner is named again
    expect((await take()).ok).toBe(true);
    expect(JSON.stringify(await take())).toContain(`process ${process.pid} on ${hostname()}`);
  });

  it('does not mistake somebody who reads the note for an owner', async () => {
    await take();
    held.pop()?.release();
    const reader = new Database(join(dir, 'owner.db'));
    reader.exec('BEGIN EXCLUSIVE');
    try {
      expect((await take()).ok).toBe(true);
    } finally {
      reader.close();
    }
  });
});

describe('isOwned', () => {
  it('is true from the taking of the lock to its release, and false where nobody ever was', async () => {
    expect(isOwned(dir)).toBe(false);
    await take();
    expect([isOwned(dir), isOwned(dir)]).toEqual([true, true]);
    held.pop()?.release();
    expect(isOwned(dir)).toBe(false);
  });

  it('is true while another process owns the directory, and false after kill -9', async () => {
    const { child } = await holdElsewhere();
    expect(isOwned(dir)).toBe(true);
    await kill(child);
    expect(isOwned(dir)).toBe(false);
  });

  it('leaves the lock with its owner', async () => {
    await take();
    expect(isOwned(dir)).toBe(true);
    expect((await holdElsewhere()).said).toBe('DATA_IN_USE');
  });
});
