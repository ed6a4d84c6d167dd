import { crc32, deflateSync } from 'node:zlib';

/** A picture: four bytes a pixel, rows from the top, colours not multiplied by their opacity. */
export interface Picture {
  readonly size: number;
  readonly rgba: Buffer;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const EIGHT_BITS_RGBA = [8, 6, 0, 0, 0];

/** Writes a square PNG. Every row is stored as it is: icons are small, and the bytes are the same everywhere. */
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

/** The side of a square PNG in pixels; undefined when it is none. */
export function pngSize(png: Buffer): number | undefined {
  if (png.length < 24 || !png.subarray(0, 8).equals(SIGNATURE)) return undefined;
  const width = png.readUInt32BE(16);
  return width === png.readUInt32BE(20) ? width : undefined;
}
