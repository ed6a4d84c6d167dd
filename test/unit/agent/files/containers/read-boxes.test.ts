import { describe, expect, it } from 'vitest';
import { checkMp4 } from '../../../../../electron/agent/files/containers/read-boxes.ts';
import { readerOf, u32, u64 } from '../../../../helpers/media-bytes.ts';

const check = (bytes: Uint8Array) => checkMp4(readerOf(bytes));
const box = (type: string, ...body: readonly Uint8Array[]) => {
  const inside = Buffer.concat(body);
  return Buffer.concat([u32(inside.length + 8), Buffer.from(type, 'latin1'), inside]);
};
const longBox = (type: string, size: bigint, body: Uint8Array) =>
  Buffer.concat([u32(1), Buffer.from(type, 'latin1'), u64(size), body]);
/** 2026-05-01T18:30:05Z in seconds since 1904. */
const created = 1_777_660_205 + 2_082_844_800;
const mvhd0 = box('mvhd', u32(0), u32(created), u32(created), u32(1000), u32(4000), Buffer.alloc(80));
const ftyp = box('ftyp', Buffer.from('isom\0\0\0\0'));
const mdat = box('mdat', Buffer.alloc(100));
const moov = box('moov', mvhd0);

describe('MP4 boxes', () => {
  it.each([
    ['index last', [ftyp, mdat, moov]],
    ['index first', [ftyp, moov, mdat]],
    ['QuickTime without ftyp', [box('wide'), mdat, moov]],
    ['free boxes', [ftyp, box('free'), moov, mdat, box('free', Buffer.alloc(5000))]],
    ['a 64-bit size', [ftyp, moov, longBox('mdat', 26n, Buffer.alloc(10))]],
    ['a last box to the end', [ftyp, moov, u32(0), Buffer.from('mdat'), Buffer.alloc(99)]],
    ['unknown boxes', [ftyp, moov, box('\u00a9\0\u0001x'), mdat]],
    ['fragments', [ftyp, moov, box('moof'), mdat, box('moof'), mdat]],
  ])('are complete with %s', async (_how, parts) => {
    expect(await check(Buffer.concat(parts))).toEqual({
      kind: 'complete',
      durationMs: 4000,
      createdAtMs: Date.parse('2026-05-01T18:30:05Z'),
    });
  });

  it.each([
    ['nothing', [], 'empty'],
    ['only zeros', [Buffer.alloc(5000)], 'nothing has been written yet'],
    ['no index', [ftyp, mdat], 'moov'],
    ['no media data', [ftyp, moov], 'mdat'],
    ['zeros after the last box', [ftyp, moov, mdat, Buffer.alloc(64)], 'nothing has been written yet'],
    ['seven bytes too many', [ftyp, moov, mdat, Buffer.from('1234567')], '7 bytes are left over'],
    ['one byte too many', [ftyp, moov, mdat, Buffer.from('1')], '1 byte is left over'],
    [
      'a box that is too long',
      [ftyp, moov, u32(500), Buffer.from('mdat'), Buffer.alloc(99)],
      'needs 500 bytes',
    ],
    ['one byte too few', [Buffer.concat([ftyp, moov, mdat]).subarray(0, -1)], 'needs 108 bytes but has 107'],
    ['a size of 4', [ftyp, moov, u32(4), Buffer.from('mdat')], 'impossible size'],
    ['a 64-bit size of 8', [ftyp, moov, longBox('mdat', 8n, Buffer.alloc(9))], 'impossible size'],
    ['a 64-bit size of 2^64 - 1', [ftyp, moov, longBox('mdat', 2n ** 64n - 1n, Buffer.alloc(9))], 'needs'],
    ['a 64-bit size cut off', [ftyp, moov, u32(1), Buffer.from('mdat')], 'cut off'],
    ['media data to the end, no index', [ftyp, u32(0), Buffer.from('mdat'), Buffer.alloc(99)], 'moov'],
  ])('are incomplete with %s', async (_what, parts, reason) => {
    expect(await check(Buffer.concat(parts))).toEqual({
      kind: 'incomplete',
      reason: expect.stringContaining(reason) as string,
    });
  });

  it.each([
    ['a program', Buffer.from('MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff', 'latin1')],
    ['a script', Buffer.from('#!/bin/sh\necho hello world\n')],
    ['HTML', Buffer.from('<!doctype html><html></html>')],
  ])('are not found in %s', async (_what, bytes) => {
    expect(await check(bytes)).toEqual({ kind: 'unknown-format' });
  });

  it('leave out what they do not know: zero creation time, unknown duration', async () => {
    const empty = box(
      'moov',
      box('mvhd', u32(0), u32(0), u32(0), u32(1000), u32(0xffff_ffff), Buffer.alloc(80)),
    );
    expect(await check(Buffer.concat([ftyp, empty, mdat]))).toEqual({ kind: 'complete' });
    const noTimescale = box('moov', box('mvhd', u32(0), u32(0), u32(0), u32(0), u32(5), Buffer.alloc(80)));
    expect(await check(Buffer.concat([ftyp, noTimescale, mdat]))).toEqual({ kind: 'complete' });
  });

  it('have a version 1 header too', async () => {
    const header = box(
      'mvhd',
      u32(0x0100_0000),
      u64(BigInt(created)),
      u64(BigInt(created)),
      u32(90_000),
      u64(360_000n),
      Buffer.alloc(80),
    );
    expect(await check(Buffer.concat([ftyp, box('moov', header), mdat]))).toMatchObject({
      durationMs: 4000,
      createdAtMs: Date.parse('2026-05-01T18:30:05Z'),
    });
  });

  it('tell start and camera of an ONVIF export', async () => {
    const start = (BigInt(Date.parse('2026-05-01T18:30:05.250Z')) + 11_644_473_600_000n) * 10_000n;
    const cstb = box('cstb', u32(1), u32(1), u64(start));
    const texts = (...all: readonly string[]) => Buffer.from(all.map((text) => `${text}\0`).join(''));
    const suep = box(
      'suep',
      u32(0x0100_0000),
      texts('VMS', 'http://vms', '00:11'),
      u64(0n),
      texts('j.smith'),
      u32(1),
      Buffer.from([0, 1]),
      texts('Gate 4 North', 'url', 'mac', 'line'),
    );
    const meta = box('meta', u32(0), box('hdlr', Buffer.alloc(20)), suep, cstb);
    expect(await check(Buffer.concat([ftyp, meta, moov, mdat]))).toMatchObject({
      kind: 'complete',
      statedStartMs: Date.parse('2026-05-01T18:30:05.250Z'),
      sourceName: 'Gate 4 North',
    });
  });

  const startAt = (text: string) => u64((BigInt(Date.parse(text)) + 11_644_473_600_000n) * 10_000n);
  const correctStart = (text: string) => box('cstb', u32(1), u32(1), startAt(text));
  const protection = (...signers: readonly Uint8Array[]) =>
    box('meta', u32(0), box('ipro', u32(0), Buffer.from([0, signers.length]), ...signers));

  it('tell the start that a signer states, and another signer who differs', async () => {
    const [first, second] = ['2026-05-01T18:30:05.000Z', '2026-05-01T18:30:42.000Z'];
    const one = protection(box('sinf', box('schm', Buffer.alloc(12)), correctStart(first)));
    expect(await check(Buffer.concat([ftyp, one, moov, mdat]))).toMatchObject({
      statedStartMs: Date.parse(first),
    });
    const two = protection(box('sinf', correctStart(first)), box('sinf', correctStart(second)));
    expect(await check(Buffer.concat([ftyp, two, moov, mdat]))).toMatchObject({
      statedStartMs: Date.parse(first),
      otherStartMs: Date.parse(second),
    });
    const same = protection(box('sinf', correctStart(first)), box('sinf', correctStart(first)));
    expect(await check(Buffer.concat([ftyp, same, moov, mdat]))).not.toHaveProperty('otherStartMs');
  });

  it('tell the first source with a name, in both versions, with its address', async () => {
    const texts = (...all: readonly string[]) => Buffer.from(all.map((text) => `${text}\0`).join(''));
    const head = [texts('VMS', 'http://vms', '00:11'), u64(0n), texts('j.smith')];
    const newer = box(
      'suep',
      u32(0x0100_0000),
      ...head,
      u32(2),
      Buffer.from([0, 1]),
      texts('', '', '', ''),
      Buffer.from([0, 2]),
      texts('Gate 4', 'rtsp://c', '00:22', 'l'),
    );
    const older = box(
      'suep',
      u32(0),
      ...head,
      Buffer.from([2]),
      Buffer.alloc(16),
      texts('', '', '', ''),
      Buffer.alloc(16, 7),
      texts('Gate 4', 'rtsp://c', '00:22', 'l'),
      Buffer.from([0]),
    );
    for (const suep of [newer, older])
      expect(await check(Buffer.concat([ftyp, box('meta', u32(0), suep), moov, mdat]))).toMatchObject({
        sourceName: 'Gate 4',
        sourceUrl: 'rtsp://c',
        sourceMac: '00:22',
      });
  });

  const fixed = (degrees: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32BE(Math.round(degrees * 65_536));
    return bytes;
  };
  const placed = async (...data: readonly Uint8Array[]) =>
    check(Buffer.concat([ftyp, box('moov', mvhd0, box('udta', ...data)), mdat]));

  it('tell where the camera was', async () => {
    const loci = box(
      'loci',
      u32(0),
      Buffer.from([0x15, 0xc7]),
      Buffer.from('Gate\0\0'),
      fixed(-0.2795),
      fixed(51.556),
      fixed(0),
    );
    const found = await placed(loci);
    expect(found).toMatchObject({ kind: 'complete' });
    expect(found.kind === 'complete' && [found.latitude?.toFixed(3), found.longitude?.toFixed(2)]).toEqual([
      '51.556',
      '-0.28',
    ]);
    const xyz = box('\u00a9xyz', Buffer.from([0, 18, 0x15, 0xc7]), Buffer.from('+51.5560-000.2795/'));
    expect(await placed(xyz)).toMatchObject({ latitude: 51.556, longitude: -0.2795 });
  });

  it.each([
    ['in the sea of zeros', '+00.0000+000.0000/'],
    ['beyond the pole', '+91.0000+000.2795/'],
    ['that is no number', 'somewhere'],
  ])('tell no place %s', async (_what, text) => {
    expect(await placed(box('\u00a9xyz', Buffer.from([0, 18, 0, 0]), Buffer.from(text)))).not.toHaveProperty(
      'latitude',
    );
  });

  it.each([
    [
      'a source count of 2^32',
      box('suep', u32(0x0100_0000), Buffer.from('a\0b\0c\0'), u64(0n), Buffer.from('o\0'), u32(0xffff_ffff)),
    ],
    ['no entry', box('cstb', u32(0))],
    ['a start that is cut off', box('cstb', u32(1), u32(1), u32(7))],
    ['a box that ends in its texts', box('suep', u32(0x0100_0000), Buffer.from('abc'))],
    ['a short place', box('loci', u32(0), Buffer.from('abc'))],
  ])('state nothing with %s', async (_what, inside) => {
    const found = await check(Buffer.concat([ftyp, box('meta', u32(0), inside), moov, mdat]));
    expect(Object.keys(found).toSorted()).toEqual(['createdAtMs', 'durationMs', 'kind']);
  });

  it('read one start of a million, and none of signers 1,000 deep', async () => {
    const many = box(
      'cstb',
      u32(1_000_000),
      ...Array.from({ length: 1000 }, () => Buffer.concat([u32(1), startAt('2026-05-01T18:30:05Z')])),
    );
    const reader = readerOf(Buffer.concat([ftyp, box('meta', u32(0), many), moov, mdat]));
    expect(await checkMp4(reader)).toMatchObject({ statedStartMs: Date.parse('2026-05-01T18:30:05Z') });
    expect(reader.longest()).toBeLessThanOrEqual(4096);
    let nested: Uint8Array = correctStart('2026-05-01T18:30:05Z');
    for (let depth = 0; depth < 1000; depth += 1) nested = box('sinf', nested);
    const deep = readerOf(Buffer.concat([ftyp, protection(nested), moov, mdat]));
    expect(await checkMp4(deep)).not.toHaveProperty('statedStartMs');
    expect(deep.reads()).toBeLessThan(30);
  });

  it('are walked with few reads when a hostile file has a million of them', async () => {
    const tiny = Buffer.alloc(8_000_000);
    for (let offset = 0; offset < tiny.length; offset += 8) box('free').copy(tiny, offset);
    const reader = readerOf(Buffer.concat([ftyp, tiny]));
    expect((await checkMp4(reader)).kind).toBe('incomplete');
    expect(reader.reads()).toBeLessThan(2500);
    expect(reader.longest()).toBeLessThanOrEqual(4096);
  });

  it('do not trust the sizes inside moov', async () => {
    const liar = box('moov', u32(0xffff_fff0), Buffer.from('mvhd'), Buffer.alloc(30));
    expect(await check(Buffer.concat([ftyp, liar, mdat]))).toEqual({ kind: 'complete' });
    const shortHeader = box('moov', box('mvhd', u32(0)));
    expect(await check(Buffer.concat([ftyp, shortHeader, mdat]))).toEqual({ kind: 'complete' });
  });

  it('end when the file became shorter than it said', async () => {
    const bytes = Buffer.concat([ftyp, moov, mdat]);
    expect((await checkMp4(readerOf(bytes, bytes.length + 1000))).kind).toBe('incomplete');
  });
});
