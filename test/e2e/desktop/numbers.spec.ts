import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from './desktop.ts';

/** The product's promise for the time from the start of the program to its first screen, milliseconds. */
const START_LIMIT_MS = 2_000;
/** What else the machine does comes and goes; a slower program is slower in each of them. One in time is enough. */
const STARTS = 5;
/** Others may use this much of the processors; with more a figure says how busy they are. */
const MOST_BUSY = 0.3;
/** How often the machine is looked at until it is quiet, and over how long, milliseconds: tests that just ended go. */
const LOOKS = 40;
const LOOK_MS = 500;

/** How much of all processors was in use over the time of one look, 0 to 1. */
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

/** The share when it is low enough, or the last one. */
async function whenQuiet(): Promise<number> {
  let share = 1;
  for (let look = 1; look <= LOOKS && share > MOST_BUSY; look += 1) share = await busyShare();
  return share;
}

test.use({ desktopOptions: { hasOwnChromium: true } });

test('the first screen stands two seconds after the start, in the best of five', async ({ desktop }) => {
  test.slow();
  const busy = await whenQuiet();
  test.skip(busy > MOST_BUSY, `other programs use ${Math.round(busy * 100)} % of the processors`);
  const figures: number[] = [];
  const best = (): number => Math.min(...figures);
  for (let start = 1; start <= STARTS && best() > START_LIMIT_MS; start += 1) {
    const startedMs = performance.now();
    const { app } = await desktop.start();
    const tookMs = Math.round(performance.now() - startedMs);
    figures.push(tookMs);
    const description = `start to first screen: ${tookMs} ms, ${start} of ${STARTS} at most`;
    test.info().annotations.push({ type: 'figure', description });
    await app.system.quit();
    expect(await app.ended).toBe(0);
  }
  expect(best()).toBeLessThanOrEqual(START_LIMIT_MS);
});
