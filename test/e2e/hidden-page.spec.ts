import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { chromium, expect, test } from '@playwright/test';
import { startThumbnailHost } from './helpers/thumbnail-host.ts';

const XVFB = '/usr/bin/Xvfb';
/** What tests usually take from Chromium: a hidden page is throttled without them, as at a desk. */
const SWITCHES = [
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
];
/** Chromium lets a hidden page have one timer a second; a free one has a hundred. */
const MOST_TIMERS = 5;

/** A screen that nobody sees; it chooses its own number. */
async function openScreen() {
  const child = spawn(XVFB, ['-displayfd', '3', '-screen', '0', '1280x900x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const numbers = child.stdio[3];
  if (numbers === null || numbers === undefined) throw new Error('No display');
  for await (const line of createInterface({ input: numbers as NodeJS.ReadableStream }))
    return { display: `:${line.trim()}`, close: () => void child.kill() };
  throw new Error('The display did not open');
}

test('a picture is made by a page that is really hidden: its timers are throttled and nothing is painted', async () => {
  test.skip(!existsSync(XVFB), 'there is no virtual display here');
  test.slow();
  const screen = await openScreen();
  const host = await startThumbnailHost();
  const browser = await chromium.launch({
    headless: false,
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    ignoreDefaultArgs: SWITCHES,
    args: ['--disable-gpu', '--no-first-run'],
    env: { ...process.env, DISPLAY: screen.display },
  });
  try {
    const context = await browser.newContext();
    const page = await context.newPage();
    const front = await context.newPage();
    await front.bringToFront();
    // Playwright makes every page believe that it is in front: that is taken back
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setFocusEmulationEnabled', { enabled: false });
    await expect.poll(() => page.evaluate(() => document.visibilityState)).toBe('hidden');

    for (const clip of ['thumbnails/h264.mp4', 'thumbnails/vp9.webm', 'thumbnails/mjpeg.avi']) {
      const offer = host.offer(await readFile(`test/fixtures/${clip}`));
      await page.goto(offer.address);
      expect(await offer.answered, clip).toMatchObject({ kind: 'made' });
      offer.end();
    }
    const lived = await page.evaluate(async () => {
      let [timers, paints] = [0, 0];
      const timer = setInterval(() => (timers += 1), 10);
      requestAnimationFrame(() => (paints += 1));
      // Answered by the network service, whose clock nobody throttles
      const start = performance.now();
      while (performance.now() - start < 2_000) await fetch('/thumbnailer.html', { cache: 'no-store' });
      clearInterval(timer);
      return { timers, paints, visibility: document.visibilityState };
    });
    expect(lived.visibility).toBe('hidden');
    expect(lived.paints).toBe(0);
    expect(lived.timers).toBeLessThanOrEqual(MOST_TIMERS);
  } finally {
    await browser.close();
    await host.stop();
    screen.close();
  }
});
