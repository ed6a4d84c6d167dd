import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkComplete } from '../../../../../electron/agent/files/containers/check-clip.ts';
import { readerOf } from '../../../../helpers/media-bytes.ts';

const clips = fileURLToPath(new URL('../../../../fixtures/clips/', import.meta.url));
const fixture = (name: string) => readFile(join(clips, name));
const check = (bytes: Uint8Array, container: 'mp4' | 'mkv') => checkComplete(readerOf(bytes), container);

describe('real clips', () => {
  it.each([
    ['gate-4-north.mp4', 'mp4', 4000],
    ['turnstile-7.mp4', 'mp4', 3000],
    ['car-park.mp4', 'mp4', 6000],
    ['corridor-fragmented.mp4', 'mp4', undefined],
    ['concourse.mkv', 'mkv', 5000],
  ] as const)('%s is complete', async (name, container, durationMs) => {
    const result = await check(await fixture(name), container);
    expect(result.kind).toBe('complete');
    if (result.kind !== 'complete' || durationMs === undefined) return;
    expect(Math.abs((result.durationMs ?? 0) - durationMs)).toBeLessThan(200);
  });

  it('says when a clip was made', async () => {
    expect(await check(await fixture('turnstile-7.mp4'), 'mp4')).toMatchObject({
      createdAtMs: Date.parse('2026-05-01T18:30:05Z'),
    });
  });

  it.each([
    ['gate-4-north.mp4', 'mp4'],
    ['turnstile-7.mp4', 'mp4'],
    ['concourse.mkv', 'mkv'],
  ] as const)('%s is incomplete wherever it is cut', async (name, container) => {
    const whole = await fixture(name);
    const cuts = [
      0,
      1,
      3,
      7,
      8,
      15,
      31,
      32,
      40,
      1000,
      whole.length - 1000,
      whole.length - 8,
      whole.length - 1,
    ];
    for (const cut of cuts) {
      expect(await check(whole.subarray(0, cut), container), `${name} cut at ${cut}`).toMatchObject({
        kind: 'incomplete',
        reason: expect.any(String) as string,
      });
    }
  });

  it.each([
    ['gate-4-north.mp4', 'mp4'],
    ['concourse.mkv', 'mkv'],
  ] as const)(
    '%s is incomplete while only its front is written into preallocated zeros',
    async (name, container) => {
      const bytes = await fixture(name);
      bytes.fill(0, container === 'mp4' ? bytes.length - 4000 : 0);
      expect((await check(bytes, container)).kind).toBe('incomplete');
    },
  );

  it.each([
    ['gate-4-north.mp4', 'mkv'],
    ['concourse.mkv', 'mp4'],
    ['gate-4-north.jpg', 'mp4'],
    ['gate-4-north.jpg', 'mkv'],
  ] as const)('%s is no %s', async (name, container) => {
    expect(await check(await fixture(name), container)).toEqual({ kind: 'unknown-format' });
  });

  it('needs a handful of small reads', async () => {
    const reader = readerOf(await fixture('car-park.mp4'));
    await checkComplete(reader, 'mp4');
    expect(reader.reads()).toBeLessThan(10);
    expect(reader.longest()).toBeLessThanOrEqual(4096);
  });
});

it.each(['avi', 'asf', 'ts', 'ps', 'raw', 'native'] as const)('leaves %s to others', async (container) => {
  expect(await checkComplete(readerOf(Buffer.alloc(10)), container)).toEqual({ kind: 'unknown-format' });
});

it('answers for any bytes', async () => {
  let state = 1;
  const random = () => (state = (state * 48_271) % 2_147_483_647);
  const whole = await fixture('corridor-fragmented.mp4');
  const mkv = await fixture('concourse.mkv');
  for (let round = 0; round < 300; round += 1) {
    for (const [source, container] of [
      [whole, 'mp4'],
      [mkv, 'mkv'],
    ] as const) {
      const bytes = Buffer.from(source.subarray(0, 4000));
      for (let flips = 0; flips < 20; flips += 1) bytes[random() % bytes.length] = random() % 256;
      const reader = readerOf(bytes);
      expect(['complete', 'incomplete', 'unknown-format']).toContain(
        (await checkComplete(reader, container)).kind,
      );
      expect(reader.reads()).toBeLessThan(5000);
    }
  }
});
