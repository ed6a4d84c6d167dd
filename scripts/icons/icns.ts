import { encodePng, pngSize, type Picture } from './png.ts';

const HEADER_BYTES = 8;
/**
 * Kinds of pictures by their size in pixels: some sizes stand twice, once as they are and once as the sharp one of half
 * the size. 16 and 32 without sharpness are left out: as PNG they are shown garbled by some versions of macOS.
 */
const kinds: readonly { readonly type: string; readonly size: number }[] = [
  { type: 'ic11', size: 32 },
  { type: 'ic12', size: 64 },
  { type: 'ic07', size: 128 },
  { type: 'ic13', size: 256 },
  { type: 'ic08', size: 256 },
  { type: 'ic14', size: 512 },
  { type: 'ic09', size: 512 },
  { type: 'ic10', size: 1024 },
];

/** Sizes in pixels that `encodeIcns` wants. */
export const icnsSizes: readonly number[] = [...new Set(kinds.map(({ size }) => size))];

/** Writes a macOS icon. Throws when a size is missing. */
export function encodeIcns(pictures: readonly Picture[]): Buffer {
  const entries = kinds.map(({ type, size }) => {
    const picture = pictures.find((each) => each.size === size);
    if (picture === undefined) throw new RangeError(`no picture of ${size} pixels`);
    return block(type, encodePng(picture));
  });
  return block('icns', Buffer.concat(entries));
}

function block(type: string, data: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(type, 0, 'latin1');
  header.writeUInt32BE(HEADER_BYTES + data.length, 4);
  return Buffer.concat([header, data]);
}

/** What an icon file holds: each kind with the size of its picture. Throws when it is cut short. */
export function readIcns(icns: Buffer): readonly { readonly type: string; readonly size: number }[] {
  if (icns.toString('latin1', 0, 4) !== 'icns' || icns.readUInt32BE(4) !== icns.length)
    throw new Error('this is no whole icns file');
  const found: { readonly type: string; readonly size: number }[] = [];
  for (let at = HEADER_BYTES; at < icns.length; at += icns.readUInt32BE(at + 4)) {
    const picture = icns.subarray(at + HEADER_BYTES, at + icns.readUInt32BE(at + 4));
    found.push({ type: icns.toString('latin1', at, at + 4), size: pngSize(picture) ?? 0 });
  }
  return found;
}
