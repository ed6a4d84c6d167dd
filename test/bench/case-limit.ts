import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startAgent } from './bench-agent.ts';
import { withFolder, type BenchRun, type CaseReport } from './bench-run.ts';
import { startService } from './bench-service.ts';
import { median, spread } from './figures.ts';
import { makeLargeClip } from './make-files.ts';
import { askSink } from './sink-backend.ts';

const LIMIT_BYTES_PER_SECOND = 20_000_000;
/** More than the window needs. */
const CLIP_MIB = 300;
/** The first second is not measured: connections open, and the saved-up allowance is sent immediately. */
const LEAD_MS = 1000;
const WINDOW_MS = 10_000;
const MOST_ERROR_PERCENT = 5;
const START_LIMIT_MS = 60_000;
const LOOK_MS = 20;

/** Measures how well the bandwidth limit is kept, counted where the bytes arrive. */
export async function measureLimit(bench: BenchRun): Promise<CaseReport> {
  const errors: number[] = [];
  await withFolder(bench.work, 'limit', async (folder) => {
    const exportFolder = join(folder, 'exports', 'clip');
    mkdirSync(exportFolder, { recursive: true });
    await makeLargeClip(join(exportFolder, 'clip.mp4'), CLIP_MIB);
    for (let round = 1; round <= bench.options.limitRuns; round += 1) {
      bench.say(`Bandwidth limit, run ${round}`);
      await bench.store.clear();
      errors.push(await measureOnce(bench, folder));
    }
  });
  const worst = Math.max(...errors.map(Math.abs));
  const text = `largest error ${worst.toFixed(2)} % (at most ${MOST_ERROR_PERCENT} %), median ${median(errors).toFixed(2)} %`;
  return {
    name: 'limit',
    title: `Bandwidth limit of 20 MB/s, over ${WINDOW_MS / 1000} s`,
    columns: ['what', 'measured'],
    rows: [['error, %', spread(errors, 2)]],
    verdicts: [{ text, isReached: worst <= MOST_ERROR_PERCENT }],
    figures: { errorPercent: errors },
  };
}

async function measureOnce(bench: BenchRun, folder: string): Promise<number> {
  const endpoint = bench.store.ownEndpoint();
  return withFolder(folder, 'agent', async (home) => {
    const service = await startService(bench.store);
    const { baseUrl, apiKey } = service.simulator;
    const upload = { maxBytesPerSecond: LIMIT_BYTES_PER_SECOND };
    const agent = startAgent({ home, root: join(folder, 'exports'), baseUrl, apiKey, upload });
    try {
      const deadline = AbortSignal.timeout(START_LIMIT_MS);
      while ((await askSink(endpoint, 'figures')).receivedBytes === 0) {
        deadline.throwIfAborted();
        await sleep(LOOK_MS);
      }
      await sleep(LEAD_MS);
      const from = await askSink(endpoint, 'figures');
      await sleep(WINDOW_MS);
      const to = await askSink(endpoint, 'figures');
      const rate = ((to.receivedBytes - from.receivedBytes) / (to.atMs - from.atMs)) * 1000;
      return (rate / LIMIT_BYTES_PER_SECOND - 1) * 100;
    } finally {
      await agent.stop();
      await service.stop();
    }
  });
}
