import { appendFileSync, mkdirSync, openSync, readFileSync, writeSync, closeSync } from 'node:fs';
import { createHash, randomFillSync } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { DATABASE_FILE } from '../../electron/agent/store/open-db.ts';
import { idsOf } from '../helpers/bench-files.ts';
import { checkInvariants } from '../helpers/invariants.ts';
import { startSimulator, type Simulator } from '../simulator/index.ts';
import { startAgent, workPlace, type AgentProcess, type ProcessEnd } from './agent-process.ts';
import { createDice, type Dice } from './dice.ts';
import { growingMoments, type KillMoment, type Life } from './kill-moment.ts';
import { PART_BYTES } from './source-tree.ts';
import { writeConfig } from './write-config.ts';

const KEY = 'canary-5b1f7d20-torture-key';
/** Simulates a recorder at 4 MB/s, which writes a piece at a time. */
const PIECE_BYTES = 200_000;
const PIECE_MS = 50;
/** Share of recordings in which bytes are overwritten at the end. */
const PATCHED_SHARE = 0.4;
const SETTLE_SECONDS = 1;
/** Shortest and longest life, milliseconds: from before the first request to after a whole recording. */
const LIFE_MS = [1_500, 9_000] as const;
/** Every third kill comes at a named point of an upload, in turn, or after this many milliseconds. */
const NAMED_EVERY = 3;
const NAMED_LIFE_MS = 60_000;
/** Share of the other lives that end while the program starts. */
const CUT_SHARE = 0.2;
/** Share of the other lives that end after a part was sent, however long that takes on a busy machine. */
const PART_SHARE = 0.5;
/**
 * The last run is given up when no further clip was completed for this long, milliseconds: its length depends on how
 * many clips are left for it and on what else the machine does.
 */
const NO_PROGRESS_MS = 15 * 60_000;
const PROGRESS_LOOK_MS = 1_000;

interface Recording {
  readonly folder: string;
  readonly name: string;
  readonly sha256: string;
}

/** A recorder that writes one clip after the other, each in a folder of its own, until it is stopped. */
function startRecorder(root: string, dice: Dice) {
  const ended: Recording[] = [];
  const stopping = new AbortController();
  async function record(number: number): Promise<void> {
    const [folder, name] = [`Gate ${number}`, 'recording.ts'];
    const path = join(root, folder, name);
    const sizeBytes = dice.between(6 * PART_BYTES, 9 * PART_BYTES);
    mkdirSync(join(root, folder));
    for (let done = 0; done < sizeBytes; done += PIECE_BYTES) {
      appendFileSync(path, randomFillSync(Buffer.alloc(PIECE_BYTES, 0xff), 1));
      await sleep(PIECE_MS);
    }
    if (dice.chance(PATCHED_SHARE)) {
      const file = openSync(path, 'r+');
      writeSync(file, Buffer.from([dice.between(0, 255)]), 0, 1, dice.between(0, sizeBytes - 1));
      closeSync(file);
    }
    ended.push({ folder, name, sha256: createHash('sha256').update(readFileSync(path)).digest('hex') });
  }
  async function run(): Promise<void> {
    for (let number = 1; !stopping.signal.aborted; number += 1) await record(number);
  }
  const running = run();
  return {
    /** Finishes the last recording. */
    async stop(): Promise<readonly Recording[]> {
      stopping.abort();
      await running;
      return ended;
    },
  };
}

/** The length of most lives counts from the program's first event or part: on a busy machine that takes a while. */
async function live(agent: AgentProcess, { requests }: Simulator, dice: Dice): Promise<void> {
  const untilMs = performance.now() + NAMED_LIFE_MS;
  const partCount = (): number => requests.of('putPart').length;
  const before = partCount();
  const isCut = dice.chance(CUT_SHARE);
  const hasBegun = dice.chance(PART_SHARE) ? () => partCount() > before : () => agent.said('"event":');
  while (!isCut && !hasBegun() && performance.now() < untilMs) await sleep(PIECE_MS);
  await sleep(dice.between(...LIFE_MS));
}

/** Waits for a named point of an upload, for about as long as a recording takes. */
async function isReached(
  moment: KillMoment,
  life: Pick<Life, 'simulator' | 'agent' | 'dice'>,
): Promise<boolean> {
  const ending = new AbortController();
  const armed = moment.arm({ ...life, usualStartMs: 0, signal: ending.signal });
  const late = sleep(NAMED_LIFE_MS, false, { ref: false });
  const isInTime = await Promise.race([armed.reached.then(() => true), late]);
  ending.abort();
  return isInTime;
}

/** Resolves when no further clip was completed for a long time. */
async function standsStill({ requests }: Simulator, signal: AbortSignal): Promise<undefined> {
  let completed = -1;
  let sinceMs = performance.now();
  while (!signal.aborted && performance.now() - sinceMs < NO_PROGRESS_MS) {
    const clips = requests
      .of('completeMultipartUpload', { status: 200 })
      .map(({ fileId, key }) => fileId ?? key);
    const now = new Set(clips).size;
    if (now > completed) [completed, sinceMs] = [now, performance.now()];
    await sleep(PROGRESS_LOOK_MS, undefined, { ref: false });
  }
  return undefined;
}

/** The results of a run with growing files. */
export interface GrowingReport {
  readonly recordings: number;
  /** Those with parts that were sent while they were written. */
  readonly sentAhead: number;
  /** Kills at a named point of an upload. */
  readonly named: number;
  readonly violations: readonly string[];
}

/** Kills the agent again and again while a recorder writes, and checks what must hold once everything is settled. */
export async function tortureGrowing(run: {
  readonly folder: string;
  readonly program: string;
  readonly kills: number;
  readonly seed: number;
}): Promise<GrowingReport> {
  const dice = createDice(run.seed);
  const place = workPlace(run.folder, run.program);
  for (const folder of [place.watchDir, place.logDir]) mkdirSync(folder, { recursive: true });
  const simulator = await startSimulator({ apiKey: KEY });
  try {
    writeConfig(place, simulator.baseUrl, KEY, { settleSeconds: SETTLE_SECONDS, whileWriting: 'auto' });
    const recorder = startRecorder(place.watchDir, dice);
    let reached = 0;
    for (let kill = 0; kill < run.kills; kill += 1) {
      const moment =
        kill % NAMED_EVERY === 0 ? growingMoments[(kill / NAMED_EVERY) % growingMoments.length] : undefined;
      const agent = startAgent(place);
      if (moment === undefined) await live(agent, simulator, dice);
      else if (await isReached(moment, { simulator, agent, dice })) reached += 1;
      await agent.kill();
      simulator.faults.clear();
    }
    const recordings = await recorder.stop();
    const last = startAgent(place, ['--once']);
    const ending = new AbortController();
    const end = await Promise.race([last.ended, standsStill(simulator, ending.signal)]);
    ending.abort();
    if (end === undefined) await last.kill();
    const sources = [];
    for (const { folder, name, sha256 } of recordings) {
      const ids = await idsOf({ dataDir: place.dataDir, root: place.watchDir, folder, path: name });
      sources.push({ ...ids, name: folder, sha256, expected: 'uploaded' as const });
    }
    const violations = [
      ...endProblem(end),
      ...(await checkInvariants({ simulator, sources, kills: run.kills })),
    ];
    return {
      recordings: recordings.length,
      sentAhead: countAhead(place.dataDir),
      named: reached,
      violations,
    };
  } finally {
    await simulator.stop();
  }
}

function endProblem(end: ProcessEnd | undefined): readonly string[] {
  if (end === undefined)
    return [`the last run completed no clip more for ${NO_PROGRESS_MS / 60_000} minutes`];
  return end.code === 0 ? [] : [`the last run ended with ${end.code ?? end.signal}`];
}

function countAhead(dataDir: string): number {
  const db = new Database(join(dataDir, DATABASE_FILE), { readonly: true });
  try {
    return db.prepare<[], number>("SELECT count(*) FROM history WHERE kind = 'ahead'").pluck().get() ?? 0;
  } finally {
    db.close();
  }
}
