import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSimulator, type Simulator } from '../simulator/index.ts';
import {
  startAgent,
  workPlace,
  type AgentProcess,
  type ProcessEnd,
  type WorkPlace,
} from '../torture/agent-process.ts';
import { checkAfterKill } from '../torture/check-after-kill.ts';
import { checkAtEnd, checkSecrets } from '../torture/check-at-end.ts';
import type { ObjectCounts } from '../torture/check-objects.ts';
import { createDice, type Dice } from '../torture/dice.ts';
import { createFindings, type Findings } from '../torture/findings.ts';
import { createJournal, type Journal } from '../torture/journal.ts';
import { createObjectDigests } from '../torture/object-digests.ts';
import { readQueue } from '../torture/queue-snapshot.ts';
import { createSourceTree, type SourceTree } from '../torture/source-tree.ts';
import { CONCURRENT_FILES, CONCURRENT_PARTS, writeConfig } from '../torture/write-config.ts';
import { bringArrivals, HOURS, LAST_KILL_HOUR, outageOf } from './day.ts';
import { takeSample, type Sample } from './measure.ts';

const KEY = 'canary-8c40a9e2-soak-key';
/** Steps of an hour: there are arrivals in each; an outage lasts from the second to the fourth. */
const STEPS = 6;
/** Resource use before the agent is warm does not count, seconds; shorter in a short run. */
const WARM_UP_SECONDS = 60;
/** The last run ends when everything is sent; it is given up after this long without a request, milliseconds. */
const SILENCE_MS = 120_000;
const LAST_RUN_LIMIT_MS = 20 * 60_000;

export interface SoakReport {
  readonly findings: Findings;
  readonly kills: number;
  readonly outages: number;
  readonly clips: number;
  /** Samples of the last life, after its warm-up. */
  readonly samples: readonly Sample[];
  readonly objects: ObjectCounts | undefined;
}

interface Desk {
  readonly place: WorkPlace;
  readonly simulator: Simulator;
  readonly tree: SourceTree;
  readonly dice: Dice;
  readonly findings: Findings;
  readonly journal: Journal;
  agent: AgentProcess;
  samples: Sample[];
  kills: number;
  outages: number;
}

/** Runs a desk's day in this many minutes: arrivals, outages and kills; then one life that is measured. */
export async function runSoak(
  folder: string,
  program: string,
  { minutes, seed, say }: { minutes: number; seed: number; say: (line: string) => void },
): Promise<SoakReport> {
  const desk = await openDesk(folder, program, seed);
  const stepMs = (minutes * 60_000) / HOURS / STEPS;
  try {
    for (let hour = 0; hour < HOURS && desk.findings.all().length === 0; hour += 1) {
      await liveThrough(desk, hour, stepMs, say);
    }
    const samples = afterWarmUp(desk.samples, minutes);
    const objects = await finish(desk);
    const { findings, kills, outages, tree } = desk;
    return { findings, kills, outages, clips: tree.clips().length, samples, objects };
  } finally {
    await desk.agent.kill();
    await desk.simulator.stop();
  }
}

async function openDesk(folder: string, program: string, seed: number): Promise<Desk> {
  const dice = createDice(seed);
  const place = workPlace(folder, program);
  for (const path of [place.logDir, place.dataDir]) mkdirSync(path, { recursive: true });
  const simulator = await startSimulator({ folder: join(folder, 'storage'), apiKey: KEY, seed });
  writeConfig(place, simulator.baseUrl, KEY);
  const findings = createFindings();
  const tree = createSourceTree(place.watchDir, dice);
  const journal = createJournal(findings);
  const agent = startAgent(place);
  return { place, simulator, tree, dice, findings, journal, agent, samples: [], kills: 0, outages: 0 };
}

async function liveThrough(
  desk: Desk,
  hour: number,
  stepMs: number,
  say: (line: string) => void,
): Promise<void> {
  const outage = outageOf(hour);
  let clips = 0;
  for (let step = 0; step < STEPS; step += 1) {
    clips += bringArrivals(desk.tree, desk.dice, hour, step === 0);
    if (outage !== undefined && step === 1) {
      desk.outages += 1;
      for (const rule of outage[1]) desk.simulator.faults.add(rule);
    }
    if (step === 3) desk.simulator.faults.clear();
    if (hour < LAST_KILL_HOUR && step === 4) await killAndStart(desk);
    await sleep(stepMs);
    const sample = takeSample(desk.agent.pid, desk.agent.startedMs, desk.place.dataDir);
    if (sample !== undefined) desk.samples.push(sample);
    else desk.findings.add('I7', 'the agent ended by itself');
  }
  const last = desk.samples.at(-1);
  const trouble = [
    ...(outage === undefined ? [] : [outage[0]]),
    ...(hour < LAST_KILL_HOUR ? ['a kill'] : []),
  ];
  say(
    `${String(hour).padStart(2, '0')}:00  ${clips} clips, ${trouble.join(' and ') || 'quiet'}; ${last?.memoryMib.toFixed(0)} MiB, ${last?.handles} handles, log ${last?.logMib.toFixed(1)} MiB`,
  );
}

async function killAndStart(desk: Desk): Promise<void> {
  const { place, simulator, findings, journal } = desk;
  await desk.agent.kill();
  desk.kills += 1;
  await journal.endLife(simulator);
  const snapshot = readQueue(place.dataDir, join(place.folder, 'scratch'));
  if (snapshot !== undefined) {
    await checkAfterKill(snapshot, simulator, createObjectDigests(simulator), findings);
    journal.acknowledged(snapshot);
  }
  desk.agent = startAgent(place);
  desk.samples = [];
}

function afterWarmUp(samples: readonly Sample[], minutes: number): readonly Sample[] {
  const warmSeconds = Math.min(WARM_UP_SECONDS, minutes * 10);
  return samples.filter(({ atSeconds }) => atSeconds > warmSeconds);
}

/** Lets the agent send the rest, and checks everything as after torture. */
async function finish(desk: Desk): Promise<ObjectCounts | undefined> {
  const { place, simulator, tree, findings, journal } = desk;
  simulator.faults.clear();
  await desk.agent.kill();
  await journal.endLife(simulator);
  desk.agent = startAgent(place, ['--once']);
  const end = await endOrSilence(desk);
  await desk.agent.kill();
  if (end?.code !== 0) findings.add('I1', `the last run ended with ${end?.code ?? 'silence'}`);
  await journal.endLife(simulator);
  const snapshot = readQueue(place.dataDir, join(place.folder, 'scratch'));
  if (snapshot === undefined) {
    findings.add('I7', 'there is no database at the end');
    return undefined;
  }
  const digests = createObjectDigests(simulator);
  checkSecrets([place.logDir, place.dataDir], KEY, findings);
  const kills = desk.kills + 1;
  const parallelParts = CONCURRENT_FILES * CONCURRENT_PARTS;
  return checkAtEnd(
    { simulator, tree, snapshot, journal, digests, kills, parallelParts, mayRepeatUploads: false },
    findings,
  );
}

/** How the last run ended; undefined when it fell silent or took too long. */
async function endOrSilence({ agent, simulator }: Desk): Promise<ProcessEnd | undefined> {
  const startedMs = performance.now();
  let lastMs = startedMs;
  let requests = 0;
  for (;;) {
    const end = await Promise.race([agent.ended, sleep(1_000, undefined, { ref: false })]);
    const nowMs = performance.now();
    const count = simulator.requests.all().length;
    if (count !== requests) [requests, lastMs] = [count, nowMs];
    if (end !== undefined || nowMs - lastMs > SILENCE_MS || nowMs - startedMs > LAST_RUN_LIMIT_MS) return end;
  }
}
