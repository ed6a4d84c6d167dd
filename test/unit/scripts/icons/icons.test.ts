import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { encodeIcns, icnsSizes, readIcns } from '../../../../scripts/icons/icns.ts';
import { encodeIco, icoSizes } from '../../../../scripts/icons/ico.ts';
import { icoFileSizes, linuxSizes, sha256 } from '../../../../scripts/icons/icon-files.ts';
import { encodePng, pngSize, type Picture } from '../../../../scripts/icons/png.ts';

const inBuild = (path: string): Buffer => readFileSync(join('build', path));
const record = z
  .object({ source: z.string(), files: z.record(z.string(), z.string()) })
  .parse(JSON.parse(inBuild('icons.json').toString()));

const plain = (size: number): Picture => ({ size, rgba: Buffer.alloc(size * size * 4, 0x80) });

describe('the committed icons', () => {
  test('were made from the drawing that is there (else: npm run icons)', () => {
    expect(record.source).toBe(sha256(inBuild('icon.svg')));
  });

  test('are the files that were made', () => {
    const found = Object.keys(record.files).map((path) => [path, sha256(inBuild(path))]);
    expect(Object.fromEntries(found)).toEqual(record.files);
  });

  test('of Windows hold every size', () => {
    expect(icoSizes(inBuild('icon.ico'))).toEqual(icoFileSizes);
  });

  test('of macOS hold every size up to 1024', () => {
    expect(new Set(readIcns(inBuild('icon.icns')).map(({ size }) => size))).toEqual(new Set(icnsSizes));
    expect(Math.max(...icnsSizes)).toBe(1024);
  });

  test.each(linuxSizes)('of Linux have %i pixels', (size) => {
    expect(pngSize(inBuild(`icons/${size}x${size}.png`))).toBe(size);
  });
});

describe('the containers', () => {
  test('a PNG says its size; what is cut short or no square says none', () => {
    expect(pngSize(encodePng(plain(7)))).toBe(7);
    expect(pngSize(encodePng(plain(7)).subarray(0, 20))).toBeUndefined();
  });

  test('an icon whose list and images differ is refused', () => {
    const ico = encodeIco([plain(16), plain(256)]);
    expect(icoSizes(ico)).toEqual([16, 256]);
    ico.writeUInt8(24, 6);
    expect(() => icoSizes(ico)).toThrow('listed as 24 pixels and has 16');
  });

  test('a macOS icon that is cut short is refused, and one without a size is not made', () => {
    const icns = encodeIcns(icnsSizes.map(plain));
    expect(() => readIcns(icns.subarray(0, -1))).toThrow('no whole icns');
    expect(() => encodeIcns([plain(32)])).toThrow('no picture of 64 pixels');
  });
});
