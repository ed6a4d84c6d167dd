import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex, Readable } from 'node:stream';
import { expect, test } from '@playwright/test';
import { findChromium } from '../../scripts/find-runtimes.ts';
import { connectByPipe, type Connection } from '../electron-double/cdp.ts';
import { startThumbnailHost } from './helpers/thumbnail-host.ts';

const XVFB = '/usr/bin/Xvfb';
/** Chromium allows a hidden page one timer a second; otherwise a page has a hundred. */
const MOST_TIMERS = 5;

/** Starts a display that nobody sees; it picks its own number. */
async function openScreen() {
  const child = spawn(XVFB, ['-displayfd', '3', '-screen', '0', '1280x900x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  for await (const line of createInterface({ input: child.stdio[3] as Readable }))
    return { display: `:${line.trim()}`, close: () => void child.kill() };
  throw new Error('The display did not open');
}

/**
 * Chromium with a window on that display, without the switches that keep hidden pages from being throttled. Controlled
 * over its own protocol: a test driver makes each page believe that it is in front.
 */
async function openHeaded(display: string) {
  const profile = await mkdtemp(join(tmpdir(), 'hidden-page-'));
  const args = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--remote-debugging-pipe'];
  const child = spawn(
    findChromium() ?? '/usr/bin/chromium',
    [...args, `--user-data-dir=${profile}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], env: { ...process.env, DISPLAY: display } },
  );
  const ended = once(child, 'exit');
  return {
    connection: connectByPipe(child.stdio[3] as Duplex, child.stdio[4] as Readable),
    async close() {
      child.kill('SIGKILL');
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** A tab of the only window; the tab that was opened last is in front. */
async function openTab({ root, session }: Connection) {
  const { targetId } = await root.send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
  const tab = session(sessionId);
  return {
    goto: (url: string) => tab.send('Page.navigate', { url }),
    async run<T>(script: string): Promise<T> {
      const { result, exceptionDetails } = await tab.send('Runtime.evaluate', {
        expression: script,
        awaitPromise: true,
        returnByValue: true,
      });
      if (exceptionDetails !== undefined) throw new Error(result.description);
      return result.value as T;
    },
  };
}

/** Timers and frames in two seconds. Measured by network answers, whose clock is not throttled. */
const LIVED = `(async () => {
  let [timers, paints] = [0, 0];
  const timer = setInterval(() => (timers += 1), 10);
  requestAnimationFrame(() => (paints += 1));
  const start = performance.now();
  while (performance.now() - start < 2000) await fetch('/thumbnailer.html', { cache: 'no-store' });
  clearInterval(timer);
  return { timers, paints, visibility: document.visibilityState };
})()`;

test(
  'a picture is made by a page that is really hidden: its timers are throttled and nothing is painted',
  { tag: '@long' },
  async () => {
    test.skip(!existsSync(XVFB), 'there is no virtual display here');
    test.slow();
    const screen = await openScreen();
    const host = await startThumbnailHost();
    const browser = await openHeaded(screen.display);
    try {
      const page = await openTab(browser.connection);
      await openTab(browser.connection);
      await expect.poll(() => page.run('document.visibilityState')).toBe('hidden');

      for (const clip of ['thumbnails/h264.mp4', 'thumbnails/vp9.webm', 'thumbnails/mjpeg.avi']) {
        const offer = host.offer(await readFile(`test/fixtures/${clip}`));
        await page.goto(offer.address);
        expect(await offer.answered, clip).toMatchObject({ kind: 'made' });
        offer.end();
      }
      const lived = await page.run<{ timers: number; paints: number; visibility: string }>(LIVED);
      expect(lived).toMatchObject({ paints: 0, visibility: 'hidden' });
      expect(lived.timers).toBeLessThanOrEqual(MOST_TIMERS);
    } finally {
      await browser.close();
      await host.stop();
      screen.close();
    }
  },
);
