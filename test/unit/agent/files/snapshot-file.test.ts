import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  appendFile,
  lstat,
  mkdir,
  mkdtemp,
  rename,
  rm,
  symlink,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FileVersion } from '../../../../electron/agent/core/settle/file-seen.ts';
import { fs } from '../../../../electron/agent/files/plain-fs.ts';
import {
  lookAgain,
  readBytes,
  SMALL_BYTES,
  sumFile,
  takeSnapshot as takeInto,
  type SnapshotRequest,
} from '../../../../electron/agent/files/snapshot-file.ts';
import { smallFileThreads } from '../../../helpers/small-file-threads.ts';
import type { Clock } from '../../../../electron/agent/ports.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'snapshot-'));
  await mkdir(join(root, 'Gate 4'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const bytes = randomBytes(100_000);
const pathOf = (name: string): string => join(root, 'Gate 4', name);

async function versionOf(path: string): Promise<FileVersion> {
  const stats = await lstat(path, { bigint: true });
  return {
    sizeBytes: Number(stats.size),
    mtimeNs: stats.mtimeNs.toString(),
    inode: stats.ino.toString(),
    device: stats.dev.toString(),
  };
}

async function request(name = 'a.avi') {
  const path = pathOf(name);
  return { path, rootPath: root, name, version: await versionOf(path) };
}

const takeSnapshot = (request: SnapshotRequest) => takeInto(request, new Uint8Array(SMALL_BYTES));

const sha256Of = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

describe('sumFile', () => {
  const readFirst = [
    ['for its description', readBytes],
    ['for its sums', sumFile],
  ] as const;

  it.each(readFirst)(
    'does not read a file again that was read %s and has not changed',
    async (_what, read) => {
      await writeFile(pathOf('a.avi'), bytes);
      const meant = await request();
      expect(read(meant).ok).toBe(true);
      const opening = vi.spyOn(fs, 'openSync');
      try {
        const known = sumFile({ ...meant, mayBeKnown: true });
        expect(known).toEqual({ ok: true, value: { version: meant.version, sha256: sha256Of(bytes) } });
        expect(opening).not.toHaveBeenCalled();
        // A proof is about what is on the disk now
        expect(sumFile(meant)).toEqual(known);
        expect(opening).toHaveBeenCalledOnce();
      } finally {
        opening.mockRestore();
      }
    },
  );

  it.each(readFirst)(
    'reads a file again that was read %s and rewritten under its old time',
    async (_what, read) => {
      await writeFile(pathOf('a.avi'), bytes);
      const anyTime = new Date('2026-08-01T10:00:00Z');
      await utimes(pathOf('a.avi'), anyTime, anyTime);
      const meant = await request();
      expect(read(meant).ok).toBe(true);
      // The system's clock for files ticks every few milliseconds; a settled file was left alone for longer
      await sleep(20);
      const others = randomBytes(bytes.length);
      await writeFile(pathOf('a.avi'), others);
      await utimes(pathOf('a.avi'), anyTime, anyTime);
      expect(await versionOf(pathOf('a.avi'))).toEqual(meant.version);
      expect(sumFile({ ...meant, mayBeKnown: true })).toMatchObject({ value: { sha256: sha256Of(others) } });
    },
  );

  it('refuses a file that another one has replaced, or that is gone, whatever it knew', async () => {
    await writeFile(pathOf('a.avi'), bytes);
    const meant = { ...(await request()), mayBeKnown: true };
    expect(sumFile(meant).ok).toBe(true);
    await writeFile(pathOf('b.avi'), bytes);
    await rename(pathOf('b.avi'), pathOf('a.avi'));
    expect(sumFile(meant)).toMatchObject({ ok: false, error: { code: 'FILE_CHANGED' } });
    await unlink(pathOf('a.avi'));
    expect(sumFile(meant)).toMatchObject({ ok: false, error: { code: 'FILE_GONE' } });
  });
});

describe('takeSnapshot', () => {
  it('reads all bytes with their sums', async () => {
    await writeFile(pathOf('a.avi'), bytes);
    const taken = takeSnapshot({ ...(await request()), withMd5: true });
    if (!taken.ok) throw new Error(taken.error.message);
    expect(Buffer.compare(Buffer.from(taken.value.bytes), bytes)).toBe(0);
    expect(taken.value.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(taken.value.md5).toBe(createHash('md5').update(bytes).digest('hex'));
  });

  it('makes no MD5 that nobody wants', async () => {
    await writeFile(pathOf('a.avi'), bytes);
    const taken = takeSnapshot(await request());
    expect(taken.ok && Object.keys(taken.value).toSorted()).toEqual(['bytes', 'sha256', 'version']);
  });

  it('never takes the beginning of a file for the whole', async () => {
    await writeFile(pathOf('a.avi'), bytes);
    const meant = await request();
    expect(() => takeInto(meant, new Uint8Array(bytes.length - 1))).toThrow('does not fit');
  });

  it('refuses another version than the one that is meant', async () => {
    await writeFile(pathOf('a.avi'), bytes);
    const meant = await request();
    await appendFile(pathOf('a.avi'), 'more');
    expect(takeSnapshot(meant)).toMatchObject({ ok: false, error: { code: 'FILE_CHANGED' } });
  });

  it('reads a file under other numbers of a share that was remounted, and tells its own', async () => {
    await writeFile(pathOf('a.avi'), bytes);
    const { version, ...meant } = await request();
    const taken = takeSnapshot({ ...meant, version: { ...version, device: '7', inode: '8' } });
    expect(taken).toMatchObject({ ok: true, value: { version } });
  });

  it('says that a file is gone, by the name that messages use', async () => {
    await writeFile(pathOf('a.avi'), bytes);
    const meant = await request();
    await unlink(pathOf('a.avi'));
    const taken = takeSnapshot(meant);
    expect(taken).toMatchObject({ ok: false, error: { code: 'FILE_GONE' } });
    expect(JSON.stringify(taken)).not.toContain(root);
  });

  it('follows no link and opens no pipe', async () => {
    await writeFile(join(root, 'secret'), 'x');
    await symlink(join(root, 'secret'), pathOf('link.avi'));
    execFileSync('mkfifo', [pathOf('pipe.avi')]);
    expect(takeSnapshot(await request('link.avi'))).toMatchObject({ error: { code: 'FILE_LINK' } });
    expect(takeSnapshot(await request('pipe.avi'))).toMatchObject({ error: { code: 'FILE_NOT_REGULAR' } });
  });

  it('refuses a folder that was swapped for a link out of the root', async () => {
    await writeFile(pathOf('a.avi'), bytes);
    const meant = await request();
    const outside = await mkdtemp(join(tmpdir(), 'outside-'));
    await rename(join(root, 'Gate 4'), join(outside, 'Gate 4'));
    await symlink(join(outside, 'Gate 4'), join(root, 'Gate 4'));
    expect(takeSnapshot(meant)).toMatchObject({ ok: false, error: { code: 'FILE_LINK' } });
    await rm(outside, { recursive: true, force: true });
  });
});

describe('lookAgain', () => {
  it('says what a path names now', async () => {
    await writeFile(pathOf('a.avi'), bytes);
    const meant = await request();
    expect(lookAgain(meant)).toMatchObject({ ok: true, value: { version: meant.version } });
    await appendFile(pathOf('a.avi'), 'more');
    expect(lookAgain(meant)).toMatchObject({ ok: true, value: { version: { sizeBytes: bytes.length + 4 } } });
    await unlink(pathOf('a.avi'));
    expect(lookAgain(meant)).toMatchObject({ ok: false, error: { code: 'FILE_GONE' } });
  });
});

describe('the threads for small files', () => {
  it('answers each of many files asked for together with its own sum', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `clip-${index}.avi`);
    for (const name of names) await writeFile(pathOf(name), `bytes of ${name}`);
    const reader = smallFileThreads(createSystemClock());
    const answers = await Promise.all(names.map(async (name) => reader.sum(await request(name))));
    reader.stop();
    const sums = answers.map((answer) => (answer.ok ? answer.value.sha256 : answer.error.code));
    const sumOf = (name: string) => createHash('sha256').update(`bytes of ${name}`).digest('hex');
    expect(sums).toEqual(names.map(sumOf));
  });

  it('ends what is under way when it is stopped, and works again when it is asked again', async () => {
    await writeFile(pathOf('a.avi'), bytes);
    const meant = await request();
    const reader = smallFileThreads(createSystemClock());
    const broken = reader.sum(meant);
    reader.stop();
    await expect(broken).rejects.toThrow('stopping');
    expect((await reader.sum(meant)).ok).toBe(true);
    reader.stop();
  });

  it('gives up on a share that hangs after its deadline, as the gate does', async () => {
    await writeFile(pathOf('a.avi'), bytes);
    const real = createSystemClock();
    const clock: Clock = { ...real, after: (_delayMs, work) => real.after(0, work) };
    const reader = smallFileThreads(clock);
    await expect(reader.sum(await request())).rejects.toMatchObject({ failure: { code: 'ROOT_HUNG' } });
    reader.stop();
  });

  it('takes no message for late that waits behind another one', async () => {
    await writeFile(pathOf('a.avi'), bytes);
    const meant = await request();
    const real = createSystemClock();
    let limits = 0;
    const clock: Clock = {
      ...real,
      after(delayMs, work) {
        limits += 1;
        return real.after(delayMs, work);
      },
    };
    const reader = smallFileThreads(clock);
    const first = reader.sum(meant);
    // In another turn of the event loop: another message
    await new Promise((resolve) => setImmediate(resolve));
    const second = reader.sum(meant);
    await new Promise((resolve) => setImmediate(resolve));
    expect(limits).toBe(1);
    expect([(await first).ok, (await second).ok]).toEqual([true, true]);
    reader.stop();
  });
});
