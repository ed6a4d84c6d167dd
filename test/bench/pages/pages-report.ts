import type { CaseReport, Verdict } from '../bench-run.ts';
import { median, spread } from '../figures.ts';
import type { ScrollFigures } from './measure.ts';
import type { PageSizes } from './page-sizes.ts';

/** All measurements of the pages. */
export interface PageFigures {
  readonly clips: number;
  readonly incidents: number;
  /** Share of time in which the main thread works while nothing moves, and while uploads do, percent. */
  readonly idlePercent: number;
  readonly livePercent: number;
  readonly loadMs: readonly number[];
  readonly slow: readonly ScrollFigures[];
  readonly fast: readonly ScrollFigures[];
  /** After the load, and after all the scrolling, MiB. */
  readonly heapMib: number;
  readonly scrolledHeapMib: number;
  /** Scripts and styles compressed, and fonts as they are, kB. */
  readonly sizes: PageSizes;
  readonly fonts: number;
}

const FIRST_ROWS_MS = 500;
const LEAST_FPS = 57;
/** Below this the list lost its place on the way, and its frames mean nothing. */
const LEAST_WAY = 0.95;
const MOST_HEAP_MIB = 40;
const MOST_IDLE_PERCENT = 2;
const MOST_SCRIPT_KB = 520;

/** The table with its targets. */
export function pagesReport(figures: PageFigures): CaseReport {
  const { clips, incidents, slow, fast, loadMs } = figures;
  const one = (value: number): string => value.toFixed(1);
  return {
    name: 'pages',
    title: `Pages: ${clips.toLocaleString('en-GB')} clips in ${incidents.toLocaleString('en-GB')} incidents, four live uploads`,
    columns: ['what', 'measured'],
    rows: [
      ['navigation to first rows, ms', spread(loadMs)],
      ...scrollRows('slow', slow),
      ...scrollRows('fast', fast),
      ['heap after the load, MiB', one(figures.heapMib)],
      ['heap after the scrolling, MiB', one(figures.scrolledHeapMib)],
      ['main thread at work, nothing under way, %', one(figures.idlePercent)],
      ['main thread at work, four live uploads in view, %', one(figures.livePercent)],
      ['scripts and styles, gzip, kB', one(figures.sizes.all)],
      ['of them what the first screen needs, kB', one(figures.sizes.first)],
      ['scripts of other pages, gzip, kB', one(figures.sizes.apart)],
      ['fonts, all of them, kB', one(figures.fonts)],
    ],
    verdicts: verdictsOn(figures),
    figures,
  };
}

function scrollRows(name: string, runs: readonly ScrollFigures[]): readonly (readonly string[])[] {
  const of = (field: keyof ScrollFigures): string =>
    spread(
      runs.map((run) => run[field]),
      1,
    );
  return [
    [`scrolling ${name}, frames a second`, of('fps')],
    [`scrolling ${name}, of the frame in the middle`, of('medianFps')],
    [`scrolling ${name}, longest frame, ms`, of('longestMs')],
  ];
}

function verdictsOn(figures: PageFigures): readonly Verdict[] {
  const under = (what: string, value: number, most: number, unit: string): Verdict => ({
    text: `${what} ${value.toFixed(1)} ${unit} (under ${most} ${unit})`,
    isReached: value < most,
  });
  const fps = (name: string, runs: readonly ScrollFigures[]): Verdict => {
    const value = median(runs.map((run) => run.fps));
    return {
      text: `scrolling ${name} ${value.toFixed(1)} frames a second (${LEAST_FPS} or more)`,
      isReached: value >= LEAST_FPS,
    };
  };
  const place = (name: string, runs: readonly ScrollFigures[]): Verdict => {
    const least = Math.min(...runs.map(({ wayShare }) => wayShare));
    return {
      text: `scrolling ${name} came ${Math.round(100 * least)} % of the way (${100 * LEAST_WAY} or more)`,
      isReached: least >= LEAST_WAY,
    };
  };
  return [
    under('first rows after', median(figures.loadMs), FIRST_ROWS_MS, 'ms'),
    fps('slow', figures.slow),
    place('slow', figures.slow),
    fps('fast', figures.fast),
    place('fast', figures.fast),
    under('heap', Math.max(figures.heapMib, figures.scrolledHeapMib), MOST_HEAP_MIB, 'MiB'),
    under('idle main thread', figures.idlePercent, MOST_IDLE_PERCENT, '%'),
    under('main thread with live uploads', figures.livePercent, MOST_IDLE_PERCENT, '%'),
    under('scripts and styles of all pages', figures.sizes.all + figures.sizes.apart, MOST_SCRIPT_KB, 'kB'),
  ];
}
