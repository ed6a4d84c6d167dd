import { chromium } from '@playwright/test';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findChromium } from '../../../scripts/find-runtimes.ts';
import { startChromium } from '../../electron-double/chromium.ts';
import { expect, test } from './desktop.ts';
import { chromiumPath } from './double-driver.ts';

/** The product's promised time from the start of the program to its first screen, milliseconds. */
const START_LIMIT_MS = 2_000;
/**
 * The time that a browser alone takes on a PC to which the promise applies, milliseconds; a slower PC gets
 * proportionally more.
 */
const BROWSER_MS = 550;
/**
 * Other load on the machine comes and goes, while a slower program is slower every time: one start in time is enough.
 */
const STARTS = 5;
/** Others may use this share of the CPUs; above it, a figure only shows how busy they are. */
const MOST_BUSY = 0.3;
/**
 * Number of checks until the machine is quiet, and the length of each, milliseconds: tests that just ended need a
 * while.
 */
const LOOKS = 40;
const LOOK_MS = 500;

/** Share of all CPUs in use during one check, 0 to 1. */
async function busyShare(): Promise<number> {
  const before = processorTimes();
  await delay(LOOK_MS);
  const after = processorTimes();
  return 1 - (after.idle - before.idle) / (after.all - before.all);
}

function processorTimes() {
  const times = cpus().map((cpu) => cpu.times);
  const idle = times.reduce((sum, each) => sum + each.idle, 0);
  const all = times.reduce(
    (sum, { user, nice, sys, irq, idle: free }) => sum + user + nice + sys + irq + free,
    0,
  );
  return { idle, all };
}

/** The share once it is low enough, or the last one. */
async function whenQuiet(): Promise<number> {
  let share = 1;
  for (let look = 1; look <= LOOKS && share > MOST_BUSY; look += 1) share = await busyShare();
  return share;
}

/** How long the browser takes to show a page of its own, milliseconds. */
async function startBrowser(): Promise<number> {
  const profile = await mkdtemp(join(tmpdir(), 'browser-'));
  const startedMs = performance.now();
  const { socket, kill, ended } = await startChromium(findChromium() ?? chromiumPath, profile);
  const browser = await chromium.connectOverCDP(await socket());
  const page = await browser.newPage();
  await page.setContent('<nav>Nothing yet</nav>');
  await page.getByRole('navigation').waitFor();
  const tookMs = Math.round(performance.now() - startedMs);
  await browser.close();
  kill();
  await ended;
  await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  return tookMs;
}

test.use({ desktopOptions: { hasOwnChromium: true } });

test('the first screen stands two seconds after the start, in the best of five', async ({ desktop }) => {
  test.slow();
  const busy = await whenQuiet();
  test.skip(busy > MOST_BUSY, `other programs use ${Math.round(busy * 100)} % of the processors`);
  let bestMs = Infinity;
  let browserMs = await startBrowser();
  const limitMs = (): number => START_LIMIT_MS * Math.max(1, browserMs / BROWSER_MS);
  for (let start = 1; start <= STARTS && bestMs > limitMs(); start += 1) {
    const startedMs = performance.now();
    const { app } = await desktop.start();
    const tookMs = Math.round(performance.now() - startedMs);
    bestMs = Math.min(bestMs, tookMs);
    const description = `start to first screen: ${tookMs} ms, ${start} of ${STARTS} at most; a browser alone: ${browserMs} ms`;
    test.info().annotations.push({ type: 'figure', description });
    await app.system.quit();
    expect(await app.ended).toBe(0);
    browserMs = Math.min(browserMs, await startBrowser());
  }
  expect(bestMs).toBeLessThanOrEqual(limitMs());
});
