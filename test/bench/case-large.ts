import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startAgent } from './bench-agent.ts';
import { withFolder, type BenchRun, type CaseReport, type Verdict } from './bench-run.ts';
import { startService } from './bench-service.ts';
import { GIB, median, MIB, spread } from './figures.ts';
import { makeLargeClip } from './make-files.ts';
import { cpuSeconds, forgetPeak, peakMib, residentMib } from './process-facts.ts';
import { timeCommand } from './timed-command.ts';
import { fileLine, sideEnvironment, toolSides, type ToolSide } from './tool-lines.ts';
import type { Tool } from './tools.ts';

/** The cost of one upload. For tools, seconds exclude their start. */
interface LargeRun {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMib: number;
  readonly storeCpuSeconds?: number;
  /** Agent only: memory before there was anything to do, and the peak while taking in the clip. */
  readonly idleMib?: number;
  readonly intakePeakMib?: number;
  /** Agent only: from the folder's arrival to its first upload request, and the CPU time in between. */
  readonly firstByteSeconds?: number;
  readonly intakeCpuSeconds?: number;
  /** Agent only: from the folder's arrival to the record that lists the clip. */
  readonly wholeSeconds?: number;
}

interface Side {
  readonly label: string;
  readonly kind: 'agent' | Tool['name'] | 'CRT';
  readonly startSeconds?: number;
  readonly isTuned?: boolean;
  run(): Promise<LargeRun>;
}

/** How long the agent is left idle before its idle memory is read, milliseconds. */
const IDLE_MS = 3000;
/** Enough for a clip of 8 GiB on a slow store. */
const UPLOAD_LIMIT_MS = 600_000;
const CLIP = 'Gate 4_2026-05-02_18-04-11.mp4';
const MOST_EXTRA_MIB = 64;

/** Sends one large clip with each side in turn. */
export async function measureLarge(bench: BenchRun, sizeMib: number): Promise<CaseReport> {
  return withFolder(bench.work, 'large', async (folder) => {
    const staged = join(folder, 'staged');
    mkdirSync(staged);
    bench.say(`Making a clip of ${sizeMib} MiB.`);
    await makeLargeClip(join(staged, CLIP), sizeMib);
    const sides: readonly Side[] = [
      { label: 'agent', kind: 'agent', run: () => runAgent(bench, folder, staged, sizeMib) },
      ...toolSides(bench.tools, bench.options.withTuned, bench.store).map((side) => ({
        label: side.label,
        kind: side.isCrt === true ? ('CRT' as const) : side.tool.name,
        startSeconds: side.tool.startSeconds,
        isTuned: side.isTuned && side.isCrt !== true,
        run: () => runTool(bench, side, join(staged, CLIP)),
      })),
    ];
    const runs = new Map<Side, LargeRun[]>(sides.map((side) => [side, []]));
    for (let round = 1; round <= bench.options.runs; round += 1) {
      for (const [side, results] of runs) {
        bench.say(`${sizeMib} MiB, run ${round}: ${side.label}`);
        await bench.store.clear();
        results.push(await side.run());
      }
    }
    return report(sizeMib, runs);
  });
}

async function runTool(bench: BenchRun, side: ToolSide, file: string): Promise<LargeRun> {
  const { store, work } = bench;
  const backend = await store.openBackend();
  const url = await backend.signPut('clip.mp4');
  const before = store.pid === undefined ? undefined : cpuSeconds(store.pid);
  const cost = await timeCommand(fileLine(side, store, file, url), sideEnvironment(work, store, side));
  const storeCpu = before === undefined ? {} : { storeCpuSeconds: cpuSeconds(store.pid ?? 0) - before };
  const isStored = await backend.hasObject('clip.mp4');
  await backend.stop();
  if (!isStored) throw new Error(`${side.label} ended well, and the store has nothing`);
  return { ...cost, ...storeCpu, seconds: cost.seconds - side.tool.startSeconds };
}

async function runAgent(bench: BenchRun, folder: string, staged: string, sizeMib: number): Promise<LargeRun> {
  const { store, options } = bench;
  return withFolder(folder, 'agent', async (home) => {
    const root = join(home, 'exports');
    mkdirSync(join(root, 'empty'), { recursive: true });
    const service = await startService(store);
    const { baseUrl, apiKey } = service.simulator;
    const agent = startAgent({ home, root, baseUrl, apiKey, ...options });
    try {
      await sleep(IDLE_MS);
      const idleMib = residentMib(agent.pid);
      forgetPeak(agent.pid);
      const began = new Promise<Moment>((resolve) =>
        service.onFirstUpload(() => {
          const moment = now(agent.pid, store.pid);
          forgetPeak(agent.pid);
          resolve(moment);
        }),
      );
      const arrived = now(agent.pid, undefined);
      renameSync(staged, join(root, 'clip'));
      await agent.until(isUploaded, 'the upload', UPLOAD_LIMIT_MS);
      const ended = now(agent.pid, store.pid);
      await agent.until(isListed, 'the record', UPLOAD_LIMIT_MS);
      const wholeSeconds = (performance.now() - arrived.at) / 1000;
      await checkStored(service.simulator.objects(), sizeMib * MIB);
      const start = await began;
      return {
        seconds: (ended.at - start.at) / 1000,
        cpuSeconds: ended.cpu - start.cpu,
        ...(store.pid === undefined ? {} : { storeCpuSeconds: ended.storeCpu - start.storeCpu }),
        peakMib: ended.peakMib,
        idleMib,
        intakePeakMib: start.peakMib,
        wholeSeconds,
        firstByteSeconds: (start.at - arrived.at) / 1000,
        intakeCpuSeconds: start.cpu - arrived.cpu,
      };
    } finally {
      await agent.stop();
      await service.stop();
      if (existsSync(join(root, 'clip'))) renameSync(join(root, 'clip'), staged);
    }
  });
}

const isUploaded = (lines: readonly { event: string }[]): boolean =>
  lines.some(({ event }) => event === 'clip.uploaded');
const isListed = (lines: readonly { event: string; pending?: number }[]): boolean =>
  isUploaded(lines) && lines.some(({ event, pending }) => event === 'incident.synced' && pending === 0);

interface Moment {
  readonly at: number;
  readonly cpu: number;
  readonly storeCpu: number;
  readonly peakMib: number;
}

function now(pid: number, storePid: number | undefined): Moment {
  const storeCpu = storePid === undefined ? 0 : cpuSeconds(storePid);
  return { at: performance.now(), cpu: cpuSeconds(pid), storeCpu, peakMib: peakMib(pid) };
}

async function checkStored(
  objects: Promise<readonly { sizeBytes: number }[]>,
  sizeBytes: number,
): Promise<void> {
  const sizes = (await objects).map((object) => object.sizeBytes);
  if (sizes.length !== 1 || sizes[0] !== sizeBytes)
    throw new Error(
      `The store should hold one object of ${sizeBytes} bytes, and holds ${JSON.stringify(sizes)}`,
    );
}

function report(sizeMib: number, runs: ReadonlyMap<Side, readonly LargeRun[]>): CaseReport {
  const gib = (sizeMib * MIB) / GIB;
  const speed = (run: LargeRun): number => sizeMib / run.seconds;
  const rows = [...runs].map(([side, results]) => [
    side.label,
    spread(results.map(speed)),
    spread(
      results.map((run) => run.cpuSeconds / gib),
      2,
    ),
    spread(results.map((run) => run.peakMib)),
    (side.startSeconds ?? 0) === 0 ? '' : (side.startSeconds ?? 0).toFixed(2),
    spread(
      results.flatMap(({ storeCpuSeconds: cpu }) => (cpu === undefined ? [] : [cpu / gib])),
      2,
    ),
    spread(
      results.flatMap(({ firstByteSeconds: seconds }) => seconds ?? []),
      1,
    ),
    spread(
      results.flatMap(({ intakeCpuSeconds: cpu }) => (cpu === undefined ? [] : [cpu / gib])),
      2,
    ),
  ]);
  return {
    name: `large-${sizeMib}`,
    title: `One clip of ${sizeMib} MiB`,
    columns: [
      'side',
      'MiB/s',
      'CPU s/GiB',
      'peak MiB',
      'own start s',
      "store's CPU s/GiB",
      'first byte after s',
      'CPU s/GiB before it',
    ],
    rows,
    verdicts: verdicts(runs, speed),
    figures: [...runs].map(([{ label }, results]) => ({ label, runs: results })),
  };
}

function verdicts(
  runs: ReadonlyMap<Side, readonly LargeRun[]>,
  speed: (run: LargeRun) => number,
): readonly Verdict[] {
  const of = (kind: Side['kind']) =>
    [...runs].find(([side]) => side.kind === kind && side.isTuned !== true)?.[1];
  const agent = of('agent') ?? [];
  const verdicts: Verdict[] = [];
  const ratio = (kind: Side['kind'], pick: (run: LargeRun) => number): number | undefined => {
    const other = of(kind);
    return other === undefined ? undefined : median(agent.map(pick)) / median(other.map(pick));
  };
  const atLeast = (kind: Side['kind'], least: number): void => {
    const found = ratio(kind, speed);
    if (found === undefined) return;
    verdicts.push({
      text: `throughput ${found.toFixed(2)} x ${kind}'s (at least ${least})`,
      isReached: found >= least,
    });
  };
  atLeast('rclone', 3);
  atLeast('awscli', 2);
  atLeast('CRT', 1);
  const cpu = ratio('rclone', (run) => run.cpuSeconds);
  if (cpu !== undefined)
    verdicts.push({ text: `CPU ${cpu.toFixed(2)} of rclone's (at most 0.33)`, isReached: cpu <= 1 / 3 });
  const over = (peak: (run: LargeRun) => number): number =>
    median(agent.map((run) => peak(run) - (run.idleMib ?? 0)));
  const intake = over((run) => run.intakePeakMib ?? 0);
  const extra = Math.max(
    intake,
    over((run) => run.peakMib),
  );
  const idle = median(agent.map((run) => run.idleMib ?? 0));
  const parts = `${over((run) => run.peakMib).toFixed(0)} while sending, ${intake.toFixed(0)} while taking in`;
  const memory = `peak memory ${extra.toFixed(0)} MiB over ${idle.toFixed(0)} MiB idle (${parts}; at most ${MOST_EXTRA_MIB})`;
  verdicts.push({ text: memory, isReached: extra <= MOST_EXTRA_MIB });
  const curl = ratio('curl', speed);
  if (curl !== undefined)
    verdicts.push({ text: `throughput ${curl.toFixed(2)} of curl's (stated only)`, isReached: true });
  return verdicts;
}
