import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startAgent } from './bench-agent.ts';
import { desktopDataDir, startDesktop } from './bench-desktop.ts';
import { withFolder, type BenchRun, type CaseReport } from './bench-run.ts';
import { startService } from './bench-service.ts';
import { median, MIB, spread } from './figures.ts';
import type { LoopFigures } from './loop-probe.ts';
import { makeLargeClip, makeSmallClips } from './make-files.ts';
import { fillQueue } from './queue-rows.ts';
import { askSink } from './sink-backend.ts';

const CLIPS_EACH = 100;
const FILE_BYTES = 1024;
/** How long sending the small clips is measured, milliseconds. */
const WINDOW_MS = 10_000;
/** Leaves out the start with its scan, which is not measured here. */
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

const hosts = ['headless', 'desktop'] as const;
type HostName = (typeof hosts)[number];
const hostWords = { headless: 'headless', desktop: 'desktop on the double, with its window' } as const;
const dataDirOf = { headless: (home: string) => join(home, 'data'), desktop: desktopDataDir } as const;

/** Measures how long the agent's main thread is blocked while it sends as fast as it can from a long queue. */
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
    const rounds: Record<HostName, Round[]> = { headless: [], desktop: [] };
    for (let round = 1; round <= bench.options.runs; round += 1) {
      for (const host of hosts) {
        bench.say(`Event loop, ${host}, run ${round}`);
        await bench.store.clear();
        // A new desk each time: a key belongs to the service that it was first used with, and each run has its own
        // service
        const desk = join(home, 'desk');
        rmSync(desk, { recursive: true, force: true });
        mkdirSync(desk);
        const dataDir = dataDirOf[host](desk);
        const shape = { root, incidents, clipsEach: CLIPS_EACH, sizeBytes: FILE_BYTES };
        await fillQueue({ ...shape, dataDir, realIncidents: incidents });
        const measured = await measureOnce(bench, host, { home: desk, root, staged });
        bench.say(`p99 ${measured.small.p99Ms.toFixed(1)} ms, ${measured.large.p99Ms.toFixed(1)} ms`);
        rounds[host].push(measured);
      }
    }
    return report(rounds, queuedClips, loopMib);
  });
}

interface Places {
  readonly home: string;
  readonly root: string;
  readonly staged: string;
}

async function measureOnce(bench: BenchRun, host: HostName, { home, root, staged }: Places): Promise<Round> {
  const service = await startService(bench.store);
  const { baseUrl, apiKey } = service.simulator;
  const { profileFolder, loopMib } = bench.options;
  const settings = { home, root, baseUrl, apiKey, profileFolder, loopFile: join(home, 'loop.json') };
  const app = host === 'desktop' ? startDesktop(settings) : startAgent(settings);
  const clip = join(root, 'clip');
  const receivedBytes = async () => (await askSink(bench.store.ownEndpoint(), 'figures')).receivedBytes;
  try {
    await untilReceived(receivedBytes, 1, START_LIMIT_MS, 'first byte');
    await sleep(LEAD_MS);
    await askLoop(app.pid, settings.loopFile);
    await sleep(WINDOW_MS);
    const small = await askLoop(app.pid, settings.loopFile);
    renameSync(staged, clip);
    await untilReceived(receivedBytes, (await receivedBytes()) + loopMib * MIB, LARGE_LIMIT_MS, 'large clip');
    const large = await askLoop(app.pid, settings.loopFile);
    return { small, large };
  } finally {
    await app.stop();
    await service.stop();
    if (existsSync(clip)) renameSync(clip, staged);
  }
}

async function untilReceived(
  receivedBytes: () => Promise<number>,
  leastBytes: number,
  limitMs: number,
  what: string,
): Promise<void> {
  const deadline = AbortSignal.timeout(limitMs);
  while ((await receivedBytes()) < leastBytes) {
    if (deadline.aborted) throw new Error(`The ${what} did not come within ${limitMs} ms`);
    await sleep(LOOK_MS);
  }
}

async function askLoop(pid: number, file: string): Promise<LoopFigures> {
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

function report(
  rounds: Readonly<Record<HostName, readonly Round[]>>,
  queuedClips: number,
  loopMib: number,
): CaseReport {
  const loads = [
    { what: 'small clips', pick: ({ small }: Round) => small },
    { what: `a clip of ${loopMib} MiB beside them`, pick: ({ large }: Round) => large },
  ];
  const lines = hosts.flatMap((host) =>
    loads.map(({ what, pick }) => ({ name: `${hostWords[host]}: ${what}`, figures: rounds[host].map(pick) })),
  );
  const clips = queuedClips.toLocaleString('en-GB');
  return {
    name: 'loop',
    title: `Delay of the main thread's event loop, ${clips} clips queued`,
    columns: ['while sending', 'p50 ms', 'p99 ms', 'most ms'],
    rows: lines.map(({ name, figures }) => [
      name,
      spread(
        figures.map(({ p50Ms }) => p50Ms),
        2,
      ),
      spread(
        figures.map(({ p99Ms }) => p99Ms),
        1,
      ),
      spread(figures.map(({ mostMs }) => mostMs)),
    ]),
    verdicts: lines.map(({ name, figures }) => {
      const ms = median(figures.map(({ p99Ms }) => p99Ms));
      return {
        text: `${name}: p99 ${ms.toFixed(1)} ms (at most ${MOST_P99_MS})`,
        isReached: ms <= MOST_P99_MS,
      };
    }),
    figures: rounds,
  };
}
