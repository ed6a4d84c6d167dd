import { createHash } from 'node:crypto';
import { encodeIcns, icnsSizes } from './icns.ts';
import { encodeIco } from './ico.ts';
import { encodePng, type Picture } from './png.ts';

export const icoFileSizes: readonly number[] = [16, 20, 24, 32, 40, 48, 64, 128, 256];
export const linuxSizes: readonly number[] = [16, 24, 32, 48, 64, 128, 256, 512];
/** Size of a picture in the tray, pixels; each is made for dense screens too. */
const TRAY_SIZE = 16;
/** macOS keeps a margin around its icons. */
const MAC_SHARE = 824 / 1024;

const svg = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 2 2" width="64" height="64">${content}</svg>`;
const disc = (colour: string): string => `<circle r="0.96" fill="${colour}"/>`;
const line = (path: string): string =>
  `<path d="${path}" fill="none" stroke-width="0.26" stroke-linecap="round" stroke-linejoin="round"/>`;
const bars = (...paths: readonly string[]): string => `<path d="${paths.join('')}" stroke="none"/>`;

/** Colours of the pages' states (renderer/styles/tokens.css). */
const traySigns = {
  idle: { colour: '#7c8796', sign: line('M-.45 .02-.12 .35 .48-.35') },
  working: { colour: '#3d8bd4', sign: line('M0 .5V-.5M-.38-.1 0-.5 .38-.1') },
  paused: { colour: '#c28a18', sign: bars('M-.4-.5h.28v1h-.28z', 'M.12-.5h.28v1h-.28z') },
  failed: { colour: '#d14343', sign: bars('M-.15-.6h.3v.75h-.3z', 'M-.15 .32h.3v.28h-.3z') },
} as const;
/** States that the tray shows. */
export const trayGlyphs: readonly string[] = Object.keys(traySigns);

export const sha256 = (content: Buffer | string): string =>
  createHash('sha256').update(content).digest('hex');

/** Draws a picture of a size, in the middle and by this share of it. */
export type Draw = (svg: string, size: number, share?: number) => Promise<Picture>;

/** What the icon files are made from. */
export const sourceOf = (icon: string): string => sha256([icon, ...trayDrawings().values()].join(''));

/** Every icon file, by its path below `build`. */
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
 * The drawings of the tray, by the names that Electron reads them by: macOS colours what is called `Template`, black with
 * holes, by itself. Shapes differ as well as colours, for those who see no colours.
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
