import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { contentOf } from '../../../../../electron/agent/core/naming/file-content.ts';

const bytes = (text: string, length = 400) =>
  Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(length)]);
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
  ['Genetec G64x', bytes(`PK\x03\x04${'\0'.repeat(26)}FileInfo.xml`), 'native'],
  ['a Windows program', bytes('MZ\x90'), 'program'],
  ['a Linux program', bytes('\x7fELF'), 'program'],
  ['a script', bytes('#!/bin/sh'), 'program'],
])('knows %s by its first bytes', (_what, head, content) => {
  expect(contentOf(head)).toBe(content);
});

it.each([
  ['text', bytes('Export of gate 4')],
  ['an archive of programs', bytes(`PK\x03\x04${'\0'.repeat(26)}setup.exe`)],
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
