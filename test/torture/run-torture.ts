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
} from './agent-process.ts';
import { checkAfterKill } from './check-after-kill.ts';
import { checkAtEnd, checkSecrets } from './check-at-end.ts';
import type { ObjectCounts } from './check-objects.ts';
import { createDice, type Dice } from './dice.ts';
import { switchFaults } from './fault-mix.ts';
import { createFindings, type Findings } from './findings.ts';
import { createJournal, type Journal } from './journal.ts';
import { tortureMigrations, type MigrationKills } from './migrations.ts';
import { namedMoments, randomMoment, type KillMoment } from './kill-moment.ts';
import { createObjectDigests, type ObjectDigests } from './object-digests.ts';
import { readQueue, type QueueSnapshot } from './queue-snapshot.ts';
import { createSourceTree, type SourceTree } from './source-tree.ts';
import { changeOneClip, supplyWork } from './supply-work.ts';
import { CONCURRENT_FILES, CONCURRENT_PARTS, writeConfig } from './write-config.ts';

const CANARY_KEY = 'canary-5b1f7d20-torture-key';
/** Every third kill comes at a named point, in turn: thirty kills reach all of them. */
const NAMED_EVERY = 3;
/** Share of lives without faults: with one call in five failing, the later points of an upload are seldom reached. */
const CALM_SHARE = 0.4;
/** Longest life after its usual start, milliseconds: the awaited moment may not come in this one. */
const LIFE_LIMIT_MS = 4000;
/**
 * A start may take this many times the usual one: otherwise lives on a busy machine would end before their first
 * request.
 */
const SLOWEST_START = 3;

export interface TortureRun {
  readonly folder: string;
  readonly program: string;
  readonly kills: number;
  readonly seed: number;
  readonly complete: 'same-answer' | 'no-such-upload';
  /** A clip is changed in every round whose number is a multiple of this. */
  readonly changeEvery: number;
  /** No new kill after this many milliseconds. */
  readonly limitMs: number;
  /** Longest time for the last run, milliseconds: it ends on its own, after the backoffs that the kills left behind. */
  readonly lastRunLimitMs: number;
}

export interface TortureReport {
  readonly findings: Findings;
  readonly kills: number;
  readonly seconds: number;
  readonly killSeconds: number;
  readonly moments: ReadonlyMap<string, number>;
  /** Kills after the first request of the life, and kills while a request was open. */
  readonly inWork: number;
  readonly withOpenRequest: number;
  readonly usualStartMs: number;
  readonly changes: number;
  readonly tree: SourceTree;
  readonly journal: Journal;
  readonly objects: ObjectCounts | undefined;
  readonly migrations: MigrationKills;
}

interface Stage {
  readonly run: TortureRun;
  readonly dice: Dice;
  readonly place: WorkPlace;
  readonly simulator: Simulator;
  readonly tree: SourceTree;
  readonly findings: Findings;
  readonly journal: Journal;
  readonly digests: ObjectDigests;
  readonly moments: Map<string, number>;
  readonly startTimesMs: number[];
  inWork: number;
  withOpenRequest: number;
  changes: number;
  snapshot: QueueSnapshot | undefined;
}

/** Kills the agent again and again while it works, lets it finish, and checks the result. */
export async function runTorture(run: TortureRun): Promise<TortureReport> {
  const startedMs = performance.now();
  const stage = await openStage(run);
  let kills = 0;
  let objects: ObjectCounts | undefined;
  try {
    while (
      kills < run.kills &&
      stage.findings.all().length === 0 &&
      performance.now() - startedMs < run.limitMs
    ) {
      kills += 1;
      await liveAndDie(stage, kills);
    }
    const killSeconds = (performance.now() - startedMs) / 1000;
    const migrations = await tortureMigrations(
      run,
      { baseUrl: stage.simulator.baseUrl, key: CANARY_KEY },
      stage.dice,
      stage.findings,
    );
    if (stage.findings.all().length === 0) objects = await finish(stage, kills);
    checkSecrets([stage.place.logDir, stage.place.dataDir], CANARY_KEY, stage.findings);
    const { findings, moments, inWork, withOpenRequest, changes, tree, journal } = stage;
    const seconds = (performance.now() - startedMs) / 1000;
    const usualStartMs = usualStart(stage);
    return {
      findings,
      kills,
      seconds,
      killSeconds,
      moments,
      inWork,
      withOpenRequest,
      usualStartMs,
      changes,
      tree,
      journal,
      objects,
      migrations,
    };
  } finally {
    await stage.simulator.stop();
  }
}

async function openStage(run: TortureRun): Promise<Stage> {
  const dice = createDice(run.seed);
  const place = workPlace(run.folder, run.program);
  for (const folder of [place.logDir, place.dataDir]) mkdirSync(folder, { recursive: true });
  const simulator = await startSimulator({
    folder: join(run.folder, 'storage'),
    apiKey: CANARY_KEY,
    repeatedComplete: run.complete,
    singleKeys: 'per-request',
    seed: run.seed,
  });
  writeConfig(place, simulator.baseUrl, CANARY_KEY);
  const findings = createFindings();
  return {
    run,
    dice,
    place,
    simulator,
    tree: createSourceTree(place.watchDir, dice),
    findings,
    journal: createJournal(findings),
    digests: createObjectDigests(simulator),
    moments: new Map(),
    startTimesMs: [],
    inWork: 0,
    withOpenRequest: 0,
    changes: 0,
    snapshot: undefined,
  };
}

async function liveAndDie(stage: Stage, round: number): Promise<void> {
  const { dice, simulator, journal, findings, place, run } = stage;
  const moment = momentOf(round);
  supplyWork(stage, moment.need, round / run.kills);
  switchFaults(simulator.faults, !dice.chance(CALM_SHARE));
  const change = round % run.changeEvery === 0 ? dice.between(0, usualStart(stage) * 2) : undefined;
  const agent = startAgent(place);
  const changing = change === undefined ? undefined : changeLater(stage, change);
  const reached = await waitFor(stage, moment, agent);
  const isBusy = simulator.requests.all().some((request) => request.endedAt === undefined);
  await agent.kill();
  await changing;
  const name = reached ? moment.name : 'the moment did not come';
  stage.moments.set(name, (stage.moments.get(name) ?? 0) + 1);
  simulator.faults.clear();
  if (simulator.requests.all().length > 0) stage.inWork += 1;
  await journal.endLife(simulator);
  if (isBusy) stage.withOpenRequest += 1;
  stage.snapshot = readQueue(place.dataDir, join(place.folder, 'scratch'));
  if (stage.snapshot === undefined) return;
  await checkAfterKill(stage.snapshot, simulator, stage.digests, findings);
  journal.acknowledged(stage.snapshot);
}

function momentOf(round: number): KillMoment {
  if (round % NAMED_EVERY !== 0) return randomMoment;
  return namedMoments[(round / NAMED_EVERY - 1) % namedMoments.length] ?? randomMoment;
}

async function changeLater(stage: Stage, delayMs: number): Promise<void> {
  await sleep(delayMs);
  if (changeOneClip(stage)) stage.changes += 1;
}

/** Waits for the moment; returns false when it did not come in this life. */
async function waitFor(stage: Stage, moment: KillMoment, agent: AgentProcess): Promise<boolean> {
  const stop = new AbortController();
  const { simulator, dice, findings } = stage;
  const armed = moment.arm({ simulator, agent, dice, usualStartMs: usualStart(stage), signal: stop.signal });
  void noteStart(stage, agent, stop.signal);
  const reached = await Promise.race([
    armed.reached.then(() => true),
    sleep(SLOWEST_START * usualStart(stage) + LIFE_LIMIT_MS, false, { ref: false }),
    agent.ended.then(({ code, signal }) => {
      if (!stop.signal.aborted) findings.add('I7', `the agent ended by itself with ${signal ?? code}`);
      return true;
    }),
  ]);
  stop.abort();
  // A held request is released by the death of its sender; the gate itself is removed with the faults.
  return reached;
}

async function noteStart(stage: Stage, agent: AgentProcess, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && stage.simulator.requests.all().length === 0) await sleep(2);
  if (!signal.aborted) stage.startTimesMs.push(performance.now() - agent.startedMs);
}

const START_GUESS_MS = 600;

function usualStart({ startTimesMs }: Stage): number {
  const recent = startTimesMs.slice(-21).toSorted((a, b) => a - b);
  return recent[Math.floor(recent.length / 2)] ?? START_GUESS_MS;
}

/** 14 means clips that were changed between their scan and their upload (`changeOneClip`), and nothing else. */
function endedWell({ code }: ProcessEnd, agent: AgentProcess): boolean {
  if (code === 0) return true;
  const onlyAltered = /"failed":0,.*"held":0,"paused":0,"unrecognised":0,"altered":[1-9]/;
  return code === 14 && agent.said(onlyAltered);
}

/** The last run is left alone, without faults, until it ends on its own. */
async function finish(stage: Stage, kills: number): Promise<ObjectCounts | undefined> {
  const { place, simulator, findings, journal, tree, digests, run } = stage;
  simulator.faults.clear();
  const agent = startAgent(place, ['--once']);
  const late = sleep(run.lastRunLimitMs, undefined, { ref: false });
  const end = await Promise.race([agent.ended, late]);
  if (end === undefined) {
    await agent.kill();
    findings.add('I1', `the last run was not done after ${run.lastRunLimitMs / 1000} s`);
  } else if (!endedWell(end, agent)) findings.add('I1', `the last run ended with ${end.signal ?? end.code}`);
  await journal.endLife(simulator);
  const snapshot = readQueue(place.dataDir, join(place.folder, 'scratch'));
  if (snapshot === undefined) {
    findings.add('I7', 'there is no database at the end');
    return undefined;
  }
  await checkAfterKill(snapshot, simulator, digests, findings);
  const parallelParts = CONCURRENT_FILES * CONCURRENT_PARTS;
  const mayRepeatUploads = run.complete === 'no-such-upload';
  return checkAtEnd(
    { simulator, tree, snapshot, journal, digests, kills, parallelParts, mayRepeatUploads },
    findings,
  );
}
