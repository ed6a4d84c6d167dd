import { nodeStep, programStep, runStep, type Step, type StepEnd } from './run-step.ts';

/** The slowest check takes a few seconds on an old machine; this catches one that hangs. */
const CHECK_LIMIT_MS = 3 * 60_000;

/** What `npm test` runs before the tests, in the order of what is quickest to mend. */
export const staticChecks: readonly Step[] = [
  programStep('format', 'prettier', '--check', '--log-level', 'warn', '.'),
  programStep('lint', 'oxlint', '--type-aware', '--deny-warnings', '--report-unused-disable-directives'),
  programStep('types', 'tsc', '-p', '.'),
  programStep('page types', 'tsc', '-p', 'renderer'),
  programStep('e2e types', 'tsc', '-p', 'test/e2e'),
  programStep('dead code', 'knip', '--no-progress'),
  nodeStep('supply', 'scripts/check-supply.ts'),
];

/** The import rules; a part of the tests, and quick enough for each commit. */
export const layersCheck: Step = programStep(
  'layers',
  'vitest',
  'run',
  '--reporter=dot',
  'test/architecture',
);

/** Runs the checks one after another, a line each, and shows the output of those that fail. */
export async function runChecks(checks: readonly Step[]): Promise<readonly StepEnd[]> {
  const ends: StepEnd[] = [];
  for (const check of checks) {
    const end = await runStep(check, { quiet: true, limitMs: CHECK_LIMIT_MS });
    ends.push(end);
    console.log(
      `${end.ok ? 'ok    ' : 'FAILED'} ${end.name.padEnd(10)} ${end.seconds.toFixed(1).padStart(5)} s`,
    );
    if (!end.ok) console.log(`${end.output.trimEnd()}\n${end.name} ended with ${end.ending}`);
  }
  return ends;
}
