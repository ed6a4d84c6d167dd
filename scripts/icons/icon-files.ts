import { createHash } from 'node:crypto';
import { encodeIcns, icnsSizes } from './icns.ts';
import { encodeIco } from './ico.ts';
import { encodePng, type Picture } from './png.ts';

export const icoFileSizes: readonly number[] = [16, 20, 24, 32, 40, 48, 64, 128, 256];
export const linuxSizes: readonly number[] = [16, 24, 32, 48, 64, 128, 256, 512];
/** macOS keeps a margin around its icons. */
const MAC_SHARE = 824 / 1024;

/** Draws a picture of a size, in the middle and by this share of it. */
export type Draw = (svg: string, size: number, share?: number) => Promise<Picture>;

/** Every icon file, by its path below `build`. The tray draws its own at run time (electron/desktop/tray/draw-glyph.ts). */
export async function makeIconFiles(icon: string, draw: Draw): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const drawAll = (sizes: readonly number[], share?: number): Promise<readonly Picture[]> =>
    Promise.all(sizes.map((size) => draw(icon, size, share)));
  files.set('icon.ico', encodeIco(await drawAll(icoFileSizes)));
  files.set('icon.icns', encodeIcns(await drawAll(icnsSizes, MAC_SHARE)));
  for (const picture of await drawAll(linuxSizes))
    files.set(`icons/${picture.size}x${picture.size}.png`, encodePng(picture));
  return files;
}

export const sha256 = (content: Buffer | string): string =>
  createHash('sha256').update(content).digest('hex');
