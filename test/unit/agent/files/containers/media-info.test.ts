import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMediaInfoReader } from '../../../../../electron/agent/files/containers/media-info.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dates-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The facts read from a file with these bytes. */
async function factsOf(name: string, bytes: Buffer) {
  const path = join(folder, name);
  await writeFile(path, bytes);
  const descriptor = openSync(path, 'r');
  try {
    return await (await createMediaInfoReader()).facts({ descriptor, sizeBytes: bytes.length });
  } finally {
    closeSync(descriptor);
  }
}

describe('dates in containers', () => {
  const chunk = (id: string, data: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from(id),
      Buffer.from(Uint32Array.of(data.length).buffer),
      data,
      Buffer.alloc(data.length % 2),
    ]);
  const list = (kind: string, ...chunks: readonly Buffer[]): Buffer =>
    chunk('LIST', Buffer.concat([Buffer.from(kind), ...chunks]));
  /** An AVI with the fields that a reader needs: frame rate, frame count and picture size. */
  function avi(dates: { readonly idit?: string; readonly icrd?: string }): Buffer {
    const [main, stream, format] = [Buffer.alloc(56), Buffer.alloc(56), Buffer.alloc(40)];
    for (const [at, value] of [
      [0, 40_000],
      [16, 10],
      [24, 1],
      [32, 320],
      [36, 240],
    ] as const)
      main.writeUInt32LE(value, at);
    stream.write('vidsMJPG', 0, 'latin1');
    for (const [at, value] of [
      [20, 1],
      [24, 25],
      [32, 10],
    ] as const)
      stream.writeUInt32LE(value, at);
    for (const [at, value] of [
      [0, 40],
      [4, 320],
      [8, 240],
    ] as const)
      format.writeUInt32LE(value, at);
    format.write('MJPG', 16, 'latin1');
    const header = [chunk('avih', main), list('strl', chunk('strh', stream), chunk('strf', format))];
    if (dates.idit !== undefined) header.push(chunk('IDIT', Buffer.from(dates.idit, 'latin1')));
    const body = [Buffer.from('AVI '), list('hdrl', ...header)];
    if (dates.icrd !== undefined) body.push(list('INFO', chunk('ICRD', Buffer.from(dates.icrd, 'latin1'))));
    return chunk('RIFF', Buffer.concat([...body, list('movi', chunk('00dc', Buffer.alloc(100, 1)))]));
  }

  /** An ASF header whose creation time is this many units of 100 ns after 1601. */
  function asf(created: bigint): Buffer {
    const header = Buffer.alloc(30 + 104);
    header.write('3026b2758e66cf11a6d900aa0062ce6c', 'hex');
    header.writeBigUInt64LE(BigInt(header.length), 16);
    header.writeUInt32LE(1, 24);
    header.set([1, 2], 28);
    header.write('a1dcab8c47a9cf118ee400c00c205365', 30, 'hex');
    header.writeBigUInt64LE(104n, 46);
    header.writeBigUInt64LE(5_000n, 70);
    header.writeBigUInt64LE(created, 78);
    header.writeBigUInt64LE(100_000_000n, 94);
    return Buffer.concat([header, Buffer.alloc(5_000)]);
  }

  it.each([
    ['2026', (BigInt(Date.UTC(2026, 4, 1)) + 11_644_473_600_000n) * 10_000n, Date.UTC(2026, 4, 1)],
    // A fact all the same, but no recording time is derived from it
    ['1601', 0n, Date.UTC(1601, 0, 1)],
    ['a year beyond all calendars', 2n ** 64n - 1n, undefined],
  ])('an ASF of %s is of a time that can be, or of none', async (year, created, createdAtMs) => {
    expect((await factsOf(`${year}.asf`, asf(created))).createdAtMs).toBe(createdAtMs);
  });

  it.each([
    ['IDIT', avi({ idit: 'Sat Jun 20 18:30:05 2026\n\0' }), '2026-06-20T18:30:05'],
    ['ICRD', avi({ icrd: '2026-06-20 18:30:05' }), '2026-06-20T18:30:05'],
    ['IDIT in another language', avi({ idit: 'Sa Juni 20 18:30:05 2026\n\0' }), undefined],
    ['IDIT with a day and no time', avi({ icrd: '2026-06-20' }), undefined],
    ['IDIT of 60 KB', avi({ idit: '2026-06-20 18:30:05 '.repeat(3_000) }), undefined],
    ['a broken hdrl', avi({ idit: 'Sat Jun 20 18:30:05 2026' }).fill(0xff, 20, 40), undefined],
  ])('%s', async (name, bytes, clockText) => {
    const facts = await factsOf(`${name}.avi`, bytes);
    expect(facts.clockText).toBe(clockText);
    expect(facts.createdAtMs).toBeUndefined();
  });
});
