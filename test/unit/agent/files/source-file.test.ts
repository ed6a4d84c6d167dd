import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSource, type SourceRef } from '../../../../electron/agent/files/source-file.ts';
import { createGateInHand, type GateInHand } from '../../../helpers/gate-in-hand.ts';

const going = new AbortController().signal;

let base = '';
let root = '';
let gate: GateInHand;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'source-'));
  root = join(base, 'exports');
  await mkdir(join(root, 'Gate 4'), { recursive: true });
  await writeFile(join(root, 'Gate 4', 'a.mp4'), 'twelve bytes');
  gate = createGateInHand(root);
});
afterEach(async () => {
  gate.close();
  await rm(base, { recursive: true, force: true });
});

async function source(path = 'a.mp4'): Promise<SourceRef> {
  const facts = await stat(join(root, 'Gate 4', path), { bigint: true });
  const version = {
    sizeBytes: Number(facts.size),
    mtimeNs: String(facts.mtimeNs),
    inode: String(facts.ino),
    device: String(facts.dev),
  };
  return { rootPath: root, folder: 'Gate 4', path, version, isFolderGone: false };
}
const open = (ref: SourceRef, signal = going) => openSource({ of: () => gate }, ref, signal);
const codeOf = async (ref: SourceRef) => {
  const opened = await open(ref);
  if (opened.ok) opened.value.release();
  return opened.ok ? 'ok' : opened.error.code;
};

describe('openSource', () => {
  it('opens the version that is meant', async () => {
    expect(await codeOf(await source())).toBe('ok');
  });

  it('refuses another version', async () => {
    const ref = await source();
    await writeFile(join(root, 'Gate 4', 'a.mp4'), 'more than twelve bytes');
    expect(await codeOf(ref)).toBe('FILE_CHANGED');
  });

  it('says that a file is gone when its root is there', async () => {
    const ref = await source();
    await writeFile(join(root, 'Gate 4', 'b.mp4'), 'another');
    await rm(join(root, 'Gate 4', 'a.mp4'));
    expect(await codeOf(ref)).toBe('FILE_GONE');
  });

  it.each([
    ['is gone', () => rm(root, { recursive: true })],
    [
      'is empty, as the mount point of a share that is away',
      async () => {
        await rm(root, { recursive: true });
        await mkdir(root);
      },
    ],
    [
      'is a file now',
      async () => {
        await rm(root, { recursive: true });
        await writeFile(root, '');
      },
    ],
  ])('concludes nothing about a file whose root %s', async (_what, happen) => {
    const ref = await source();
    await happen();
    expect(['ROOT_OFFLINE', 'ROOT_NOT_FOLDER', 'FILE_NOT_REGULAR', 'FILE_READ']).toContain(await codeOf(ref));
    if (_what !== 'is a file now') expect(await codeOf(ref)).toBe('ROOT_OFFLINE');
  });

  it('says at once that the root hangs', async () => {
    const ref = await source();
    const end = await gate.hang();
    expect(await codeOf(ref)).toBe('ROOT_HUNG');
    end();
  });

  it('rejects with the reason of whoever stopped it', async () => {
    const reason = new Error('stopping');
    await expect(open(await source(), AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe('release', () => {
  it('closes the file once nothing reads it any more, and waits for nothing', async () => {
    const opened = await open(await source());
    if (!opened.ok) throw new Error(opened.error.message);
    const reading = Promise.withResolvers<void>();
    opened.value.retain(reading.promise);
    opened.value.release();
    const buffer = new Uint8Array(12);
    expect(await opened.value.readExactly(buffer, 12, 0)).toEqual({ ok: true, value: undefined });
    reading.reject(new Error('reading failed'));
    await expect.poll(async () => (await opened.value.readExactly(buffer, 12, 0)).ok).toBe(false);
  });
});
