import { createCipheriv } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { contentOf, isNoise, isPadding } from '../../../../../electron/agent/core/naming/file-content.ts';

const bytes = (text: string, length = 400) =>
  Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(length)]);
/** The beginning of an archive: its first entry, stored (0) or compressed (8). */
function entry(name: string, method = 0): Buffer {
  const head = Buffer.alloc(30);
  head.write('PK\x03\x04', 'latin1');
  head.writeUInt16LE(method, 8);
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, Buffer.from(name), Buffer.alloc(400)]);
}
const packets = Buffer.alloc(512, 1);
for (const start of [0, 188, 376]) packets[start] = 0x47;

it.each([
  ['MP4', bytes('\0\0\0\x18ftypisom'), 'mp4'],
  ['Matroska', bytes('\x1aE\xdf\xa3'), 'mkv'],
  ['AVI', bytes('RIFF\0\0\0\0AVI LIST'), 'avi'],
  ['ASF', bytes('0&\xb2u\x8e\x66\xcf\x11'), 'asf'],
  ['a transport stream', packets, 'ts'],
  ['a program stream', bytes('\0\0\x01\xba'), 'ps'],
  ['H.264', bytes('\0\0\0\x01\x67\x42'), 'raw'],
  ['H.265', bytes('\0\0\x01\x40\x01'), 'raw'],
  ['Dahua', bytes('DHAV'), 'native'],
  ['Avigilon', bytes('\0\0\0\x20avfs'), 'native'],
  ['Genetec G64', bytes('Genetec Omnicast Archive v5.31'), 'native'],
  ['Genetec G64x', entry('FileInfo.xml'), 'native'],
  ['one with a long name first', entry(`${'Gate 4 North '.repeat(8)}_1.g64`), 'native'],
  ['an archive of programs', entry('setup.exe'), 'archive'],
  ['an archive that packs what a G64x stores', entry('FileInfo.xml', 8), 'archive'],
  ['an archive that is cut off', Buffer.from('PK\x03\x04'), 'archive'],
  ['text', Buffer.from('Export of gate 4, by J. Smith'), 'text'],
  ['a page that was saved as a film', Buffer.from('<!doctype html><p>Sign in</p>'), 'text'],
  [
    'text of another script, cut in a character',
    Buffer.from('Экспорт камеры номер 4 ворота').subarray(0, 41),
    'text',
  ],
  ['a Windows program', bytes('MZ\x90'), 'program'],
  ['a Linux program', bytes('\x7fELF'), 'program'],
  ['a script', bytes('#!/bin/sh'), 'program'],
])('knows %s by its first bytes', (_what, head, content) => {
  expect(contentOf(head)).toBe(content);
});

it.each([
  ['a few letters', Buffer.from('Export of gate 4')],
  ['text and other bytes', bytes('Export of gate 4, by J. Smith')],
  ['one word without end', Buffer.from('x'.repeat(500))],
  ['numbers', Buffer.from('1 2 3 4 '.repeat(50))],
  ['one byte that begins a packet', bytes('G', 600)],
  ['zeros', Buffer.alloc(512)],
  ['nothing', Buffer.alloc(0)],
  ['three bytes', Buffer.from([0, 0, 1])],
])('says nothing of %s', (_what, head) => {
  expect(contentOf(head)).toBeUndefined();
});

it('knows the sample clips', async () => {
  const head = async (name: string) => (await readFile(`test/fixtures/clips/${name}`)).subarray(0, 512);
  expect(contentOf(await head('gate-4-north.mp4'))).toBe('mp4');
  expect(contentOf(await head('concourse.mkv'))).toBe('mkv');
});

describe('isNoise', () => {
  /** Bytes that look encrypted, the same each time. */
  function noise(length: number): Buffer {
    const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16, 7), Buffer.alloc(16, 9));
    return cipher.update(Buffer.alloc(length));
  }
  const after = (head: string | Buffer, length = 4096): Buffer =>
    Buffer.concat([typeof head === 'string' ? Buffer.from(head, 'latin1') : head, noise(length)]).subarray(
      0,
      length,
    );
  const cutStream = (stride: number): Buffer => {
    const bytes = noise(4096);
    for (let at = 77; at < bytes.length; at += stride) bytes[at] = 0x47;
    return bytes;
  };

  it.each(['MZ', '#!'])('is told of an encrypted recording that happens to begin with %s', (letters) => {
    const recording = Buffer.concat([Buffer.from(letters), noise(4096).subarray(2)]);
    expect(contentOf(recording)).toBeUndefined();
    expect(isNoise(recording)).toBe(true);
  });

  it('is not told of a packed program, which says where its header begins', () => {
    const program = Buffer.concat([Buffer.from('MZ'), noise(4096).subarray(2)]);
    program.writeUInt32LE(0x100, 0x3c);
    expect(contentOf(program)).toBe('program');
  });

  it('is told of bytes that are all alike', () => {
    expect(isNoise(noise(4096))).toBe(true);
    expect(isNoise(noise(2048))).toBe(true);
  });

  it.each([
    ['too few bytes', noise(2047)],
    ['nothing', Buffer.alloc(0)],
    ['zeros', Buffer.alloc(4096)],
    ['text', Buffer.from('Export of gate 4. '.repeat(300))],
    ['a signature', after('\x1aE\xdf\xa3')],
    ['another format with a name', after('FLV\x01')],
    ['a name behind a size', after('\0\x01\x02\x03free')],
    ['a header with zeros', after(Buffer.alloc(200))],
    ['a picture that begins later', after(Buffer.concat([noise(900), Buffer.from([0, 0, 1, 0xb3])]))],
    ['a transport stream that was cut', cutStream(188)],
    ['one with time stamps', cutStream(192)],
    ['one with error correction', cutStream(204)],
  ])('is not told of %s', (_what, head) => {
    expect(isNoise(head)).toBe(false);
  });

  it.each(['gate-4-north.mp4', 'corridor-fragmented.mp4', 'concourse.mkv'])(
    'is not told of %s',
    async (name) => {
      const clip = await readFile(new URL(`../../../../fixtures/clips/${name}`, import.meta.url));
      expect(isNoise(clip.subarray(0, 4096))).toBe(false);
    },
  );
});

describe('isPadding', () => {
  const stream = Buffer.alloc(188 * 20, 0xff);
  for (let at = 0; at < stream.length; at += 188) stream.set([0x47, 0x1f, 0xff, 0x10], at);

  it('is told of empty packets, and of the beginning of one more', () => {
    expect(isPadding(stream)).toBe(true);
    expect(isPadding(stream.subarray(0, 400))).toBe(true);
  });

  it('is not told when one packet carries something, or is none', () => {
    const carrying = Buffer.from(stream);
    carrying.set([0x47, 0x40, 0x00, 0x10], 188 * 15);
    expect(isPadding(carrying)).toBe(false);
    const broken = Buffer.from(stream);
    broken[188 * 3] = 0;
    expect(isPadding(broken)).toBe(false);
  });
});
