import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createBuilder } from 'vite';
import { findChromium } from '../../scripts/find-runtimes.ts';
import { fillUploads } from './pages/fill-uploads.ts';
import { measureBusy, measureHeap, measureLoad, measureScroll, type ScrollFigures } from './pages/measure.ts';
import { openStation, type Station } from './pages/open-station.ts';
import { pagesReport, type PageFigures } from './pages/pages-report.ts';
import { fontKilobytes, pageSizes } from './pages/page-sizes.ts';
import { caseText, machineFacts } from './report.ts';

const usage = `npm run bench:pages -- [--quick] [--json FILE] [--work DIR]

  The pages with 100,000 clips and four live uploads, in Chromium.

  --quick   10,000 clips, one run of each
  --json    also write every run to FILE
  --work    folder on a local disk (default /var/tmp)`;

const LIVE_UPLOADS = 4;
/** Pixels per second: about two rows a frame, and about seventy. */
const SLOW_SPEED = 3600;
const FAST_SPEED = 120_000;

/** Progress goes to stderr, so that stdout can be saved. */
const say = (text: string): void => void process.stderr.write(`${text}\n`);

interface Amount {
  readonly clips: number;
  readonly loads: number;
  readonly scrolls: number;
  readonly scrollSeconds: number;
  readonly idleSeconds: number;
}

const whole: Amount = { clips: 100_000, loads: 5, scrolls: 3, scrollSeconds: 5, idleSeconds: 10 };
const quick: Amount = { clips: 10_000, loads: 1, scrolls: 1, scrollSeconds: 3, idleSeconds: 5 };

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      work: { type: 'string', default: '/var/tmp' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(usage);
  const chromiumPath = findChromium();
  if (chromiumPath === undefined) throw new Error('Chromium was not found. Set CHROMIUM_PATH to it.');
  await (await createBuilder({ logLevel: 'warn' })).buildApp();
  const home = mkdtempSync(join(values.work, 'vms-pages-'));
  process.once('exit', () => rmSync(home, { recursive: true, force: true }));
  const amount = values.quick ? quick : whole;
  const machine = machineFacts([]);
  console.log(JSON.stringify(machine));
  const report = pagesReport(await measure(home, chromiumPath, amount));
  console.log(caseText(report));
  if (values.json !== undefined)
    writeFileSync(values.json, `${JSON.stringify({ machine, ...report }, undefined, 2)}\n`);
}

async function measure(home: string, chromiumPath: string, amount: Amount): Promise<PageFigures> {
  say(`Writing ${amount.clips} rows.`);
  const incidents = await fillUploads(join(home, 'data'), join(home, 'last-season'), amount.clips);
  const station = await openStation(home, chromiumPath);
  try {
    const measured = await measurePage(station, amount);
    const sizes = pageSizes('dist/renderer');
    return { clips: amount.clips, incidents, ...measured, sizes, fonts: fontKilobytes('dist/renderer') };
  } finally {
    await station.stop();
  }
}

type MeasuredPage = Omit<PageFigures, 'clips' | 'incidents' | 'sizes' | 'fonts'>;

async function measurePage(station: Station, amount: Amount): Promise<MeasuredPage> {
  await measureLoad(station);
  say('Idle, nothing under way.');
  const idlePercent = await measureBusy(station, amount.idleSeconds);
  say(`${LIVE_UPLOADS} uploads under way.`);
  await station.sendClips(LIVE_UPLOADS);
  const loadMs = await repeat(amount.loads, () => measureLoad(station));
  await expectBars(station);
  const livePercent = await measureBusy(station, amount.idleSeconds);
  const heapMib = await measureHeap(station);
  const scroll = (speed: number): Promise<readonly ScrollFigures[]> =>
    repeat(amount.scrolls, () => measureScroll(station, speed, amount.scrollSeconds));
  say('Scrolling.');
  const slow = await scroll(SLOW_SPEED);
  const fast = await scroll(FAST_SPEED);
  const scrolledHeapMib = await measureHeap(station);
  return { idlePercent, livePercent, loadMs, slow, fast, heapMib, scrolledHeapMib };
}

/** Waits for the progress bars: the uploads are the newest clips, so their bars are in view and moving. */
async function expectBars({ page }: Station): Promise<void> {
  const bars = page.getByRole('treegrid', { name: 'Incidents and clips' }).getByRole('progressbar');
  await bars.nth(LIVE_UPLOADS - 1).waitFor();
}

async function repeat<T>(times: number, act: () => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  for (let time = 1; time <= times; time += 1) results.push(await act());
  return results;
}

await main();
