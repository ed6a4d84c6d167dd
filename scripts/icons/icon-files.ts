import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

/** An image: four bytes per pixel, rows from the top, colours not premultiplied by alpha. */
export interface Picture {
  readonly size: number;
  readonly rgba: Buffer;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const EIGHT_BITS_RGBA = [8, 6, 0, 0, 0];

/** Writes a square PNG. Rows are stored unfiltered: icons are small, and the bytes are the same everywhere. */
export function encodePng({ size, rgba }: Picture): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set(EIGHT_BITS_RGBA, 8);
  const rows = Array.from({ length: size }, (_row, y) =>
    Buffer.concat([Buffer.from([0]), rgba.subarray(y * size * 4, (y + 1) * size * 4)]),
  );
  const data = deflateSync(Buffer.concat(rows), { level: 9 });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}

/** The side of a square PNG in pixels; undefined when it is not one. */
export function pngSize(png: Buffer): number | undefined {
  if (png.length < 24 || !png.subarray(0, 8).equals(SIGNATURE)) return undefined;
  const width = png.readUInt32BE(16);
  return width === png.readUInt32BE(20) ? width : undefined;
}

export const icoFileSizes: readonly number[] = [16, 20, 24, 32, 40, 48, 64, 128, 256];
export const linuxSizes: readonly number[] = [16, 24, 32, 48, 64, 128, 256, 512];
/** Size of a tray image, pixels; each is also made at double resolution. */
const TRAY_SIZE = 16;
/** macOS keeps a margin around its icons. */
const MAC_SHARE = 824 / 1024;

const svg = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 2 2" width="64" height="64">${content}</svg>`;
const disc = (colour: string): string => `<circle r="0.96" fill="${colour}"/>`;
const line = (path: string): string =>
  `<path d="${path}" fill="none" stroke-width="0.26" stroke-linecap="round" stroke-linejoin="round"/>`;
const bars = (...paths: readonly string[]): string => `<path d="${paths.join('')}" stroke="none"/>`;

/** Colours and signs of the states; the colours match the pages (renderer/styles/tokens.css). */
const traySigns = {
  idle: { colour: '#7c8796', sign: line('M-.45 .02-.12 .35 .48-.35') },
  working: { colour: '#3d8bd4', sign: line('M0 .5V-.5M-.38-.1 0-.5 .38-.1') },
  paused: { colour: '#c28a18', sign: bars('M-.4-.5h.28v1h-.28z', 'M.12-.5h.28v1h-.28z') },
  failed: { colour: '#d14343', sign: bars('M-.15-.6h.3v.75h-.3z', 'M-.15 .32h.3v.28h-.3z') },
} as const;
/** The states that the tray shows. */
export const trayGlyphs: readonly string[] = Object.keys(traySigns);

export const sha256 = (content: Buffer | string): string =>
  createHash('sha256').update(content).digest('hex');

/** Draws an image of a size, centred and scaled to this share of it. */
export type Draw = (svg: string, size: number, share?: number) => Promise<Picture>;

/** Hash of the sources of the icon files. */
export const sourceOf = (icon: string): string => sha256([icon, ...trayDrawings().values()].join(''));

/** All icon files, by their path below `build`. */
export async function makeIconFiles(icon: string, draw: Draw): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const drawAll = (sizes: readonly number[], share?: number): Promise<readonly Picture[]> =>
    Promise.all(sizes.map((size) => draw(icon, size, share)));
  files.set('icon.ico', encodeIco(await drawAll(icoFileSizes)));
  files.set('icon.icns', encodeIcns(await drawAll(icnsSizes, MAC_SHARE)));
  for (const picture of await drawAll(linuxSizes))
    files.set(`icons/${picture.size}x${picture.size}.png`, encodePng(picture));
  for (const [name, drawing] of trayDrawings()) {
    files.set(`tray/${name}.png`, encodePng(await draw(drawing, TRAY_SIZE)));
    files.set(`tray/${name}@2x.png`, encodePng(await draw(drawing, TRAY_SIZE * 2)));
  }
  return files;
}

/**
 * The drawings of the tray, by the names that Electron expects: macOS colours images named `Template`, black with
 * holes, automatically. States differ in shape as well as colour, for people who cannot distinguish colours.
 */
function trayDrawings(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(traySigns).flatMap(([glyph, { colour, sign }]) => [
      [glyph, svg(`${disc(colour)}<g fill="#fff" stroke="#fff">${sign}</g>`)],
      [
        `${glyph}Template`,
        svg(
          `<mask id="hole">${disc('#fff')}<g fill="#000" stroke="#000">${sign}</g></mask><g mask="url(#hole)">${disc('#000')}</g>`,
        ),
      ],
    ]),
  );
}

const ICNS_HEADER_BYTES = 8;

/**
 * Image types by their size in pixels. Some sizes appear twice: at normal resolution, and at double resolution for half
 * the size. 16 and 32 at normal resolution are left out: some versions of macOS garble them as PNG.
 */
const icnsKinds: readonly { readonly type: string; readonly size: number }[] = [
  { type: 'ic11', size: 32 },
  { type: 'ic12', size: 64 },
  { type: 'ic07', size: 128 },
  { type: 'ic13', size: 256 },
  { type: 'ic08', size: 256 },
  { type: 'ic14', size: 512 },
  { type: 'ic09', size: 512 },
  { type: 'ic10', size: 1024 },
];

/** The sizes in pixels that `encodeIcns` needs. */
export const icnsSizes: readonly number[] = [...new Set(icnsKinds.map(({ size }) => size))];

/** Writes a macOS icon. Throws when a size is missing. */
export function encodeIcns(pictures: readonly Picture[]): Buffer {
  const entries = icnsKinds.map(({ type, size }) => {
    const picture = pictures.find((each) => each.size === size);
    if (picture === undefined) throw new RangeError(`no picture of ${size} pixels`);
    return block(type, encodePng(picture));
  });
  return block('icns', Buffer.concat(entries));
}

function block(type: string, data: Buffer): Buffer {
  const header = Buffer.alloc(ICNS_HEADER_BYTES);
  header.write(type, 0, 'latin1');
  header.writeUInt32BE(ICNS_HEADER_BYTES + data.length, 4);
  return Buffer.concat([header, data]);
}

/** The contents of an icon file: each type with the size of its image. Throws when the file is truncated. */
export function readIcns(icns: Buffer): readonly { readonly type: string; readonly size: number }[] {
  if (icns.toString('latin1', 0, 4) !== 'icns' || icns.readUInt32BE(4) !== icns.length)
    throw new Error('this is no whole icns file');
  const found: { readonly type: string; readonly size: number }[] = [];
  for (let at = ICNS_HEADER_BYTES; at < icns.length; at += icns.readUInt32BE(at + 4)) {
    const picture = icns.subarray(at + ICNS_HEADER_BYTES, at + icns.readUInt32BE(at + 4));
    found.push({ type: icns.toString('latin1', at, at + 4), size: pngSize(picture) ?? 0 });
  }
  return found;
}

const ICO_HEADER_BYTES = 6;

const ENTRY_BYTES = 16;

const BITMAP_HEADER_BYTES = 40;

/**
 * A side is stored in one byte: 256 is written as 0, and as PNG, since older tools only read the smaller sizes as
 * bitmaps.
 */
const PNG_FROM = 256;

/** Writes a Windows icon with the image in several sizes. */
export function encodeIco(pictures: readonly Picture[]): Buffer {
  const images = pictures.map((each) => (each.size >= PNG_FROM ? encodePng(each) : bitmap(each)));
  const header = Buffer.from([0, 0, 1, 0, pictures.length, 0]);
  let offset = ICO_HEADER_BYTES + ENTRY_BYTES * pictures.length;
  const entries = pictures.map(({ size }, index) => {
    const entry = Buffer.alloc(ENTRY_BYTES);
    const bytes = images[index]?.length ?? 0;
    entry.set([size % PNG_FROM, size % PNG_FROM, 0, 0, 1, 0, 32, 0]);
    entry.writeUInt32LE(bytes, 8);
    entry.writeUInt32LE(offset, 12);
    offset += bytes;
    return entry;
  });
  return Buffer.concat([header, ...entries, ...images]);
}

/** Rows from the bottom, blue first. The height includes the mask, which is empty: opacity is in the pixels. */
function bitmap({ size, rgba }: Picture): Buffer {
  const header = Buffer.alloc(BITMAP_HEADER_BYTES);
  header.writeUInt32LE(BITMAP_HEADER_BYTES, 0);
  header.writeInt32LE(size, 4);
  header.writeInt32LE(size * 2, 8);
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(32, 14);
  const pixels = Buffer.alloc(size * size * 4);
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const from = (y * size + x) * 4;
      const [red = 0, green = 0, blue = 0, alpha = 0] = rgba.subarray(from, from + 4);
      pixels.set([blue, green, red, alpha], ((size - 1 - y) * size + x) * 4);
    }
  const maskRowBytes = Math.ceil(size / 32) * 4;
  return Buffer.concat([header, pixels, Buffer.alloc(maskRowBytes * size)]);
}

/** The actual sizes of the images in an icon file. Throws when one differs from its entry in the file's list. */
export function icoSizes(ico: Buffer): readonly number[] {
  const count = ico.readUInt16LE(4);
  return Array.from({ length: count }, (_entry, index) => {
    const at = ICO_HEADER_BYTES + index * ENTRY_BYTES;
    const image = ico.subarray(
      ico.readUInt32LE(at + 12),
      ico.readUInt32LE(at + 12) + ico.readUInt32LE(at + 8),
    );
    const listed = ico.readUInt8(at) === 0 ? PNG_FROM : ico.readUInt8(at);
    const found = pngSize(image) ?? image.readInt32LE(4);
    if (found !== listed) throw new Error(`image ${index} is listed as ${listed} pixels and has ${found}`);
    return found;
  });
}
