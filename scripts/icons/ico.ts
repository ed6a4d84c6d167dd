import { encodePng, pngSize, type Picture } from './png.ts';

const HEADER_BYTES = 6;
const ENTRY_BYTES = 16;
const BITMAP_HEADER_BYTES = 40;
/** A byte holds a side of up to 255; 256 is written as 0, and as PNG: older tools read only the others as bitmaps. */
const PNG_FROM = 256;

/** Writes a Windows icon with the picture in several sizes. */
export function encodeIco(pictures: readonly Picture[]): Buffer {
  const images = pictures.map((each) => (each.size >= PNG_FROM ? encodePng(each) : bitmap(each)));
  const header = Buffer.from([0, 0, 1, 0, pictures.length, 0]);
  let offset = HEADER_BYTES + ENTRY_BYTES * pictures.length;
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

/** Rows from the bottom, blue first; the height counts the mask, which is empty: opacity is in the pixels. */
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

/** The sizes that an icon file really holds, by its images and not only by its list. Throws when the two differ. */
export function icoSizes(ico: Buffer): readonly number[] {
  const count = ico.readUInt16LE(4);
  return Array.from({ length: count }, (_entry, index) => {
    const at = HEADER_BYTES + index * ENTRY_BYTES;
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
