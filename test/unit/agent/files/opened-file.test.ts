import { execFileSync } from 'node:child_process';
import { constants } from 'node:fs';
import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileVersion } from '../../../../electron/agent/core/settle/file-seen.ts';
import { openFile, type OpenedFile } from '../../../../electron/agent/files/opened-file.ts';
import { fileFailure } from '../../../../electron/agent/files/file-failures.ts';

let root = '';
let clip = '';
const opened: OpenedFile[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'evidence-'));
  await mkdir(join(root, 'export'));
  clip = join(root, 'export', 'door.mp4');
  await writeFile(clip, 'twelve bytes');
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((file) => file.close()));
  await rm(root, { recursive: true, force: true });
});

async function versionOf(path: string): Promise<FileVersion> {
  const stats = await stat(path, { bigint: true });
  return {
    sizeBytes: Number(stats.size),
    mtimeNs: stats.mtimeNs.toString(),
    inode: stats.ino.toString(),
    device: stats.dev.toString(),
  };
}

async function open(path = clip, expected?: FileVersion): Promise<OpenedFile> {
  const result = await openFile(path, expected, root);
  if (!result.ok) throw new Error(result.error.message);
  opened.push(result.value);
  return result.value;
}

async function codeOf(path: string, expected?: FileVersion): Promise<string> {
  const result = await openFile(path, expected, root);
  if (result.ok) opened.push(result.value);
  return result.ok ? 'opened' : result.error.code;
}

describe('openFile', () => {
  it('opens the file that was scanned and reads it at any place', async () => {
    const file = await open(clip, await versionOf(clip));
    const buffer = Buffer.alloc(20);
    expect(await file.read(buffer, 2, 5, 7)).toBe(5);
    expect(buffer.toString('utf8', 2, 7)).toBe('bytes');
    expect(file.version).toEqual(await versionOf(clip));
  });

  it('does not follow a link, whatever it points to', async () => {
    for (const target of [clip, '/etc/passwd', '/dev/zero', join(root, 'self.mp4'), 'nowhere']) {
      const path = join(root, 'self.mp4');
      await symlink(target, path);
      expect(await codeOf(path)).toBe('FILE_LINK');
      await unlink(path);
    }
  });

  it('does not wait for a pipe', async () => {
    const path = join(root, 'pipe.mp4');
    execFileSync('mkfifo', [path]);
    expect(await codeOf(path)).toBe('FILE_NOT_REGULAR');
  });

  it('opens neither folders nor sockets nor devices', async () => {
    await mkdir(join(root, 'folder.mp4'));
    expect(await codeOf(join(root, 'folder.mp4'))).toBe('FILE_NOT_REGULAR');
    const path = join(root, 's.mp4');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path, resolve));
    expect(await codeOf(path)).toBe('FILE_NOT_REGULAR');
    await new Promise((resolve) => server.close(resolve));
    const device = await openFile('/dev/null', undefined, '/dev');
    expect(device).toMatchObject({ ok: false, error: { code: 'FILE_NOT_REGULAR' } });
  });

  it('says that a file is gone', async () => {
    expect(await codeOf(join(root, 'export', 'none.mp4'))).toBe('FILE_GONE');
    expect(await codeOf(join(clip, 'none.mp4'))).toBe('FILE_GONE');
  });

  it('sees any difference from what was scanned', async () => {
    const before = await versionOf(clip);
    const changes: readonly (readonly [name: string, change: () => Promise<unknown>])[] = [
      ['longer', () => appendFile(clip, 'x')],
      ['shorter', () => truncate(clip, 3)],
      ['written', () => utimes(clip, 1, 1)],
      ['replaced', () => unlink(clip).then(() => writeFile(clip, 'twelve bytes'))],
    ];
    for (const [name, change] of changes) {
      await change();
      expect(await codeOf(clip, before), name).toBe('FILE_CHANGED');
    }
  });

  it('takes a file under other numbers of a share that was remounted for the same, if size and time are', async () => {
    const before = { ...(await versionOf(clip)), device: '7', inode: '8' };
    expect((await open(clip, before)).version).toEqual(await versionOf(clip));
    expect(await codeOf(clip, { ...before, sizeBytes: 13 })).toBe('FILE_CHANGED');
    expect(await codeOf(clip, { ...before, mtimeNs: '9' })).toBe('FILE_CHANGED');
  });

  it('checklist 37: refuses a folder that was swapped for a link out of the root', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'outside-'));
    await writeFile(join(outside, 'door.mp4'), 'secret bytes');
    await rm(join(root, 'export'), { recursive: true });
    await symlink(outside, join(root, 'export'));
    expect(await codeOf(clip)).toBe('FILE_LINK');
    await rm(outside, { recursive: true });
  });

  it('refuses a sibling folder whose name begins like the root', async () => {
    const sibling = `${root}-other`;
    await mkdir(sibling);
    await writeFile(join(sibling, 'a.mp4'), 'x');
    expect(await codeOf(join(sibling, 'a.mp4'))).toBe('FILE_LINK');
    await rm(sibling, { recursive: true });
  });

  it('accepts a root that is itself reached through a link', async () => {
    const alias = `${root}-alias`;
    await symlink(root, alias);
    const result = await openFile(join(alias, 'export', 'door.mp4'), undefined, alias);
    expect(result.ok).toBe(true);
    if (result.ok) opened.push(result.value);
    await unlink(alias);
  });

  it('never reads the target when file and link are swapped all the time', async () => {
    const secret = join(root, 'secret');
    await writeFile(secret, 'do not read!');
    const spare = join(root, 'spare');
    await symlink(secret, spare);
    let isSwapping = true;
    const swapping = (async () => {
      while (isSwapping) {
        await rename(clip, join(root, 'aside')).catch(() => undefined);
        await rename(spare, clip).catch(() => undefined);
        await rename(clip, spare).catch(() => undefined);
        await rename(join(root, 'aside'), clip).catch(() => undefined);
      }
    })();
    const seen = new Set<string>();
    for (let attempt = 0; attempt < 100; attempt++) {
      const result = await openFile(clip, undefined, root);
      if (!result.ok) {
        seen.add(result.error.code);
        continue;
      }
      const buffer = Buffer.alloc(12);
      await result.value.read(buffer, 0, 12, 0);
      await result.value.close();
      expect(buffer.toString()).toBe('twelve bytes');
    }
    isSwapping = false;
    await swapping;
    for (const code of seen) expect(['FILE_LINK', 'FILE_GONE', 'FILE_CHANGED']).toContain(code);
  });

  it.skipIf(process.getuid?.() === 0)('names the account that may not read', async () => {
    await chmod(clip, 0);
    const result = await openFile(clip, undefined, root);
    expect(result).toMatchObject({ ok: false, error: { code: 'FILE_NO_ACCESS' } });
  });

  it('leaves no descriptor open after a refusal', async () => {
    expect(await codeOf(clip, { ...(await versionOf(clip)), sizeBytes: 1 })).toBe('FILE_CHANGED');
    const links = await readdir('/proc/self/fd');
    const targets = await Promise.all(links.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
    expect(targets).not.toContain(clip);
  });
});

describe('an evidence file', () => {
  it('says that it became shorter while it was read', async () => {
    const file = await open();
    await truncate(clip, 5);
    expect(await file.read(Buffer.alloc(12), 0, 12, 0)).toBe(5);
    expect(await file.readExactly(Buffer.alloc(12), 12, 0)).toMatchObject({
      ok: false,
      error: { code: 'FILE_CHANGED', message: expect.stringContaining('became shorter') },
    });
  });

  it('is unchanged as long as nobody touches it', async () => {
    const file = await open();
    await file.readExactly(Buffer.alloc(12), 12, 0);
    expect(await file.verifyUnchanged()).toMatchObject({ ok: true, value: { isTouched: false } });
    await chmod(file.name, 0o600);
    expect(await file.verifyUnchanged()).toMatchObject({ ok: true, value: { isTouched: true } });
  });

  it('notices growth, writing, replacing and removal at the end', async () => {
    const grown = await open();
    await appendFile(clip, 'x');
    expect(await grown.verifyUnchanged()).toMatchObject({ error: { code: 'FILE_CHANGED' } });
    const touched = await open();
    await utimes(clip, 1, 1);
    expect(await touched.verifyUnchanged()).toMatchObject({ error: { code: 'FILE_CHANGED' } });
    const replaced = await open();
    await writeFile(join(root, 'new'), 'twelve bytes');
    await rename(join(root, 'new'), clip);
    expect(await replaced.verifyUnchanged()).toMatchObject({ error: { code: 'FILE_CHANGED' } });
    const removed = await open();
    await unlink(clip);
    expect(await removed.verifyUnchanged()).toMatchObject({ error: { code: 'FILE_GONE' } });
  });

  it('may be closed twice and is of no use afterwards', async () => {
    const file = await open();
    await Promise.all([file.close(), file.close()]);
    expect(await file.readExactly(Buffer.alloc(1), 1, 0)).toMatchObject({ error: { code: 'FILE_READ' } });
  });
});

describe('fileFailure', () => {
  it.each([
    ['ENOENT', 'FILE_GONE', false],
    ['ELOOP', 'FILE_LINK', false],
    ['EACCES', 'FILE_NO_ACCESS', true],
    ['EPERM', 'FILE_NO_ACCESS', true],
    ['EBUSY', 'FILE_LOCKED', true],
    ['EISDIR', 'FILE_NOT_REGULAR', false],
    ['ENAMETOOLONG', 'FILE_NAME_UNREADABLE', false],
    ['ENXIO', 'FILE_READ', true],
    ['ENODEV', 'FILE_READ', true],
    ['EMFILE', 'HANDLES_USED_UP', true],
    ['EIO', 'FILE_READ', true],
    ['ESTALE', 'FILE_READ', true],
  ])('maps %s to %s', (code, expected, retryable) => {
    const failure = fileFailure(Object.assign(new Error(code), { code }), '/r/a\nb.mp4');
    expect(failure).toMatchObject({ code: expected, retryable });
    // HANDLES_USED_UP does not concern this file
    if (expected !== 'HANDLES_USED_UP') expect(failure.message).toContain('/r/a␊b.mp4');
    if (expected === 'FILE_NO_ACCESS') {
      expect(failure.message).toContain(userInfo().username);
      // The account may be called "nobody"
      expect(failure.advice).toContain(`Give the account ${userInfo().username} permission`);
    }
  });

  it('knows the flags that keep links and pipes out on this platform', () => {
    expect(constants.O_NOFOLLOW).toBeGreaterThan(0);
    expect(constants.O_NONBLOCK).toBeGreaterThan(0);
  });
});
