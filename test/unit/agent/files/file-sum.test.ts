import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileSum } from '../../../../electron/agent/files/file-sum.ts';
import type { HashPools } from '../../../../electron/agent/files/hashing/hash-pool.ts';
import { createRootGate, type RootGate } from '../../../../electron/agent/files/root-gate.ts';
import { smallFileThreads } from '../../../helpers/small-file-threads.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';
import type { SourceRef } from '../../../../electron/agent/files/source-file.ts';

/** Larger than a file that is read whole. */
const LARGE_BYTES = 300_000;
const content = (index: number): Buffer => Buffer.alloc(LARGE_BYTES, index + 1);
const sumOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

let root = '';
let gate: RootGate;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sum-'));
  await mkdir(join(root, 'Gate 4'));
  gate = createRootGate({ clock: createSystemClock(), rootPath: root, inFlightLimit: 2 });
});
afterEach(async () => {
  gate.close();
  await rm(root, { recursive: true, force: true });
});

async function source(path: string): Promise<SourceRef> {
  const facts = await stat(join(root, 'Gate 4', path), { bigint: true });
  const version = {
    sizeBytes: Number(facts.size),
    mtimeNs: String(facts.mtimeNs),
    inode: String(facts.ino),
    device: String(facts.dev),
  };
  return { rootPath: root, folder: 'Gate 4', path, version, isFolderGone: false };
}

/** Files whose hashes are all ready at the same moment, so that all are checked for changes together. */
function poolsReadyTogether(count: number): HashPools {
  let read = 0;
  let letAllGo = (): void => undefined;
  const all = new Promise<void>((resolve) => (letAllGo = resolve));
  return {
    of: () => ({
      warmUp: () => undefined,
      hashPart: () => Promise.reject(new Error('Whole files are hashed here')),
      wholeHash: ({ name }) => ({
        advance: () => Promise.resolve({ ok: true, value: { sha256: '' } }),
        async digest() {
          read += 1;
          if (read === count) letAllGo();
          await all;
          return { ok: true, value: sumOf(content(Number(/(\d)\.mp4/.exec(name)?.[1]))) };
        },
        close: () => undefined,
      }),
      stop: () => Promise.resolve(),
    }),
    stop: () => Promise.resolve(),
  };
}

describe('createFileSum', () => {
  it('hashes more large files side by side than the gate lets through at once', async () => {
    const names = ['0.mp4', '1.mp4', '2.mp4'];
    for (const [index, name] of names.entries()) await writeFile(join(root, 'Gate 4', name), content(index));
    const fileSum = createFileSum({
      gates: { of: () => gate },
      snapshots: {
        ...smallFileThreads(createSystemClock()),
        sum: () => Promise.reject(new Error('Large files are not read whole')),
      },
      hashPools: poolsReadyTogether(names.length),
    });
    const { signal } = new AbortController();
    const sums = await Promise.all(names.map(async (name) => fileSum(await source(name), signal)));
    expect(sums).toEqual(names.map((_, index) => ({ ok: true, value: sumOf(content(index)) })));
  });
});
