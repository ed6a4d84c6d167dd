import { chmod, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createReread } from '../../../../electron/agent/settings/reread-file.ts';

/** Longer than the time-stamp resolution of file systems, milliseconds. */
const STEP_MS = 20;

let folder: string;
let file: string;
let nowMs: number;
let reads: number;
let read: (file: string) => Promise<string>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reread-'));
  file = join(folder, 'key.txt');
  await writeFile(file, 'first');
  nowMs = 0;
  reads = 0;
  const readCounted = async (path: string): Promise<string> => {
    reads += 1;
    return readFile(path, 'utf8');
  };
  read = createReread(readCounted, () => nowMs);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a file that is asked for often', () => {
  it('is read once a second while it stays as it is', async () => {
    for (nowMs = 0; nowMs < 3_000; nowMs += 100) expect(await read(file)).toBe('first');
    expect(reads).toBe(3);
  });

  it.each([
    ['was rewritten', () => writeFile(file, 'other')],
    ['is another one', () => writeFile(`${file}.new`, 'other').then(() => rename(`${file}.new`, file))],
  ])('is read at once when it %s, though as long', async (_, change) => {
    expect(await read(file)).toBe('first');
    await delay(STEP_MS);
    await change();
    expect(await read(file)).toBe('other');
  });

  it('is read at once when another account may read it', async () => {
    await read(file);
    await delay(STEP_MS);
    await chmod(file, 0o644);
    await chmod(file, 0o600);
    await read(file);
    expect(reads).toBe(2);
  });

  it('is missing as soon as it is gone, and there again at once', async () => {
    await read(file);
    await rm(file);
    await expect(read(file)).rejects.toThrow('ENOENT');
    await writeFile(file, 'again');
    expect(await read(file)).toBe('again');
  });

  it('is not mistaken for another one', async () => {
    await writeFile(`${file}.other`, 'other');
    expect([await read(file), await read(`${file}.other`), await read(file)]).toEqual([
      'first',
      'other',
      'first',
    ]);
  });
});
