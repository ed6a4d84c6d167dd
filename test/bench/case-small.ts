import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SETTLE_SECONDS, startAgent, type AgentLine } from './bench-agent.ts';
import { withFolder, type BenchRun, type CaseReport, type Verdict } from './bench-run.ts';
import { startService } from './bench-service.ts';
import { median, spread } from './figures.ts';
import { clipName, folderName, makeSmallClips } from './make-files.ts';
import { cpuSeconds, peakMib } from './process-facts.ts';
import { openQueue } from './queue-rows.ts';
import { timeCommand } from './timed-command.ts';
import { folderLine, sideEnvironment, toolSides, type ToolSide } from './tool-lines.ts';

/** The cost of sending the tree; for tools, without their start. */
interface SmallRun {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMib: number;
  /** Agent only: taking in the tree while nothing can be sent, and from the second start to the last record. */
  readonly intakeSeconds?: number;
  readonly fromStartSeconds?: number;
  /**
   * Agent only: from the moment when all folders are in the watched one to the last record, without the settle time.
   */
  readonly wholeSeconds?: number;
}

const FOLDERS = 20;
const FILE_BYTES = 100 * 1024;
const RCLONE_GOALS = [
  { kind: 'rclone', least: 1.5 },
  { kind: 'bare rclone', least: 1.2 },
] as const;
const MOST_WHOLE_SECONDS = 6;
/** Intake or upload of 2,000 clips. */
const PHASE_LIMIT_MS = 180_000;

/** Sends many small clips with each side in turn. */
export async function measureSmall(bench: BenchRun): Promise<CaseReport> {
  const { smallFiles, runs: rounds } = bench.options;
  return withFolder(bench.work, 'small', async (folder) => {
    const tree = join(folder, 'exports');
    mkdirSync(tree);
    const paths = makeSmallClips(tree, FOLDERS, smallFiles, FILE_BYTES);
    const sides = [
      { label: 'agent', kind: 'agent', run: () => runAgent(bench, folder, tree) },
      ...foldersSides(bench).map((side) => ({
        label: side.tool.name === 'curl' ? `curl ${side.tool.version} -Z, 4 at a time` : sideLabel(side),
        kind: side.isTuned ? `bare ${side.tool.name}` : side.tool.name,
        run: () => runTool(bench, side, tree, paths),
      })),
    ];
    const runs = new Map<string, { readonly kind: string; readonly results: SmallRun[] }>();
    for (let round = 1; round <= rounds; round += 1) {
      for (const { label, kind, run } of sides) {
        bench.say(`${smallFiles} clips, run ${round}: ${label}`);
        await bench.store.clear();
        const entry = runs.get(label) ?? { kind, results: [] };
        entry.results.push(await run());
        runs.set(label, entry);
      }
    }
    return report(smallFiles, runs);
  });
}

/** The sides for folders; rclone also without its look-ups. */
const foldersSides = ({ tools, options, store }: BenchRun): readonly ToolSide[] =>
  toolSides(tools, options.withTuned, store).filter(
    ({ tool, isTuned }) => !isTuned || tool.name === 'rclone',
  );

const sideLabel = ({ tool, label, isTuned }: ToolSide): string =>
  tool.name === 'rclone'
    ? `rclone ${tool.version}, ${isTuned ? '16 transfers, no look-ups' : '4 transfers'}`
    : label;

async function runTool(
  bench: BenchRun,
  side: ToolSide,
  tree: string,
  paths: readonly string[],
): Promise<SmallRun> {
  const { store, work } = bench;
  const backend = await store.openBackend();
  const listFile = join(work, 'curl-list');
  if (side.tool.name === 'curl') {
    const lines: string[] = [];
    for (const path of paths) {
      const url = await backend.signPut(`tree/${relative(tree, path)}`);
      lines.push(`upload-file = "${path}"\nurl = "${url}"\noutput = "/dev/null"\n`);
    }
    writeFileSync(listFile, lines.join(''));
  }
  const cost = await timeCommand(folderLine(side, store, tree, listFile), sideEnvironment(work, store, side));
  const stored = await backend.objects();
  await backend.stop();
  if (stored.length !== paths.length)
    throw new Error(`${side.label} stored ${stored.length} of ${paths.length}`);
  return { ...cost, seconds: cost.seconds - side.tool.startSeconds };
}

async function runAgent(bench: BenchRun, folder: string, tree: string): Promise<SmallRun> {
  const sent = await runInTwo(bench, folder, tree);
  await bench.store.clear();
  return { ...sent, wholeSeconds: await runWhole(bench, folder, tree) };
}

/** Moves folders into a watched one, like exports that are complete immediately. */
async function runWhole(bench: BenchRun, folder: string, tree: string): Promise<number> {
  return withFolder(folder, 'whole', async (home) => {
    const service = await startService(bench.store);
    const root = join(home, 'watched');
    // A separate first clip, which shows that the program is running
    mkdirSync(join(root, 'first'), { recursive: true });
    writeFileSync(join(root, 'first', clipName(1)), 'one small clip');
    const names = Array.from({ length: FOLDERS }, (_unused, index) => folderName(index + 1));
    const { baseUrl, apiKey } = service.simulator;
    const agent = startAgent({ home, root, baseUrl, apiKey });
    try {
      await agent.until((lines) => incidentsListed(lines) === 1, 'the first record', PHASE_LIMIT_MS);
      for (const name of names) renameSync(join(tree, name), join(root, name));
      const startedAt = performance.now();
      await agent.until((lines) => incidentsListed(lines) === FOLDERS + 1, 'the last record', PHASE_LIMIT_MS);
      const seconds = (performance.now() - startedAt) / 1000 - SETTLE_SECONDS;
      const stored = await service.simulator.objects();
      if (stored.length !== bench.options.smallFiles + 1)
        throw new Error(`The agent stored ${stored.length} of ${bench.options.smallFiles}`);
      for (const name of names) renameSync(join(root, name), join(tree, name));
      return seconds;
    } finally {
      await agent.stop();
      await service.stop();
    }
  });
}

/** First the agent takes in everything while the key is refused; then a second start sends it. */
async function runInTwo(bench: BenchRun, folder: string, tree: string): Promise<SmallRun> {
  const { store, options } = bench;
  return withFolder(folder, 'agent', async (home) => {
    const service = await startService(store);
    const { baseUrl, apiKey } = service.simulator;
    const settings = { home, root: tree, baseUrl, apiKey };
    service.refuseKey();
    const intakeAt = performance.now();
    let intakeSeconds = 0;
    const first = startAgent(settings);
    try {
      await first.until((lines) => clipsFound(lines) === options.smallFiles, 'the intake', PHASE_LIMIT_MS);
      intakeSeconds = (performance.now() - intakeAt) / 1000;
    } finally {
      await first.stop();
    }
    await untilAllDue(join(home, 'data'));
    service.acceptKey();
    let start: { readonly at: number; readonly cpu: number } | undefined;
    service.onFirstUpload(() => (start = { at: performance.now(), cpu: cpuSeconds(second.pid) }));
    const startedAt = performance.now();
    const second = startAgent({ ...settings, profileFolder: options.profileFolder });
    try {
      await second.until((lines) => incidentsListed(lines) === FOLDERS, 'the last record', PHASE_LIMIT_MS);
      const endedAt = performance.now();
      const cpu = cpuSeconds(second.pid);
      const stored = await service.simulator.objects();
      if (stored.length !== options.smallFiles || start === undefined)
        throw new Error(`The agent stored ${stored.length} of ${options.smallFiles}`);
      return {
        seconds: (endedAt - start.at) / 1000,
        cpuSeconds: cpu - start.cpu,
        peakMib: peakMib(second.pid),
        intakeSeconds,
        fromStartSeconds: (endedAt - startedAt) / 1000,
      };
    } finally {
      await second.stop();
      await service.stop();
    }
  });
}

/**
 * Jobs that met the refused key wait up to half a minute, even across a restart: the measurement starts when none waits
 * any more.
 */
async function untilAllDue(dataDir: string): Promise<void> {
  const { db, close } = openQueue(dataDir);
  const lastDueAt = db
    .prepare<[], number | null>("SELECT max(due_at) FROM jobs WHERE state = 'waiting'")
    .pluck();
  const waitMs = (lastDueAt.get() ?? 0) - Date.now();
  close();
  if (waitMs > 0) await sleep(waitMs);
}

const clipsFound = (lines: readonly AgentLine[]): number =>
  lines.reduce((sum, line) => sum + (line.event === 'incident.found' ? (line.clips ?? 0) : 0), 0);

/** Number of incidents whose record says that nothing is waiting. */
function incidentsListed(lines: readonly AgentLine[]): number {
  const listed = lines.filter(({ event, pending }) => event === 'incident.synced' && pending === 0);
  return new Set(listed.map(({ incidentId }) => incidentId)).size;
}

type Runs = ReadonlyMap<string, { readonly kind: string; readonly results: readonly SmallRun[] }>;

function report(files: number, runs: Runs): CaseReport {
  const rate = (run: SmallRun): number => files / run.seconds;
  const rows = [...runs].map(([label, { results }]) => [
    label,
    spread(results.map(rate)),
    spread(
      results.map((run) => (run.cpuSeconds * 1000) / files),
      2,
    ),
    spread(results.map((run) => run.peakMib)),
  ]);
  const of = (kind: string) => [...runs.values()].find((entry) => entry.kind === kind)?.results;
  const agent = of('agent') ?? [];
  const verdicts: Verdict[] = [];
  for (const { kind, least } of RCLONE_GOALS) {
    const other = of(kind);
    if (other === undefined) continue;
    const ratio = median(agent.map(rate)) / median(other.map(rate));
    verdicts.push({
      text: `files/s ${ratio.toFixed(2)} x that of ${kind} (at least ${least})`,
      isReached: ratio >= least,
    });
  }
  const taken = median(agent.map((run) => run.wholeSeconds ?? 0));
  verdicts.push({
    text: `from the folders being complete to the last record ${taken.toFixed(1)} s, settling not counted (at most ${MOST_WHOLE_SECONDS})`,
    isReached: taken <= MOST_WHOLE_SECONDS,
  });
  const intake = median(agent.map((run) => run.intakeSeconds ?? 0)).toFixed(1);
  const whole = median(agent.map((run) => run.fromStartSeconds ?? 0)).toFixed(1);
  const text = `intake ${intake} s before; from the second start to the last record ${whole} s (stated only)`;
  return {
    name: 'small',
    title: `${files} clips of 100 KiB in ${FOLDERS} incidents, durable queue on`,
    columns: ['side', 'files/s', 'CPU ms a file', 'peak MiB'],
    rows,
    verdicts: [...verdicts, { text, isReached: true }],
    figures: [...runs].map(([label, { results }]) => ({ label, runs: results })),
  };
}
