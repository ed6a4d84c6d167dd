/**
 * Runs input that others may write through everything that reads it: `npm run fuzz`. Each target runs for the given
 * minutes; failures are printed as small as possible, with their seed. Once fixed, each belongs in a regression test.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { fileTargets } from './file-targets.ts';
import type { FuzzTarget } from './target.ts';
import { exchanges } from './exchange-target.ts';
import { wireTargets } from './wire-targets.ts';

const targets: readonly FuzzTarget[] = [...fileTargets, ...wireTargets, exchanges];
const DEFAULT_MINUTES = '10';
const LARGEST_SEED = 2 ** 31 - 1;

const usage = `npm run fuzz -- [--minutes N] [--seed S] [--only TARGET]

  --minutes N   for each target (default ${DEFAULT_MINUTES})
  --seed S      of the inputs (default: drawn, and printed)
  --only        one of ${targets.map(({ name }) => name).join(', ')}`;

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        minutes: { type: 'string', default: DEFAULT_MINUTES },
        seed: { type: 'string', default: String(randomInt(LARGEST_SEED)) },
        only: { type: 'string' },
      },
    });
    const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
    const chosen = targets.filter(({ name }) => values.only === undefined || name === values.only);
    return minutes > 0 && Number.isSafeInteger(seed) && chosen.length > 0
      ? { minutes, seed, chosen }
      : undefined;
  } catch {
    return undefined;
  }
}

const options = readOptions();
if (options === undefined) {
  console.error(usage);
  process.exitCode = 2;
} else {
  const { minutes, seed, chosen } = options;
  console.log(`seed ${seed}, ${minutes} minutes for each of ${chosen.length} targets`);
  let failed = 0;
  for (const target of chosen) {
    const { runs, failure } = await target.run(seed, minutes * 60_000);
    if (failure !== undefined) failed += 1;
    console.log(
      `${failure === undefined ? 'ok    ' : 'FAILED'} ${target.name}: ${target.what}, ${runs} inputs`,
    );
    if (failure !== undefined) console.log(failure);
  }
  console.log(`${chosen.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
