import { setTimeout as sleep } from 'node:timers/promises';
import type { Call, FaultRule, Hold, LoggedRequest, Simulator } from '../simulator/index.ts';
import type { AgentProcess } from './agent-process.ts';
import type { Dice } from './dice.ts';

/** The work that must be there for a moment to occur. */
export type Need = 'huge-clip' | 'large-clip' | 'new-folder' | 'any-clip';

/** The moment at which a life ends. `reached` resolves when it has come; `release` lets go of what it holds. */
export interface KillMoment {
  readonly name: string;
  readonly need: Need;
  arm(life: Life): ArmedMoment;
}

export interface ArmedMoment {
  readonly reached: Promise<void>;
  release(): void;
}

/** Everything that a moment can look at. The request log has only this life's requests. */
export interface Life {
  readonly simulator: Simulator;
  readonly agent: AgentProcess;
  readonly dice: Dice;
  /** Usual time from start to the first request, milliseconds. */
  readonly usualStartMs: number;
  readonly signal: AbortSignal;
}

/** Pause between two checks of the log, milliseconds: short enough to land between an answer and its commit. */
const LOOK_MS = 1;
/** Random kills come within this time after the first request, milliseconds. */
const RANDOM_FROM_MS = 50;
const RANDOM_TO_MS = 250;
/** Occasionally a life is longer, so that its later steps are hit too. */
const LONG_LIFE_MS = 900;
const LONG_LIFE_SHARE = 0.15;
/** Longest time between the awaited event and the kill, milliseconds: in it the agent reads, computes and commits. */
const NEAR_MS = 8;

async function until(life: Life, isSo: () => boolean): Promise<void> {
  while (!isSo() && !life.signal.aborted) await sleep(LOOK_MS);
}

function answered(life: Life, call: Call, count = 1): boolean {
  const { requests } = life.simulator;
  return requests.of(call, { status: 200 }).filter((entry) => entry.endedAt !== undefined).length >= count;
}

/** Ends the life when the log shows something, or up to a few milliseconds later. */
function whenSeen(name: string, need: Need, isSo: (life: Life) => boolean): KillMoment {
  return {
    name,
    need,
    arm: (life) => ({
      reached: until(life, () => isSo(life)).then(() => sleep(life.dice.share() * NEAR_MS)),
      release: () => undefined,
    }),
  };
}

/** Ends the life while a request is held before or after its effect, so that its answer never comes. */
function whileHeld(
  name: string,
  need: Need,
  call: Exclude<Call, 'unknown'>,
  when: 'before' | 'after',
  fits: (request: LoggedRequest) => boolean = () => true,
): KillMoment {
  return {
    name,
    need,
    arm(life) {
      let hold: Hold | undefined;
      const wait = async (): Promise<void> => {
        for (;;) {
          if (when === 'before') life.simulator.faults.add(withoutEffect(call));
          hold = life.simulator.faults.hold({ call }, when);
          const request = await hold.arrived;
          if (fits(request)) return sleep(life.dice.share() * NEAR_MS);
          hold.release();
          // The request must be past the gates before the next one is added, or it is held there forever.
          await sleep(LOOK_MS);
        }
      };
      return { reached: wait(), release: () => hold?.release() };
    },
  };
}

/** Without this, a request that has arrived would take effect even though its sender is dead by then. */
function withoutEffect(call: Exclude<Call, 'unknown'>): FaultRule {
  return { id: 'held', match: { call }, times: 1, action: { kind: 'drop', when: 'before' } };
}

function listsClips({ body }: LoggedRequest): boolean {
  const record = body as { vms_incident?: { uploaded_videos?: readonly unknown[] } } | undefined;
  return (record?.vms_incident?.uploaded_videos?.length ?? 0) > 0;
}

/** Points of an upload that is sent while its file is written, and of its end. */
export const growingMoments: readonly KillMoment[] = [
  whileHeld('multipart opened, not answered', 'any-clip', 'createMultipartUpload', 'after'),
  whileHeld('URLs given, not answered', 'any-clip', 'getUploadUrls', 'after'),
  whileHeld('part on its way', 'any-clip', 'putPart', 'before'),
  whileHeld('part stored, not answered', 'any-clip', 'putPart', 'after'),
  whenSeen('file just queued, with its parts', 'any-clip', ({ agent }) =>
    agent.said('"event":"incident.found"'),
  ),
  whileHeld('complete asked for, not carried out', 'any-clip', 'completeMultipartUpload', 'before'),
  whileHeld('complete carried out, not answered', 'any-clip', 'completeMultipartUpload', 'after'),
  whileHeld('incident told, not answered', 'any-clip', 'putIncident', 'after', listsClips),
];

/** Two of three kills: some time after the first request. */
export const randomMoment: KillMoment = {
  name: 'at a random time',
  need: 'any-clip',
  arm(life) {
    const { dice, simulator } = life;
    const mostMs = dice.chance(LONG_LIFE_SHARE) ? LONG_LIFE_MS : RANDOM_TO_MS;
    const waitMs = dice.between(RANDOM_FROM_MS, mostMs);
    const reached = until(life, () => simulator.requests.all().length > 0).then(() => sleep(waitMs));
    return { reached, release: () => undefined };
  },
};

/** The first milliseconds: the database is opened, leases are freed, the folders are scanned. */
const duringStart: KillMoment = {
  name: 'while it starts and scans',
  need: 'any-clip',
  arm: (life) => ({
    reached: sleep(life.usualStartMs * (0.4 + 0.6 * life.dice.share())),
    release: () => undefined,
  }),
};

/** The capacity of a line of 100 Mbit/s, bytes per second. */
const LINE_BYTES_PER_SECOND = 12_500_000;

/**
 * A clip of more than 100 MB takes seconds on such a line, and is killed in the middle of its parts again and again.
 */
const whileHugeIsOnTheLine: KillMoment = {
  name: 'a clip of more than 100 MB on the line',
  need: 'huge-clip',
  arm(life) {
    const { simulator, dice } = life;
    const action = { kind: 'trickle', bytesPerSecond: LINE_BYTES_PER_SECOND / 4 } as const;
    simulator.faults.add({ id: 'line', match: { call: 'putPart' }, action });
    const parts = dice.between(1, 6);
    const reached = until(life, () => simulator.requests.of('putPart').length >= parts);
    return { reached: reached.then(() => sleep(dice.between(0, 400))), release: () => undefined };
  },
};

/** One of three kills: at a named point. */
export const namedMoments: readonly KillMoment[] = [
  duringStart,
  whenSeen('export just stored', 'new-folder', ({ agent }) => agent.said('"event":"incident.found"')),
  whileHeld('first look at the incident not answered', 'new-folder', 'getIncident', 'after'),
  whileHeld('multipart opened, not answered', 'large-clip', 'createMultipartUpload', 'after'),
  whileHugeIsOnTheLine,
  whenSeen('2nd part acknowledged', 'large-clip', (life) => answered(life, 'putPart', 2)),
  whileHeld('complete asked for, not carried out', 'large-clip', 'completeMultipartUpload', 'before'),
  whileHeld('complete carried out, not answered', 'large-clip', 'completeMultipartUpload', 'after'),
  whenSeen('complete answered', 'large-clip', (life) => answered(life, 'completeMultipartUpload')),
  whenSeen('clip in one piece stored', 'any-clip', (life) => answered(life, 'putObject')),
  whileHeld('last clip stored, incident not told', 'any-clip', 'putIncident', 'before', listsClips),
  whileHeld('incident told, not answered', 'any-clip', 'putIncident', 'after', listsClips),
];
