import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  encodeIcns,
  icnsSizes,
  readIcns,
  encodeIco,
  icoSizes,
  icoFileSizes,
  linuxSizes,
  sha256,
  sourceOf,
  trayGlyphs,
  encodePng,
  pngSize,
  type Picture,
} from '../../../../scripts/icons/icon-files.ts';

const inBuild = (path: string): Buffer => readFileSync(join('build', path));
const record = z
  .object({ source: z.string(), files: z.record(z.string(), z.string()) })
  .parse(JSON.parse(inBuild('icons.json').toString()));

const plain = (size: number): Picture => ({ size, rgba: Buffer.alloc(size * size * 4, 0x80) });

describe('the committed icons', () => {
  test('were made from the drawings that are there (else: npm run icons)', () => {
    expect(record.source).toBe(sourceOf(inBuild('icon.svg').toString()));
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

  test.each([
    ['', 16],
    ['@2x', 32],
  ])('of the tray have a shape of their own for each state without any colour%s', (scale, size) => {
    const pictures = trayGlyphs.map((glyph) => inBuild(`tray/${glyph}Template${scale}.png`));
    expect(pictures.map((png) => pngSize(png))).toEqual(trayGlyphs.map(() => size));
    const shapes = pictures.map((png) => alphas(png, size).join());
    expect(new Set(shapes).size).toBe(4);
  });

  test.each(trayGlyphs)('of the tray are clear at the corners and solid where the disc is: %s', (glyph) => {
    const alpha = alphas(inBuild(`tray/${glyph}.png`), 16);
    expect([alpha[0], alpha[15 * 16 + 15]]).toEqual([0, 0]);
    expect(alpha[2 * 16 + 8]).toBe(255);
  });
});

/** The opacity of each pixel of a square PNG as `encodePng` writes it: one data block, unfiltered rows. */
function alphas(png: Buffer, size: number): readonly number[] {
  const rows = inflateSync(png.subarray(png.indexOf('IDAT') + 4, png.indexOf('IEND') - 8));
  return Array.from(
    { length: size * size },
    (_, at) => rows[Math.floor(at / size) * (size * 4 + 1) + 1 + (at % size) * 4 + 3] ?? 0,
  );
}

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
