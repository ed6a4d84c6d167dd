/** Runs a desk's day in minutes: `npm run soak`. Ends with `N passed, N failed`. */
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyBuild } from '../torture/broken-builds.ts';
import { figures, trendOf, type Figure } from './measure.ts';
import { runSoak } from './run-soak.ts';

const DEFAULT_MINUTES = '24';
const EXIT_STOPPED = 130;
const names: readonly Figure[] = ['memoryMib', 'handles', 'logMib'];
const usage = `npm run soak -- [--minutes N] [--seed S] [--keep]

  --minutes N   how long the day takes (default ${DEFAULT_MINUTES}: an hour a minute)
  --seed S      of arrivals and files (default: drawn, and printed)
  --keep        keeps the work folder of a run that passed`;

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        minutes: { type: 'string', default: DEFAULT_MINUTES },
        seed: { type: 'string', default: String(randomInt(2 ** 31 - 1)) },
        keep: { type: 'boolean', default: false },
      },
    });
    const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
    return minutes > 0 && Number.isSafeInteger(seed) ? { minutes, seed, keep: values.keep } : undefined;
  } catch {
    return undefined;
  }
}

async function soak({ minutes, seed, keep }: NonNullable<ReturnType<typeof readOptions>>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'vms-soak-'));
  console.log(`seed ${seed}, a day in ${minutes} minutes`);
  const program = await copyBuild(join(folder, 'build'));
  const report = await runSoak(folder, program, { minutes, seed, say: console.log });
  const { findings, objects, samples, kills, outages, clips } = report;
  console.log(
    `${clips} clips, ${outages} outages, ${kills} kills, ${samples.length} samples of the last life`,
  );
  let failed = 0;
  for (const name of names) {
    const { first, last, most, slopePerHour, isFlat } = trendOf(samples, name);
    if (!isFlat) failed += 1;
    const text = `${first.toFixed(1)} at first, ${last.toFixed(1)} at last, ${most.toFixed(1)} at most, slope ${slopePerHour.toFixed(1)} an hour`;
    console.log(`${isFlat ? 'ok    ' : 'FAILED'} ${figures[name].name}: ${text}`);
  }
  if (objects !== undefined)
    console.log(
      `${objects.objects} objects, ${objects.listed} listed, ${objects.doubles} that no incident lists`,
    );
  for (const { invariant, text } of findings.all()) console.log(`FAILED ${invariant} ${text}`);
  if (findings.all().length > 0) failed += 1;
  if (failed > 0 || keep) console.log(`The work folder was kept: ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
  console.log(`${names.length + 1 - failed} passed, ${failed} failed`);
  return failed;
}

// Otherwise the agent that is running at that moment would outlive the driver.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(EXIT_STOPPED));

const options = readOptions();
if (options === undefined) {
  console.error(usage);
  process.exitCode = 2;
} else process.exitCode = (await soak(options)) === 0 ? 0 : 1;
