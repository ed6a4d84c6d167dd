import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startAgent, type BenchAgent } from './bench-agent.ts';
import { withFolder, type BenchRun, type CaseReport } from './bench-run.ts';
import { startService } from './bench-service.ts';
import { median, spread } from './figures.ts';
import type { LoopFigures } from './loop-probe.ts';
import { makeLargeClip, makeSmallClips } from './make-files.ts';
import { fillQueue } from './queue-rows.ts';
import { askSink } from './sink-backend.ts';

const CLIPS_EACH = 100;
const FILE_BYTES = 1024;
/** How long the small clips are looked at, milliseconds. */
const WINDOW_MS = 10_000;
/** The start itself, with its scan, is another matter. */
const LEAD_MS = 3000;
const START_LIMIT_MS = 60_000;
const LARGE_LIMIT_MS = 300_000;
const ANSWER_LIMIT_MS = 5000;
const LOOK_MS = 20;
const MOST_P99_MS = 20;

interface Round {
  readonly small: LoopFigures;
  readonly large: LoopFigures;
}

/** How long the agent's main thread keeps others waiting while it sends as fast as it can, with a long queue. */
export async function measureLoop(bench: BenchRun): Promise<CaseReport> {
  const { queuedClips, loopMib } = bench.options;
  const incidents = queuedClips / CLIPS_EACH;
  return withFolder(bench.work, 'loop', async (home) => {
    const root = join(home, 'exports');
    const staged = join(home, 'staged');
    mkdirSync(staged);
    bench.say(`Making ${queuedClips} files and a clip of ${loopMib} MiB.`);
    makeSmallClips(root, incidents, queuedClips, FILE_BYTES);
    await makeLargeClip(join(staged, 'clip.mp4'), loopMib);
    const rounds: Round[] = [];
    for (let round = 1; round <= bench.options.runs; round += 1) {
      bench.say(`Event loop, run ${round}`);
      await bench.store.clear();
      rmSync(join(home, 'data'), { recursive: true, force: true });
      const shape = { root, incidents, clipsEach: CLIPS_EACH, sizeBytes: FILE_BYTES };
      await fillQueue({ ...shape, dataDir: join(home, 'data'), realIncidents: incidents });
      rounds.push(await measureOnce(bench, home, root, staged));
    }
    return report(rounds, queuedClips, loopMib);
  });
}

async function measureOnce(bench: BenchRun, home: string, root: string, staged: string): Promise<Round> {
  const service = await startService(bench.store);
  const { baseUrl, apiKey } = service.simulator;
  const loopFile = join(home, 'loop.json');
  const { profileFolder } = bench.options;
  const agent = startAgent({ home, root, baseUrl, apiKey, loopFile, profileFolder });
  const clip = join(root, 'clip');
  try {
    await untilSending(bench.store.endpoint());
    await sleep(LEAD_MS);
    await askLoop(agent, loopFile);
    await sleep(WINDOW_MS);
    const small = await askLoop(agent, loopFile);
    const isLarge = ({ event, bytes = 0 }: { event: string; bytes?: number }): boolean =>
      event === 'clip.uploaded' && bytes > FILE_BYTES;
    renameSync(staged, clip);
    await agent.until((lines) => lines.some(isLarge), 'the large clip', LARGE_LIMIT_MS);
    const large = await askLoop(agent, loopFile);
    return { small, large };
  } finally {
    await agent.stop();
    await service.stop();
    if (existsSync(clip)) renameSync(clip, staged);
  }
}

async function untilSending(endpoint: string): Promise<void> {
  const deadline = AbortSignal.timeout(START_LIMIT_MS);
  while ((await askSink(endpoint, 'figures')).receivedBytes === 0) {
    deadline.throwIfAborted();
    await sleep(LOOK_MS);
  }
}

async function askLoop({ pid }: BenchAgent, file: string): Promise<LoopFigures> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  const deadline = AbortSignal.timeout(ANSWER_LIMIT_MS);
  for (;;) {
    deadline.throwIfAborted();
    await sleep(LOOK_MS);
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (text.endsWith('}')) return JSON.parse(text) as LoopFigures;
  }
}

function report(rounds: readonly Round[], queuedClips: number, loopMib: number): CaseReport {
  const row = (what: string, pick: (round: Round) => LoopFigures): readonly string[] => [
    what,
    spread(
      rounds.map((round) => pick(round).p50Ms),
      2,
    ),
    spread(
      rounds.map((round) => pick(round).p99Ms),
      1,
    ),
    spread(
      rounds.map((round) => pick(round).mostMs),
      0,
    ),
  ];
  const p99 = (pick: (round: Round) => LoopFigures): number =>
    median(rounds.map((round) => pick(round).p99Ms));
  const verdict = (what: string, ms: number) => ({
    text: `${what}: p99 ${ms.toFixed(1)} ms (at most ${MOST_P99_MS})`,
    isReached: ms <= MOST_P99_MS,
  });
  const clips = queuedClips.toLocaleString('en-GB');
  return {
    name: 'loop',
    title: `Delay of the main thread's event loop, ${clips} clips queued`,
    columns: ['while sending', 'p50 ms', 'p99 ms', 'most ms'],
    rows: [
      row('small clips', ({ small }) => small),
      row(`a clip of ${loopMib} MiB taken in and sent beside them`, ({ large }) => large),
    ],
    verdicts: [
      verdict(
        'small clips',
        p99(({ small }) => small),
      ),
      verdict(
        'a large one beside them',
        p99(({ large }) => large),
      ),
    ],
    figures: rounds,
  };
}
