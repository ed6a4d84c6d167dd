/**
 * Runs the real agent against a service or storage that misbehaves in many ways for a long time, and expects that no
 * clip fails and that everything is sent within a minute after it ends. Each misbehaviour has its own agent, service
 * and folders.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { drawMisbehaviour, knownMisbehaviours, type Misbehaviour } from '../helpers/misbehaviours.ts';
import { startSimulator, type Simulator } from '../simulator/index.ts';
import { startAgent, workPlace, type WorkPlace } from './agent-process.ts';
import { createDice } from './dice.ts';
import { createSourceTree, PART_BYTES } from './source-tree.ts';

const API_KEY = 'key-of-a-bad-time';
/** Interval at which clips arrive meanwhile, milliseconds. */
const ARRIVAL_MS = 20_000;
/** Longest time from the end until everything is sent, milliseconds. */
const SENT_WITHIN_MS = 60_000;
const LOOK_MS = 250;
/**
 * Delay between the starts of parallel runs, milliseconds: if all ended together, it would be the machine that is slow.
 */
const APART_MS = 40_000;
const MINUTE_MS = 60_000;

const usage = `npm run bad-times -- [options]

  --minutes N   how long each misbehaviour lasts (default 30)
  --kinds N     how many kinds: those known to have failed clips, then drawn ones (default 16)
  --at-once N   how many run side by side (default 4)
  --seed S      seed of the drawn ones (default 1)`;

interface Outcome {
  readonly what: string;
  readonly clips: number;
  readonly failed: number;
  /** Undefined if not sent in time. */
  readonly sentAfterMs: number | undefined;
}

const program = new URL('../../electron/headless.ts', import.meta.url).pathname;

function prepare(folder: string, simulator: Simulator): WorkPlace {
  const place = workPlace(folder, program);
  mkdirSync(place.logDir, { recursive: true });
  writeFileSync(join(folder, 'key.txt'), `${API_KEY}\n`, { mode: 0o600 });
  const config = {
    baseUrl: simulator.baseUrl,
    apiKeyFile: 'key.txt',
    watch: [{ path: place.watchDir, settleSeconds: 0.5, timeZone: 'UTC' }],
    upload: { multipartThresholdBytes: PART_BYTES, partSizeBytes: PART_BYTES },
  };
  writeFileSync(place.configFile, JSON.stringify(config));
  return place;
}

const uploadedIn = (simulator: Simulator): number =>
  [...simulator.incidents().values()].reduce((sum, { uploaded_videos: videos }) => sum + videos.length, 0);

/** Failed videos in any record that was ever written. */
const failedIn = (simulator: Simulator): number =>
  [...simulator.incidents().values()]
    .flatMap(({ id }) => simulator.putHistory(id))
    .reduce((sum, { written }) => sum + written.failed_videos.length, 0);

async function passOne({ what, rules }: Misbehaviour, lastsMs: number, folder: string): Promise<Outcome> {
  const simulator = await startSimulator({ apiKey: API_KEY, folder: join(folder, 'storage') });
  const place = prepare(folder, simulator);
  const tree = createSourceTree(place.watchDir, createDice(1));
  tree.addLarge(tree.addFolder(3));
  tree.addFolder(2);
  for (const rule of rules) simulator.faults.add(rule);
  const agent = startAgent(place);
  try {
    const endMs = performance.now() + lastsMs;
    while (performance.now() < endMs) {
      await sleep(Math.min(ARRIVAL_MS, Math.max(0, endMs - performance.now())));
      tree.addFolder(1);
    }
    simulator.faults.clear();
    const clearedMs = performance.now();
    const clips = tree.clips().length;
    let sentAfterMs: number | undefined;
    while (sentAfterMs === undefined && performance.now() - clearedMs < SENT_WITHIN_MS) {
      await sleep(LOOK_MS);
      if (uploadedIn(simulator) === clips) sentAfterMs = performance.now() - clearedMs;
    }
    const failed = failedIn(simulator) + (agent.said('"event":"clip.failed"') ? 1 : 0);
    return { what, clips, failed, sentAfterMs };
  } finally {
    await agent.kill();
    await simulator.stop();
  }
}

async function run(kinds: readonly Misbehaviour[], lastsMs: number, atOnce: number): Promise<boolean> {
  const waiting = kinds.values();
  let isGood = true;
  const worker = async (index: number): Promise<void> => {
    await sleep(index * APART_MS);
    for (const kind of waiting) {
      const folder = mkdtempSync(join(tmpdir(), 'vms-bad-times-'));
      const { what, clips, failed, sentAfterMs } = await passOne(kind, lastsMs, folder);
      const isOk = failed === 0 && sentAfterMs !== undefined;
      isGood &&= isOk;
      const sent =
        sentAfterMs === undefined ? 'NOT SENT in time' : `sent after ${(sentAfterMs / 1000).toFixed(1)} s`;
      console.log(`${isOk ? 'ok    ' : 'FAILED'} ${clips} clips, ${failed} failed, ${sent}: ${what}`);
      if (isOk) rmSync(folder, { recursive: true, force: true });
      else console.log(`       The work folder was kept: ${folder}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, index) => worker(index)));
  return isGood;
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    kinds: { type: 'string', default: '16' },
    'at-once': { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
  },
});
const [minutes, count, atOnce, seed] = [values.minutes, values.kinds, values['at-once'], values.seed].map(
  Number,
);
if (!minutes || !count || !atOnce || seed === undefined || !Number.isSafeInteger(seed)) {
  console.error(usage);
  process.exitCode = 2;
} else {
  const drawn = Array.from({ length: Math.max(0, count - knownMisbehaviours.length) }, (_, index) =>
    drawMisbehaviour(seed + index),
  );
  const kinds = [...knownMisbehaviours, ...drawn].slice(0, count);
  process.exitCode = (await run(kinds, minutes * MINUTE_MS, atOnce)) ? 0 : 1;
}
