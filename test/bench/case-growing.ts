import { mkdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { sha256Of } from '../helpers/bench-files.ts';
import { eventually } from '../helpers/eventually.ts';
import { startSimulator, type Simulator } from '../simulator/index.ts';
import { startAgent, type AgentLine, type BenchAgent } from './bench-agent.ts';
import { withFolder, type BenchRun, type CaseReport, type Verdict } from './bench-run.ts';
import { makeSeed, startRecorder, type Recording, type Seed } from './recorder.ts';

const MB = 1_000_000;
/** Rate of the writer, and of the line where it is limited. */
const BYTES_PER_SECOND = 20 * MB;
const LIMIT_MS = 300_000;
/** The default settle time, and one for a container that does not show that it is closed, seconds. */
const DEFAULT_SETTLE_SECONDS = 30;
const SHORT_SETTLE_SECONDS = 5;
const CLOSED_CLIP_MB = 100;
const MOST_SECONDS = 12;
const MOST_CLOSED_SECONDS = 8;
const MOST_LATER_SECONDS = 2;
const MOST_PARTS_IN_VAIN = 2;
const MOST_LOSS_PERCENT = 5;

/** The results for one clip. */
interface Sent {
  readonly name: string;
  /** From the end of its writer to the record that lists it. */
  readonly seconds: number;
  /** From the end of its writer until it was in the queue. */
  readonly queuedSeconds: number;
  /** Parts whose PUT began before its writer had ended. */
  readonly ahead: number;
  /** Parts that were sent and are not in the object. */
  readonly inVain: number;
  readonly isSame: boolean;
}

/** An agent with a folder, and a service that keeps what is uploaded. */
interface Desk {
  readonly root: string;
  readonly simulator: Simulator;
  readonly agent: BenchAgent;
  readonly seed: Seed;
  say(text: string): void;
}

/** Measures sending clips while they are written: how soon they are complete, and what it costs. */
export async function measureGrowing(bench: BenchRun): Promise<CaseReport> {
  return withFolder(bench.work, 'growing', async (folder) => {
    const openDesk = deskIn(bench, folder, await makeSeed(folder));
    const size = bench.options.growingMb * MB;
    const grown: Sent[] = [];
    for (const container of ['mp4', 'mkv', 'avi', 'ts']) {
      const settleSeconds = container === 'ts' ? SHORT_SETTLE_SECONDS : DEFAULT_SETTLE_SECONDS;
      grown.push(
        ...(await openDesk({ settleSeconds }, (desk) => recordAll(desk, [`grown.${container}`], size))),
      );
    }
    const moved = { options: ['-movflags', '+faststart'] };
    const names = [1, 2, 3].map((number) => `faststart-${number}.mp4`);
    const before = await openDesk({ whileWriting: 'off' }, (desk) =>
      recordAll(desk, ['faststart-off.mp4'], size * 0.3, moved),
    );
    const faststart = await openDesk({}, (desk) => recordAll(desk, names, size * 0.3, moved));
    const endings = ['mp4', 'mkv', 'avi', 'asf'].map((container) => `closed.${container}`);
    const closed = await openDesk({ maxBytesPerSecond: null }, (desk) =>
      recordAll(desk, endings, CLOSED_CLIP_MB * MB),
    );
    const alone = await openDesk({}, (desk) => sendSettled(desk, folder, size, false));
    const beside = await openDesk({}, (desk) => sendSettled(desk, folder, size, true));
    const all = [...grown, ...before, ...faststart, ...closed];
    const settled = [
      ['settled, alone', '', alone.toFixed(1), '', ''],
      ['settled, beside one that grows', '', beside.toFixed(1), '', ''],
    ];
    return {
      name: 'growing',
      title: `Clips of ${bench.options.growingMb} MB written at 20 MB/s, to a line of 20 MB/s`,
      columns: [
        'clip',
        'queued, s after its writer ended',
        'complete, s',
        'parts sent before',
        'parts in vain',
      ],
      rows: [...all.map(rowOf), ...settled],
      verdicts: [
        ...grown.flatMap(grownVerdicts),
        ...faststartVerdicts(before, faststart),
        ...closed.map((sent) => secondsVerdict(sent, MOST_CLOSED_SECONDS)),
        lossVerdict((1 - alone / beside) * 100),
        { text: 'all stored bytes are those of the files', isReached: all.every(({ isSame }) => isSame) },
      ],
      figures: { all, alone, beside },
    };
  });
}

const rowOf = ({ name, seconds, queuedSeconds, ahead, inVain }: Sent): readonly string[] => [
  name,
  queuedSeconds.toFixed(1),
  seconds.toFixed(1),
  `${ahead}`,
  `${inVain}`,
];

function secondsVerdict({ name, seconds }: Sent, most: number): Verdict {
  return {
    text: `${name}: complete after ${seconds.toFixed(1)} s (at most ${most.toFixed(1)})`,
    isReached: seconds <= most,
  };
}

function grownVerdicts(sent: Sent): readonly Verdict[] {
  const { name, inVain } = sent;
  const text = `${name}: ${inVain} parts in vain (at most ${MOST_PARTS_IN_VAIN})`;
  return [secondsVerdict(sent, MOST_SECONDS), { text, isReached: inVain <= MOST_PARTS_IN_VAIN }];
}

function faststartVerdicts([before]: readonly Sent[], faststart: readonly Sent[]): readonly Verdict[] {
  const last = faststart.at(-1);
  return [
    ...faststart.map((sent) => secondsVerdict(sent, (before?.seconds ?? 0) + MOST_LATER_SECONDS)),
    { text: `${last?.name}: ${last?.inVain} parts in vain (at most 0)`, isReached: last?.inVain === 0 },
  ];
}

function lossVerdict(percent: number): Verdict {
  const text = `a settled clip loses ${percent.toFixed(1)} % of its speed beside one (at most ${MOST_LOSS_PERCENT} %)`;
  return { text, isReached: percent <= MOST_LOSS_PERCENT };
}

/** Runs a service and an agent for as long as they are used. */
function deskIn({ say }: BenchRun, folder: string, seed: Seed) {
  return <T>(
    options: {
      readonly settleSeconds?: number;
      readonly whileWriting?: 'off' | 'auto';
      readonly maxBytesPerSecond?: number | null;
    },
    use: (desk: Desk) => Promise<T>,
  ): Promise<T> =>
    withFolder(folder, 'desk', async (home) => {
      const { settleSeconds = DEFAULT_SETTLE_SECONDS, ...upload } = options;
      const root = join(home, 'exports');
      mkdirSync(root);
      const simulator = await startSimulator({ folder: join(home, 'stored') });
      const { baseUrl, apiKey } = simulator;
      const agent = startAgent({
        home,
        root,
        baseUrl,
        apiKey,
        settleSeconds,
        upload: { whileWriting: 'auto', maxBytesPerSecond: BYTES_PER_SECOND, ...upload },
      });
      try {
        return await use({ root, simulator, agent, seed, say });
      } finally {
        await agent.stop();
        await simulator.stop();
      }
    });
}

/** Records clips one after the other. */
async function recordAll(
  desk: Desk,
  files: readonly string[],
  sizeBytes: number,
  options: Pick<Recording, 'options'> = {},
): Promise<readonly Sent[]> {
  const all: Sent[] = [];
  for (const file of files) {
    const sent = await record(desk, file, sizeBytes, options);
    desk.say(rowOf(sent).join('  '));
    all.push(sent);
  }
  return all;
}

/** Records a clip in a folder of its own, and waits until its incident is complete. */
async function record(
  desk: Desk,
  file: string,
  sizeBytes: number,
  options: Pick<Recording, 'options'>,
): Promise<Sent> {
  const { root, simulator, agent, seed } = desk;
  const path = join(root, file.replace('.', ' '), file);
  const writing = { path, sizeBytes, bytesPerSecond: BYTES_PER_SECOND, ...options };
  const endedMs = await startRecorder(seed, writing).ended;
  const { uploaded, synced } = await untilComplete(agent, file);
  const isFound = (line: AgentLine): boolean =>
    line.event === 'incident.found' && line.incidentId === uploaded.incidentId;
  const found = agent.lines().find(isFound);
  const { clipId = '', storageKey = '' } = uploaded;
  const puts = simulator.requests.of('putPart', { fileId: clipId });
  const [completed] = simulator.requests.of('completeMultipartUpload', { status: 200, key: storageKey });
  const listed = (completed?.body as { parts?: readonly unknown[] } | undefined)?.parts?.length ?? 0;
  return {
    name: basename(path),
    seconds: (Date.parse(synced.at) - endedMs) / 1000,
    queuedSeconds: (Date.parse(found?.at ?? '') - endedMs) / 1000,
    ahead: puts.filter(({ at }) => at < endedMs).length,
    inVain: puts.length - listed,
    isSame: (await simulator.sha256OfObject(storageKey)) === (await sha256Of(path)),
  };
}

async function untilComplete(agent: BenchAgent, file: string) {
  const find = (lines: readonly AgentLine[]) => {
    const uploaded = lines.find((line) => line.event === 'clip.uploaded' && line.file === file);
    const isSynced = (line: AgentLine): boolean =>
      line.event === 'incident.synced' && line.incidentId === uploaded?.incidentId && line.uploaded === 1;
    const synced = uploaded && lines.find(isSynced);
    return synced && { uploaded, synced };
  };
  await agent.until((lines) => find(lines) !== undefined, `${file} in its record`, LIMIT_MS);
  const found = find(agent.lines());
  if (found === undefined) throw new Error(`${file} is not in its record`);
  return found;
}

/** Seconds from the first to the last byte of a complete clip, sent alone or while another one is being sent. */
async function sendSettled(
  desk: Desk,
  folder: string,
  sizeBytes: number,
  isBeside: boolean,
): Promise<number> {
  const { root, simulator, agent, seed } = desk;
  const file = 'settled.mp4';
  const staged = join(folder, `staged-${isBeside}`, file);
  await startRecorder(seed, { path: staged, sizeBytes }).ended;
  const growing = { path: join(root, 'growing', 'growing.mkv'), bytesPerSecond: BYTES_PER_SECOND };
  const recorder = isBeside ? startRecorder(seed, { ...growing, sizeBytes: 10 * sizeBytes }) : undefined;
  try {
    const hasBegun = (): boolean => simulator.requests.of('putPart').length > 0;
    if (isBeside) await eventually(hasBegun, 'the first part of the clip that grows');
    renameSync(dirname(staged), join(root, 'settled'));
    const { uploaded } = await untilComplete(agent, file);
    const [first] = simulator.requests.of('putPart', { fileId: uploaded.clipId ?? '' });
    return (Date.parse(uploaded.at) - (first?.at ?? Number.NaN)) / 1000;
  } finally {
    recorder?.stop();
  }
}
