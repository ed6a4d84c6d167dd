import { parseArgs } from 'node:util';

export const caseNames = ['large', 'small', 'queue', 'limit', 'loop', 'picture', 'growing'] as const;
export type CaseName = (typeof caseNames)[number];

/** The cases to measure, and their sizes. */
export interface BenchOptions {
  readonly cases: readonly CaseName[];
  readonly runs: number;
  /** Number of runs of the bandwidth limit, ten seconds each. */
  readonly limitRuns: number;
  readonly store: 'sink' | 'swift';
  readonly etags: 'opaque' | 'md5';
  readonly withTls: boolean;
  readonly largeMib: readonly number[];
  /** Size of the clip that is sent while the queue is long, MiB. */
  readonly loopMib: number;
  /** Size of the clips that are sent while they are written, megabytes. */
  readonly growingMb: number;
  readonly smallFiles: number;
  readonly queuedClips: number;
  /** How long the idle agent is observed, seconds. */
  readonly idleSeconds: number;
  /** Also runs rclone and awscli with the agent's part size. */
  readonly withTuned: boolean;
  /** Runs only the agent: for profiles and for comparing two versions of it. */
  readonly isAlone: boolean;
  /** When the agent hashes a large clip; undefined: its default. */
  readonly hashing: 'auto' | 'always' | 'never' | undefined;
  readonly jsonFile: string | undefined;
  readonly profileFolder: string | undefined;
  readonly workFolder: string;
}

export const usage = `npm run bench -- [--quick] [--only CASE] [--runs N] [--store sink|swift]
                 [--etags opaque|md5] [--tls] [--mib N,N] [--alone] [--hashing auto|always|never]
                 [--json FILE] [--profile DIR] [--work DIR]

  --quick     256 MiB, 200 clips, 10,000 queued rows: under two minutes
  --only      large, small, queue, limit, loop or picture; or growing, which runs on its own only: clips are sent while
              ffmpeg writes them, a quarter of an hour
  --runs      runs of each side, interleaved; the median counts (default 3)
  --store     what all sides upload to: a process that reads and discards, or OpenStack Swift from Debian's packages
  --etags     of the discarding store: made up, or the MD5 of what came
  --tls       all sides send to the discarding store over TLS, and trust its certificate authority
  --mib       sizes of the large clips, MiB (default 2048,8192)
  --alone     only the agent, without the tools it is compared with
  --hashing   evidence.hashAtIntake of the agent that sends a large clip
  --json      also write every run to FILE
  --profile   processor profiles of the agent's threads go to DIR; they cost some speed
  --work      folder on a local disk with room for the large clips (default /var/tmp)`;

/** Reads the command line; throws with a message for people. */
export function parseBenchArguments(args: readonly string[]): BenchOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      runs: { type: 'string', default: '3' },
      store: { type: 'string', default: 'sink' },
      etags: { type: 'string', default: 'opaque' },
      tls: { type: 'boolean', default: false },
      mib: { type: 'string' },
      alone: { type: 'boolean', default: false },
      hashing: { type: 'string' },
      json: { type: 'string' },
      profile: { type: 'string' },
      work: { type: 'string', default: '/var/tmp' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const { quick } = values;
  const runs = wholeNumber('runs', values.runs, 99);
  const only = values.only === undefined ? undefined : oneOf('only', values.only, caseNames);
  const store = oneOf('store', values.store, ['sink', 'swift'] as const);
  const defaultMib = quick ? '256' : store === 'swift' ? '2048' : '2048,8192';
  return {
    cases: only === undefined ? casesOf(store) : [only],
    runs,
    limitRuns: quick ? 1 : runs,
    store,
    etags: oneOf('etags', values.etags, ['opaque', 'md5'] as const),
    withTls: values.tls && store === 'sink',
    largeMib: (values.mib ?? defaultMib).split(',').map((text) => wholeNumber('mib', text, 1024 * 1024)),
    loopMib: quick ? 256 : 2048,
    growingMb: quick ? 300 : 1000,
    smallFiles: quick ? 200 : 2000,
    queuedClips: quick ? 10_000 : 100_000,
    idleSeconds: quick ? 5 : 20,
    withTuned: !quick,
    isAlone: values.alone,
    hashing:
      values.hashing === undefined
        ? undefined
        : oneOf('hashing', values.hashing, ['auto', 'always', 'never'] as const),
    jsonFile: values.json,
    profileFolder: values.profile,
    workFolder: values.work,
  };
}

/**
 * Swift is for measuring how bytes are moved; it has no part in the queue, and cannot report the rate of incoming
 * bytes.
 */
function casesOf(store: BenchOptions['store']): readonly CaseName[] {
  return store === 'swift' ? ['large', 'small'] : caseNames.filter((name) => name !== 'growing');
}

function oneOf<const T extends string>(name: string, text: string, choices: readonly T[]): T {
  const choice = choices.find((one) => one === text);
  if (choice === undefined) throw new Error(`--${name} takes one of ${choices.join(', ')}, not "${text}".`);
  return choice;
}

function wholeNumber(name: string, text: string, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new Error(`--${name} takes whole numbers from 1 to ${most}, not "${text}".`);
}
