import type { CDPSession, Page } from '@playwright/test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MIB, median } from '../figures.ts';
import { noteFrames, readFirstRows, readScroll, readScrollRoom, scrollToTop, takeFrames } from './in-page.ts';
import type { Station } from './open-station.ts';

const LOAD_LIMIT_MS = 60_000;
/** Time for pending answers to arrive and moving bars to stop. */
const CALM_MS = 2000;

/** From the navigation to the painted first rows, milliseconds. */
export async function measureLoad(station: Station): Promise<number> {
  await station.load();
  const handle = await station.page.waitForFunction(readFirstRows, undefined, { timeout: LOAD_LIMIT_MS });
  return (await handle.jsonValue()) ?? Number.NaN;
}

/** Frame figures while the wheel turns. */
export interface ScrollFigures {
  /** All frames divided by the total time. */
  readonly fps: number;
  /** 1000 / the median interval: the rate of most frames. */
  readonly medianFps: number;
  readonly longestMs: number;
  /** Distance that the clips moved as a share of the wheel's; 1 unless the list lost its place. */
  readonly wayShare: number;
}

/** Turns the wheel over the clips for `seconds`, as fast as the browser accepts it: the page may lag behind. */
export async function measureScroll(
  { page, devtools }: Station,
  pixelsPerSecond: number,
  seconds: number,
): Promise<ScrollFigures> {
  await page.evaluate(scrollToTop);
  const { x, y } = await middleOfClips(page);
  await sleep(CALM_MS);
  const wayLeft = await page.evaluate(readScrollRoom);
  await page.evaluate(noteFrames);
  await devtools.send('Input.synthesizeScrollGesture', {
    x,
    y,
    yDistance: -pixelsPerSecond * seconds,
    speed: pixelsPerSecond,
    gestureSourceType: 'mouse',
    preventFling: true,
  });
  const frames = await page.evaluate(takeFrames);
  const way = await page.evaluate(readScroll);
  const wayShare = way / Math.min(pixelsPerSecond * seconds, wayLeft);
  return { ...frameFigures(frames), wayShare };
}

async function middleOfClips(page: Page): Promise<{ readonly x: number; readonly y: number }> {
  const box = await page.getByRole('treegrid', { name: 'Incidents and clips' }).boundingBox();
  if (box === null) throw new Error('The clips are not in view');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

function frameFigures(frames: readonly number[]): Omit<ScrollFigures, 'wayShare'> {
  const intervals = frames.slice(1).map((at, index) => at - (frames[index] ?? at));
  const wholeMs = intervals.reduce((sum, interval) => sum + interval, 0);
  return {
    fps: (1000 * intervals.length) / wholeMs,
    medianFps: 1000 / median(intervals),
    longestMs: Math.max(...intervals),
  };
}

/** The share of `seconds` in which the page's main thread worked, percent. */
export async function measureBusy({ devtools }: Station, seconds: number): Promise<number> {
  await sleep(CALM_MS);
  const before = await readTimes(devtools);
  await sleep(seconds * 1000);
  const after = await readTimes(devtools);
  return (100 * (after.taskSeconds - before.taskSeconds)) / (after.atSeconds - before.atSeconds);
}

async function readTimes(devtools: CDPSession): Promise<{ taskSeconds: number; atSeconds: number }> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  const read = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { taskSeconds: read('TaskDuration'), atSeconds: read('Timestamp') };
}

/** Memory of the page's objects after a garbage collection, MiB. */
export async function measureHeap({ devtools }: Station): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return usedSize / MIB;
}
