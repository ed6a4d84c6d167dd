import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startAgent } from './bench-agent.ts';
import { withFolder, type BenchRun, type CaseReport } from './bench-run.ts';
import { startService } from './bench-service.ts';
import { median, quantile, spread } from './figures.ts';
import { makeSmallClips } from './make-files.ts';
import { cpuSeconds, residentMib } from './process-facts.ts';
import { fillQueue, openQueue } from './queue-rows.ts';
import { askSink } from './sink-backend.ts';

const CLIPS_EACH = 100;
const FILE_BYTES = 1024;
/** Number of batches that are claimed for the measurement. */
const CLAIMS = 1000;
/** Batch size of the worker for small files. */
const BATCH = 50;
const START_LIMIT_MS = 60_000;
/** Threads without work end after 10 s, which costs CPU time once. */
const THREADS_END_MS = 12_000;
/** More than a first scan of 100,000 files takes. */
const SCAN_LIMIT_MS = 120_000;
/** Everything triggered by a start has ended once no more than this CPU time is used in a second. */
const QUIET_CPU_SECONDS = 0.05;

interface QueueFigures {
  readonly claimMs: readonly number[];
  readonly claimOneMs: readonly number[];
  readonly withoutCommitMs: readonly number[];
  readonly firstPutSeconds: readonly number[];
  readonly idlePercent: number;
  readonly idleMib: number;
  readonly watchedFirstPutSeconds: readonly number[];
  readonly watchedIdlePercent: number;
  readonly watchedSettledSeconds: number;
  readonly watchedIdleMib: number;
}

/** Measures a long queue: claiming, starting, and idling. */
export async function measureQueue(bench: BenchRun): Promise<CaseReport> {
  const incidents = bench.options.queuedClips / CLIPS_EACH;
  return withFolder(bench.work, 'queue', async (home) => {
    const root = join(home, 'exports');
    const shape = { root, incidents, clipsEach: CLIPS_EACH, sizeBytes: FILE_BYTES };
    makeSmallClips(root, 1, CLIPS_EACH, FILE_BYTES);
    bench.say(`Writing ${bench.options.queuedClips} rows.`);
    const bare = join(home, 'bare');
    await fillQueue({ ...shape, dataDir: join(bare, 'data'), realIncidents: 1 });
    const claims = measureClaims(join(bare, 'data'));
    const firstPutSeconds = await measureStarts(bench, bare, root);
    const idle = await measureIdle(bench, bare, root);
    bench.say(`Making ${bench.options.queuedClips} files.`);
    makeSmallClips(root, incidents, bench.options.queuedClips, FILE_BYTES);
    const watched = join(home, 'watched');
    await fillQueue({ ...shape, dataDir: join(watched, 'data'), realIncidents: incidents });
    const watchedFirstPutSeconds = await measureStarts(bench, watched, root);
    const watchedIdle = await measureIdle(bench, watched, root);
    return report(bench, {
      ...claims,
      firstPutSeconds,
      idlePercent: idle.percent,
      idleMib: idle.residentMib,
      watchedFirstPutSeconds,
      watchedIdlePercent: watchedIdle.percent,
      watchedSettledSeconds: watchedIdle.settledSeconds,
      watchedIdleMib: watchedIdle.residentMib,
    });
  });
}

/**
 * Each claim is a durable commit of its own, as in the agent; measured again without the commit, to separate the cost
 * of the disk.
 */
function measureClaims(dataDir: string): Pick<QueueFigures, 'claimMs' | 'claimOneMs' | 'withoutCommitMs'> {
  const { tables, close } = openQueue(dataDir);
  const claim = (limit: number, count: number): readonly number[] =>
    Array.from({ length: count }, () => {
      const startedAt = performance.now();
      const jobs = tables.jobs.claim('small', limit, 'bench', Date.now());
      const ms = performance.now() - startedAt;
      if (jobs.length === 0) throw new Error('There was nothing to claim');
      return ms;
    });
  const free = (): void => void tables.jobs.freeLeasesOfOthers('nobody');
  const claimOneMs = claim(1, CLAIMS);
  free();
  const claimMs = claim(BATCH, Math.min(CLAIMS, tables.jobs.countOpen() / BATCH));
  free();
  const withoutCommitMs = tables.write(() => claim(1, CLAIMS));
  free();
  close();
  return { claimMs, claimOneMs, withoutCommitMs };
}

/** From the start of the process to the first byte of the first PUT at the store. */
async function measureStarts(bench: BenchRun, home: string, root: string): Promise<readonly number[]> {
  const seconds: number[] = [];
  for (let round = 1; round <= bench.options.runs; round += 1) {
    bench.say(`Start to first PUT, run ${round}`);
    await bench.store.clear();
    const service = await startService(bench.store);
    const { baseUrl, apiKey } = service.simulator;
    const agent = startAgent({ home, root, baseUrl, apiKey, profileFolder: bench.options.profileFolder });
    try {
      seconds.push((await firstPutAt(bench.store.ownEndpoint())) / 1000 - agent.startedAtMs / 1000);
    } finally {
      await agent.stop();
      await service.stop();
    }
  }
  return seconds;
}

async function firstPutAt(endpoint: string): Promise<number> {
  const deadline = AbortSignal.timeout(START_LIMIT_MS);
  for (;;) {
    deadline.throwIfAborted();
    const { firstPutAtMs } = await askSink(endpoint, 'figures');
    if (firstPutAtMs !== undefined) return firstPutAtMs;
    await sleep(20);
  }
}

/** CPU time of an agent that may not send anything, after its first scan. */
async function measureIdle(bench: BenchRun, home: string, root: string) {
  bench.say(`Idle for ${bench.options.idleSeconds} s`);
  const service = await startService(bench.store);
  service.refuseKey();
  const { baseUrl, apiKey } = service.simulator;
  const agent = startAgent({ home, root, baseUrl, apiKey });
  try {
    await agent.until(
      (lines) => lines.some(({ event }) => event === 'circuit.paused'),
      'the pause',
      START_LIMIT_MS,
    );
    await untilQuiet(agent.pid);
    const settledSeconds = (Date.now() - agent.startedAtMs) / 1000;
    await sleep(THREADS_END_MS);
    const before = cpuSeconds(agent.pid);
    await sleep(bench.options.idleSeconds * 1000);
    const usedSeconds = cpuSeconds(agent.pid) - before;
    const percent = Math.round((usedSeconds / bench.options.idleSeconds) * 10_000) / 100;
    return { percent, settledSeconds, residentMib: residentMib(agent.pid) };
  } finally {
    await agent.stop();
    await service.stop();
  }
}

async function untilQuiet(pid: number): Promise<void> {
  const deadline = AbortSignal.timeout(SCAN_LIMIT_MS);
  let quietSeconds = 0;
  for (let before = cpuSeconds(pid); quietSeconds < 2;) {
    deadline.throwIfAborted();
    await sleep(1000);
    const after = cpuSeconds(pid);
    quietSeconds = after - before <= QUIET_CPU_SECONDS ? quietSeconds + 1 : 0;
    before = after;
  }
}

function report(bench: BenchRun, figures: QueueFigures): CaseReport {
  const { claimMs, claimOneMs, firstPutSeconds, watchedFirstPutSeconds } = figures;
  const clips = bench.options.queuedClips.toLocaleString('en-GB');
  const p50p99 = (values: readonly number[]): string =>
    `${median(values).toFixed(3)}; ${quantile(values, 0.99).toFixed(3)}`;
  const start = median(firstPutSeconds);
  const watchedStart = median(watchedFirstPutSeconds);
  const upTo = (text: string, isReached: boolean) => ({ text, isReached });
  return {
    name: 'queue',
    title: `${clips} clips queued`,
    columns: ['what', 'measured'],
    rows: [
      ['claiming one job, p50; p99 ms', p50p99(claimOneMs)],
      ['of it without the commit (fsync), p50; p99 ms', p50p99(figures.withoutCommitMs)],
      [`claiming a batch of ${BATCH}, p50; p99 ms`, p50p99(claimMs)],
      ['process start to first PUT, s', spread(firstPutSeconds, 2)],
      [`the same, root with ${clips} files`, spread(watchedFirstPutSeconds, 2)],
      ['idle CPU, key refused, %', figures.idlePercent.toFixed(2)],
      [`the same, root with ${clips} files, after the first scan`, figures.watchedIdlePercent.toFixed(2)],
      [`start until the first scan of ${clips} files has ended, s`, figures.watchedSettledSeconds.toFixed(1)],
      ['memory when idle, MiB', figures.idleMib.toFixed(0)],
      [`the same, root with ${clips} files`, figures.watchedIdleMib.toFixed(0)],
    ],
    verdicts: [
      upTo(`claiming ${median(claimOneMs).toFixed(3)} ms (under 1 ms)`, median(claimOneMs) < 1),
      upTo(`claiming a batch ${median(claimMs).toFixed(3)} ms (under 1 ms)`, median(claimMs) < 1),
      upTo(`start to first upload ${start.toFixed(2)} s (under 5 s)`, start < 5),
      upTo(`with all files in the root ${watchedStart.toFixed(2)} s (under 5 s)`, watchedStart < 5),
      upTo(`idle ${figures.idlePercent.toFixed(2)} % (under 1 %)`, figures.idlePercent < 1),
      upTo(
        `idle with all files ${figures.watchedIdlePercent.toFixed(2)} % (under 1 %)`,
        figures.watchedIdlePercent < 1,
      ),
    ],
    figures: {
      ...figures,
      claimMs: summary(claimMs),
      claimOneMs: summary(claimOneMs),
      withoutCommitMs: summary(figures.withoutCommitMs),
    },
  };
}

function summary(values: readonly number[]) {
  return {
    count: values.length,
    p50: median(values),
    p99: quantile(values, 0.99),
    most: Math.max(...values),
  };
}
