import { parseArgs } from 'node:util';

/** The options of one torture run. */
export interface TortureOptions {
  readonly kills: number;
  /** Seed of files, faults and kill moments. It does not reproduce what the operating system does in between. */
  readonly seed: number;
  /** The simulated store's answer to a complete that it has already carried out. */
  readonly complete: 'same-answer' | 'no-such-upload';
  /** Name of a broken build to run instead of the product. */
  readonly breakName: string | undefined;
  /** Files grow while the agent is killed, and are sent while they grow. */
  readonly growing: boolean;
  /** Runs every broken build and expects each to be caught. */
  readonly prove: boolean;
  /** Also keeps the work folder of a run that passed. */
  readonly keep: boolean;
}

/** Number of kills when none is given. */
const DEFAULT_KILLS = 30;
const LARGEST_SEED = 2 ** 31;

export const usage = `npm run torture -- [options]

  --kills N     how often the agent is killed (default ${DEFAULT_KILLS})
  --seed S      seed of files, faults and kill moments (default: drawn, and printed)
  --complete same-answer|no-such-upload
                what storage answers to a repeated complete (default same-answer)
  --growing     kills it while a recorder writes clips that are sent meanwhile
  --prove       runs every deliberately broken build and expects each to be caught
  --break NAME  runs one broken build as if it were the product
  --keep        keeps the work folder of a run that passed`;

/** The options, or undefined when the arguments are invalid. */
export function readOptions(words: readonly string[], draw: () => number): TortureOptions | undefined {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        kills: { type: 'string', default: String(DEFAULT_KILLS) },
        seed: { type: 'string', default: String(Math.floor(draw() * LARGEST_SEED)) },
        complete: { type: 'string', default: 'same-answer' },
        break: { type: 'string' },
        growing: { type: 'boolean', default: false },
        prove: { type: 'boolean', default: false },
        keep: { type: 'boolean', default: false },
      },
    });
    const [kills, seed] = [Number(values.kills), Number(values.seed)];
    const { complete, growing, prove, keep } = values;
    if (!Number.isSafeInteger(kills) || kills < 1 || !Number.isSafeInteger(seed)) return undefined;
    if (complete !== 'same-answer' && complete !== 'no-such-upload') return undefined;
    return { kills, seed, complete, breakName: values.break, growing, prove, keep };
  } catch {
    return undefined;
  }
}
