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
/** Seconds from 1904 to 2026-05-01T18:30:05Z. */
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
    ['only zeros', [Buffer.alloc(5000)], 'nothing is written yet'],
    ['no index', [ftyp, mdat], 'moov'],
    ['no media data', [ftyp, moov], 'mdat'],
    ['zeros after the last box', [ftyp, moov, mdat, Buffer.alloc(64)], 'nothing is written yet'],
    ['seven bytes too many', [ftyp, moov, mdat, Buffer.from('1234567')], 'left over'],
    [
      'a box that is too long',
      [ftyp, moov, u32(500), Buffer.from('mdat'), Buffer.alloc(99)],
      'needs 500 bytes',
    ],
    [
      'one byte too few',
      [Buffer.concat([ftyp, moov, mdat]).subarray(0, -1)],
      'needs 108 bytes, 107 are there',
    ],
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
