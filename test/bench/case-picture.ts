import { copyFileSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { SETTLE_SECONDS, startAgent } from './bench-agent.ts';
import { withFolder, type BenchRun, type CaseReport } from './bench-run.ts';
import { startService } from './bench-service.ts';
import { median, spread } from './figures.ts';
import { clipName, folderName, makeSmallClips } from './make-files.ts';
import { fillQueue } from './queue-rows.ts';
import { askSink } from './sink-backend.ts';

const CLIPS_EACH = 100;
const FILE_BYTES = 1024;
/** Recognised among the clips by its size. */
const picture = fileURLToPath(new URL('../fixtures/clips/gate-4-north.jpg', import.meta.url));
/**
 * From the first byte to the new incident, milliseconds: on an idle machine the first scan of 100,000 files has ended
 * by then.
 */
const BUSY_MS = 10_000;
const START_LIMIT_MS = 120_000;
const PICTURE_LIMIT_MS = 300_000;
const LOOK_MS = 20;
const MOST_SECONDS = 5;

/**
 * Measures, while the agent works through a long queue, the time from a new export in its root to its thumbnail in the
 * store.
 */
export async function measurePicture(bench: BenchRun): Promise<CaseReport> {
  const { queuedClips, runs } = bench.options;
  const incidents = queuedClips / CLIPS_EACH;
  return withFolder(bench.work, 'picture', async (home) => {
    const root = join(home, 'exports');
    bench.say(`Making ${queuedClips} files.`);
    makeSmallClips(root, incidents, queuedClips, FILE_BYTES);
    const seconds: number[] = [];
    for (let round = 1; round <= runs; round += 1) {
      bench.say(`First picture of a new incident, run ${round}`);
      await bench.store.clear();
      const desk = join(home, `desk-${round}`);
      const shape = { root, incidents, clipsEach: CLIPS_EACH, sizeBytes: FILE_BYTES };
      await fillQueue({ ...shape, dataDir: join(desk, 'data'), realIncidents: incidents });
      seconds.push(await measureOnce(bench, desk, root));
      bench.say(`${(seconds.at(-1) ?? 0).toFixed(2)} s`);
    }
    return report(seconds, queuedClips);
  });
}

async function measureOnce(bench: BenchRun, desk: string, root: string): Promise<number> {
  const staged = join(desk, 'new');
  const fresh = join(root, 'new-incident');
  mkdirSync(staged);
  makeSmallClips(staged, 1, 1, FILE_BYTES);
  const made = join(staged, folderName(1));
  copyFileSync(picture, join(made, clipName(1).replace(/\.ts$/, '.jpg')));
  const service = await startService(bench.store);
  const { baseUrl, apiKey } = service.simulator;
  const agent = startAgent({ home: desk, root, baseUrl, apiKey, profileFolder: bench.options.profileFolder });
  const endpoint = bench.store.ownEndpoint();
  try {
    await until(START_LIMIT_MS, async () => (await askSink(endpoint, 'figures')).firstPutAtMs !== undefined);
    await sleep(BUSY_MS);
    renameSync(made, fresh);
    const startedAt = performance.now();
    await until(PICTURE_LIMIT_MS, lookForPicture(endpoint));
    return (performance.now() - startedAt) / 1000;
  } finally {
    await agent.stop();
    await service.stop();
    for (const folder of [fresh, desk]) rmSync(folder, { recursive: true, force: true });
  }
}

function lookForPicture(endpoint: string): () => Promise<boolean> {
  const { size } = statSync(picture);
  let known = 0;
  return async () => {
    const { keys } = await askSink(endpoint, 'keys', known);
    known += keys.length;
    return keys.some(([, sizeBytes]) => sizeBytes === size);
  };
}

async function until(limitMs: number, fact: () => Promise<boolean>): Promise<void> {
  const deadline = AbortSignal.timeout(limitMs);
  while (!(await fact())) {
    deadline.throwIfAborted();
    await sleep(LOOK_MS);
  }
}

function report(seconds: readonly number[], queuedClips: number): CaseReport {
  const middle = median(seconds);
  return {
    name: 'picture',
    title: `A new incident behind ${queuedClips.toLocaleString('en-GB')} clips`,
    columns: ['what', 'measured'],
    rows: [
      [`new export to its picture stored, ${SETTLE_SECONDS} s of settling among it, s`, spread(seconds, 2)],
    ],
    verdicts: [
      {
        text: `first picture ${middle.toFixed(2)} s (at most ${MOST_SECONDS})`,
        isReached: middle <= MOST_SECONDS,
      },
    ],
    figures: { seconds },
  };
}
