import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** The probe's output: milliseconds since the previous request for it. */
export interface LoopFigures {
  readonly samples: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mostMs: number;
}

/** Names the file that figures are written to; set only for the measured process. */
export const LOOP_FILE_VARIABLE = 'BENCH_LOOP_FILE';
const NS_PER_MS = 1e6;
/** Timer period of the histogram, milliseconds: the measured delays include it, so it is subtracted. */
const RESOLUTION_MS = 1;

/**
 * Measures the main thread of the process that loads this file first; on SIGUSR2 it writes the figures and starts over.
 */
function watchLoop(file: string): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const ms = (ns: number): number => Math.max(0, ns / NS_PER_MS - RESOLUTION_MS);
  process.on('SIGUSR2', () => {
    const figures: LoopFigures = {
      samples: delay.count,
      p50Ms: ms(delay.percentile(50)),
      p99Ms: ms(delay.percentile(99)),
      mostMs: ms(delay.max),
    };
    delay.reset();
    writeFileSync(file, JSON.stringify(figures));
  });
}

const file = process.env[LOOP_FILE_VARIABLE];
if (isMainThread && file !== undefined) watchLoop(file);
