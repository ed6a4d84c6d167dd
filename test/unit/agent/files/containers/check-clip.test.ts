import { execFileSync } from 'node:child_process';
import {
  copyFile,
  mkdtemp,
  readFile,
  readlink,
  readdir,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FileSeen } from '../../../../../electron/agent/core/settle/file-seen.ts';
import {
  createClipCheck,
  createClosedCheck,
  factsOf,
} from '../../../../../electron/agent/files/containers/check-clip.ts';
import { createGateInHand, type GateInHand } from '../../../../helpers/gate-in-hand.ts';
import { sameNoise } from '../../../../helpers/bench-files.ts';

const CLIPS = fileURLToPath(new URL('../../../../fixtures/clips/', import.meta.url));

let root = '';
let gate: GateInHand;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'check-clip-'));
  gate = createGateInHand(root);
});
afterEach(async () => {
  gate.close();
  await rm(root, { recursive: true, force: true });
});

async function seenAt(path: string): Promise<FileSeen> {
  const facts = await stat(join(root, path), { bigint: true });
  return {
    path,
    kind: 'file',
    sizeBytes: Number(facts.size),
    mtimeNs: String(facts.mtimeNs),
    inode: String(facts.ino),
    device: String(facts.dev),
    links: 1,
  };
}
const check = async (path: string, seen?: FileSeen) =>
  createClipCheck(gate, root)(join(root, path), seen ?? (await seenAt(path)));

/** A transport stream that consists of padding. */
function packets(count: number): Buffer {
  const bytes = Buffer.alloc(count * 188, 0xff);
  for (let at = 0; at < bytes.length; at += 188) bytes.set([0x47, 0x1f, 0xff, 0x10], at);
  return bytes;
}

/** The files in the root that this process has open. */
async function openFiles(): Promise<readonly string[]> {
  const targets = (await readdir('/proc/self/fd')).map((fd) =>
    readlink(`/proc/self/fd/${fd}`).catch(() => ''),
  );
  return (await Promise.all(targets)).filter((target) => target.startsWith(root));
}

describe('createClipCheck', () => {
  it.each(['car-park.mp4', 'corridor-fragmented.mp4', 'concourse.mkv'])(
    'finds %s to be whole',
    async (name) => {
      await copyFile(join(CLIPS, name), join(root, name));
      expect(await check(name)).toMatchObject({ kind: 'complete' });
      expect(await openFiles()).toEqual([]);
    },
  );

  it.each(['car-park.mp4', 'concourse.mkv'])('finds a cut-off %s to be incomplete', async (name) => {
    const bytes = await readFile(join(CLIPS, name));
    await writeFile(join(root, name), bytes.subarray(0, bytes.length - 5_000));
    expect(await check(name)).toMatchObject({ kind: 'incomplete' });
    expect(await openFiles()).toEqual([]);
  });

  it('says for good what a clip states, and that nothing can be said of noise and of padding', async () => {
    await copyFile(join(CLIPS, 'car-park.mp4'), join(root, 'car-park.mp4'));
    expect(factsOf(await check('car-park.mp4'))).toMatchObject({ durationMs: 6_000, frameRate: 12 });
    expect(factsOf(await check('car-park.mp4'))).not.toHaveProperty('content');
    await writeFile(join(root, 'noise.avi'), sameNoise(50_000));
    expect(factsOf(await check('noise.avi'))).toEqual({});
    await writeFile(join(root, 'padding.ts'), packets(1_000));
    expect(factsOf(await check('padding.ts'))).toEqual({});
  });

  it('leaves to others what is fragmented, and what carries something behind padding', async () => {
    await copyFile(join(CLIPS, 'corridor-fragmented.mp4'), join(root, 'fragmented.mp4'));
    expect(factsOf(await check('fragmented.mp4'))).toBeUndefined();
    for (const packet of [30, 990]) {
      const carrying = packets(1_000);
      carrying.set([0x47, 0x40, 0x00, 0x10], packet * 188);
      await writeFile(join(root, 'carrying.ts'), carrying);
      expect(factsOf(await check('carrying.ts')), `packet ${packet}`).toBeUndefined();
    }
    await writeFile(join(root, 'text.avi'), 'this is a text '.repeat(500));
    expect(factsOf(await check('text.avi'))).toBeUndefined();
  });

  it('says that another container is in the file than its name tells', async () => {
    await writeFile(join(root, 'a.mp4'), 'this is a text '.repeat(500));
    expect(await check('a.mp4')).toEqual({ kind: 'unknown-format', content: 'text' });
  });

  it.each(['a.jpg', 'a.exe'])('does not open %s', async (name) => {
    await symlink('/dev/null', join(root, name));
    const seen: FileSeen = {
      path: name,
      kind: 'file',
      sizeBytes: 1,
      mtimeNs: '1',
      inode: '1',
      device: '1',
      links: 1,
    };
    expect(await check(name, seen)).toEqual({ kind: 'unknown-format' });
  });

  it('says that the file is another one by now', async () => {
    await copyFile(join(CLIPS, 'car-park.mp4'), join(root, 'a.mp4'));
    const seen = await seenAt('a.mp4');
    await writeFile(join(root, 'a.mp4'), 'shorter');
    expect(await check('a.mp4', seen)).toMatchObject({
      kind: 'unreadable',
      failure: { code: 'FILE_CHANGED' },
    });
  });

  it.each([
    ['is gone', async () => undefined, 'FILE_GONE'],
    ['is a link by now', () => symlink('/etc/hostname', join(root, 'a.mp4')), 'FILE_LINK'],
    ['is a pipe by now', async () => void execFileSync('mkfifo', [join(root, 'a.mp4')]), 'FILE_NOT_REGULAR'],
  ])('says that the file %s, without opening it', async (_what, make, code) => {
    await writeFile(join(root, 'b.txt'), 'an empty root may be a mount point');
    await make();
    const seen: FileSeen = {
      path: 'a.mp4',
      kind: 'file',
      sizeBytes: 1,
      mtimeNs: '1',
      inode: '1',
      device: '1',
      links: 1,
    };
    expect(await check('a.mp4', seen)).toMatchObject({ kind: 'unreadable', failure: { code } });
  });

  it('rejects while its root hangs, and leaves nothing open', async () => {
    await copyFile(join(CLIPS, 'car-park.mp4'), join(root, 'a.mp4'));
    const seen = await seenAt('a.mp4');
    const end = await gate.hang();
    await expect(check('a.mp4', seen)).rejects.toMatchObject({ failure: { code: 'ROOT_HUNG' } });
    expect(await openFiles()).toEqual([]);
    end();
  });

  // Only Windows has such files. A sparse file looks the same on other systems, where it is an ordinary file
  it.each([
    ['win32', 1_000_000, { kind: 'unreadable', failure: { code: 'FILE_OFFLINE' } }],
    ['win32', 10_000, { kind: 'unknown-format' }],
    ['linux', 1_000_000, { kind: 'unknown-format' }],
  ] as const)(
    'input A34: a file in the cloud is not downloaded by looking at it (fixture, %s, %i bytes)',
    async (platform, bytes, expected) => {
      await writeFile(join(root, 'a.avi'), '');
      await truncate(join(root, 'a.avi'), bytes);
      const seen = await seenAt('a.avi');
      vi.spyOn(process, 'platform', 'get').mockReturnValue(platform);
      try {
        expect(await check('a.avi', seen)).toMatchObject(expected);
      } finally {
        vi.restoreAllMocks();
      }
    },
  );
});

describe('createClosedCheck', () => {
  const isClosed = async (path: string, seen?: FileSeen, isTrusted = () => true) =>
    createClosedCheck(gate, root, isTrusted)(join(root, path), seen ?? (await seenAt(path)));

  it('finds a finished clip to be closed, by its bytes before its name', async () => {
    await copyFile(join(CLIPS, 'car-park.mp4'), join(root, 'car-park.mp4'));
    await copyFile(join(CLIPS, 'car-park.mp4'), join(root, 'car-park.avi'));
    await copyFile(join(CLIPS, 'car-park.mp4'), join(root, 'report.txt'));
    expect(await isClosed('car-park.mp4')).toBe(true);
    expect(await isClosed('car-park.avi')).toBe(true);
    expect(await isClosed('report.txt')).toBe(false);
    await expect.poll(openFiles).toEqual([]);
  });

  it('finds none that is cut off, another file by now, gone, or not trusted', async () => {
    const name = 'car-park.mp4';
    await copyFile(join(CLIPS, name), join(root, name));
    const seen = await seenAt(name);
    expect(await isClosed(name, seen, () => false)).toBe(false);
    await truncate(join(root, name), 200_000);
    expect(await isClosed(name, seen)).toBe(false);
    expect(await isClosed(name)).toBe(false);
    await rm(join(root, name));
    expect(await isClosed(name, seen)).toBe(false);
    await expect.poll(openFiles).toEqual([]);
  });
});
