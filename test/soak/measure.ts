import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE } from '../../electron/agent/store/open-db.ts';
import { residentMib } from '../bench/process-facts.ts';

/** Resource use of an agent's process at one moment. */
export interface Sample {
  /** Since its start, seconds. */
  readonly atSeconds: number;
  readonly memoryMib: number;
  readonly handles: number;
  readonly logMib: number;
}

/** Undefined when the process is gone. `logMib`: the database's write-ahead log on disk. */
export function takeSample(pid: number, startedMs: number, dataDir: string): Sample | undefined {
  try {
    return {
      atSeconds: (performance.now() - startedMs) / 1_000,
      memoryMib: residentMib(pid),
      handles: readdirSync(`/proc/${pid}/fd`).length,
      logMib:
        (statSync(join(dataDir, `${DATABASE_FILE}-wal`), { throwIfNoEntry: false })?.size ?? 0) / 2 ** 20,
    };
  } catch {
    return undefined;
  }
}

/** Name and limit of each figure that must stay flat. */
export const figures = {
  memoryMib: { name: 'memory, MiB', most: 350, mayGrow: 40 },
  handles: { name: 'open handles', most: 200, mayGrow: 20 },
  logMib: { name: 'log of the database, MiB', most: 64, mayGrow: 64 },
} as const;

export type Figure = keyof typeof figures;

export interface Trend {
  readonly first: number;
  readonly last: number;
  readonly most: number;
  /** Slope of the line through all samples, per hour of real time. */
  readonly slopePerHour: number;
  readonly isFlat: boolean;
}

/** The trend of a figure over a life: the medians of its first and last third, its largest value, its slope. */
export function trendOf(samples: readonly Sample[], figure: Figure): Trend {
  const values = samples.map((sample) => sample[figure]);
  const third = Math.max(1, Math.floor(values.length / 3));
  const [first, last] = [median(values.slice(0, third)), median(values.slice(-third))];
  const most = Math.max(0, ...values);
  const limits = figures[figure];
  const isFlat = most <= limits.most && last - first <= limits.mayGrow;
  const slopePerHour = slopeOf(samples.map((sample) => [sample.atSeconds / 3_600, sample[figure]]));
  return { first, last, most, slopePerHour, isFlat };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (pick: 0 | 1): number =>
    points.reduce((sum, point) => sum + point[pick], 0) / Math.max(1, points.length);
  const [meanX, meanY] = [mean(0), mean(1)];
  const above = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const below = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return below === 0 ? 0 : above / below;
}
