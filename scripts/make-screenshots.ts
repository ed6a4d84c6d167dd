/**
 * Makes the screenshots in docs/screenshots from a simulated desk. They are committed, so this is only needed to change
 * them: `node scripts/make-screenshots.ts`.
 */
import { chromium, type Browser, type Page } from '@playwright/test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createBuilder } from 'vite';
import { packPng } from '../test/e2e/helpers/pack-png.ts';
import { openPictureDesk, type PictureDesk } from '../test/e2e/helpers/picture-desk.ts';
import {
  addExport,
  MOST_UPLOAD_MB,
  openExports,
  settledExports,
} from '../test/e2e/helpers/picture-exports.ts';
import { pictureScreens, type PictureScreen } from '../test/e2e/helpers/picture-screens.ts';
import { ensureChromium } from './find-runtimes.ts';

const folder = fileURLToPath(new URL('../docs/screenshots/', import.meta.url));
const schemes = ['dark', 'light'] as const;
/** Size limit of a screenshot, bytes: README should load over a slow connection. */
const MOST_BYTES = 250_000;
const BYTES_PER_SECOND = 1_500_000;
/** Size of the clip in progress, bytes: at that rate, its upload takes longer than all the screenshots. */
const MOVING_BYTES = 150_000_000;
/** Share of that clip that is sent before the screenshots are taken. */
const SHOWN_SHARE = 0.2;
const LIMIT_MS = 60_000;

async function main(): Promise<void> {
  const executablePath = await ensureChromium();
  if (executablePath === undefined) throw new Error('Chromium was not found. Set CHROMIUM_PATH to it.');
  await (await createBuilder({ logLevel: 'warn' })).buildApp();
  mkdirSync(folder, { recursive: true });
  const desk = await openPictureDesk(BYTES_PER_SECOND);
  const browser = await chromium.launch({
    executablePath,
    args: ['--disable-gpu', '--disable-quic', '--font-render-hinting=none'],
  });
  try {
    const page = await openPage(browser, desk);
    await fillDesk(desk);
    for (const screen of pictureScreens) await takePictures(page, desk, screen);
  } finally {
    await browser.close();
    await desk.stop();
  }
}

async function openPage(browser: Browser, desk: PictureDesk): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 820 },
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.addInitScript(shiftClock, desk.offsetMs);
  await page.goto(desk.createLaunchUrl());
  await page.getByRole('navigation').waitFor();
  return page;
}

/** Sets the page's clock to that of agent and service. Runs in the page, so it must not refer to anything outside. */
function shiftClock(offsetMs: number): void {
  const now = Date.now.bind(Date);
  Date.now = () => now() + offsetMs;
}

/** Adds exports one after the other, so that they are listed in the same order each time. */
async function fillDesk(desk: PictureDesk): Promise<void> {
  const isSettled = (): boolean => {
    const { clips, clipsUploaded, clipsFailed } = desk.agent.progress();
    return clipsUploaded + clipsFailed === clips;
  };
  desk.simulator.configure({ maxUploadSizeMb: MOST_UPLOAD_MB });
  for (const [name, files] of Object.entries(await settledExports())) {
    const before = desk.agent.progress().incidents;
    await addExport(desk, name, files);
    await until(() => desk.agent.progress().incidents > before && isSettled(), name);
  }
  desk.simulator.configure({ maxUploadSizeMb: -1 });
  for (const [name, files] of Object.entries(await openExports(MOVING_BYTES))) {
    const before = desk.agent.progress().incidents;
    await addExport(desk, name, files);
    await until(() => desk.agent.progress().incidents > before, name);
  }
  await until(() => desk.agent.progress().bytesInFlight > SHOWN_SHARE * MOVING_BYTES, 'the moving clip');
}

async function takePictures(page: Page, desk: PictureDesk, screen: PictureScreen): Promise<void> {
  await page.goto(`${desk.origin}/#${screen.path}`);
  await screen.prepare(page, desk);
  await clearUp(page);
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    await page.waitForLoadState('networkidle', { timeout: 1000 }).catch(() => undefined);
    const picture = packPng(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
    const name = `${screen.name}-${colorScheme}.png`;
    writeFileSync(join(folder, name), picture);
    console.log(`${String(picture.length).padStart(7)}  ${name}`);
    if (picture.length > MOST_BYTES) {
      console.error(`${name} is larger than ${MOST_BYTES} bytes`);
      process.exitCode = 1;
    }
  }
}

/** Clears focus, hover and toasts. */
async function clearUp(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).click();
  const news = page.getByRole('region', { name: 'Notifications' }).getByRole('button');
  while ((await news.count()) > 0) await news.last().click();
  await page.mouse.move(0, 0);
}

async function until(fact: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (!fact()) {
    if (performance.now() > deadline) throw new Error(`${what} did not come within ${LIMIT_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

await main();
