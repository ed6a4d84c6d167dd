/**
 * Makes the icons in build from build/icon.svg and the drawings of the tray. They are committed, so this is only needed
 * to change them: `npm run icons`.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { ensureChromium } from './find-runtimes.ts';
import { makeIconFiles, sha256, sourceOf, type Draw } from './icons/icon-files.ts';

interface Order {
  readonly url: string;
  readonly size: number;
  readonly share: number;
}

/** Runs in the page, whose types this program does not have. Returns the pixels as base64. */
const drawInPage = `async ({ url, size, share }) => {
  const image = new Image();
  image.src = url;
  await image.decode();
  const context = new OffscreenCanvas(size, size).getContext('2d');
  const side = size * share;
  context.drawImage(image, (size - side) / 2, (size - side) / 2, side, side);
  const { data } = context.getImageData(0, 0, size, size);
  return btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join(''));
}`;

const drawWith =
  (page: Page): Draw =>
  async (svg, size, share = 1) => {
    const order: Order = {
      url: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
      size,
      share,
    };
    const pixels: unknown = await page.evaluate(`(${drawInPage})(${JSON.stringify(order)})`);
    return { size, rgba: Buffer.from(String(pixels), 'base64') };
  };

const executablePath = await ensureChromium();
if (executablePath === undefined) throw new Error('Chromium was not found. Set CHROMIUM_PATH to it.');
const browser = await chromium.launch({ executablePath, args: ['--force-color-profile=srgb'] });
try {
  const icon = readFileSync('build/icon.svg', 'utf8');
  const files = await makeIconFiles(icon, drawWith(await browser.newPage()));
  for (const [path, content] of files) {
    const file = join('build', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    console.log(`${String(content.length).padStart(7)}  ${file}`);
  }
  const record = {
    source: sourceOf(icon),
    files: Object.fromEntries([...files].map(([path, content]) => [path, sha256(content)])),
  };
  writeFileSync('build/icons.json', `${JSON.stringify(record, undefined, 2)}\n`);
} finally {
  await browser.close();
}
