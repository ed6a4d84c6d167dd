import { mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkComplete } from '../../../electron/agent/files/containers/check-clip.ts';
import type { MediaReader } from '../../../electron/agent/files/containers/media-reader.ts';
import { growMp4 } from '../../helpers/grow-mp4.ts';

const clips = fileURLToPath(new URL('../../fixtures/clips/', import.meta.url));

describe('a clip grown with a free box', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'grow-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    ['120 MB', 120_000_000],
    ['4 GiB, beyond which the box needs 64 bits', 2 ** 32 + 1_000_000],
  ])('is complete at %s', async (_size, sizeBytes) => {
    const target = join(folder, `${sizeBytes}.mp4`);
    await growMp4(join(clips, 'gate-4-north.mp4'), target, sizeBytes);
    expect((await stat(target)).size).toBe(sizeBytes);
    const file = await open(target);
    const reader: MediaReader = {
      sizeBytes,
      read: async (offset, length) => {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, offset);
        return buffer.subarray(0, bytesRead);
      },
    };
    expect(await checkComplete(reader, 'mp4')).toMatchObject({ kind: 'complete', durationMs: 4000 });
    expect(await checkComplete({ ...reader, sizeBytes: sizeBytes - 1 }, 'mp4')).toMatchObject({
      kind: 'incomplete',
    });
    await file.close();
  });

  it('has bytes that differ everywhere when a seed is given, the same for the same seed', async () => {
    const grow = async (name: string, seed: number) => {
      await growMp4(join(clips, 'gate-4-north.mp4'), join(folder, name), 3_000_000, { seed });
      return readFile(join(folder, name));
    };
    const [first, again, other] = await Promise.all([grow('a.mp4', 1), grow('b.mp4', 1), grow('c.mp4', 2)]);
    expect(first).toHaveLength(3_000_000);
    expect(first.equals(again)).toBe(true);
    expect(first.equals(other)).toBe(false);
    expect(first.subarray(1_000_000, 1_100_000).equals(first.subarray(2_000_000, 2_100_000))).toBe(false);
  });
});
