/** Format, lint, types, dead code, supply and layers: `npm run check`, before each commit. */
import { nodeStep, programStep, runSteps, type Step } from './run-step.ts';

/** Catches a check that hangs: the slowest takes a minute on an old machine. */
const CHECK_LIMIT_MS = 10 * 60_000;

// The type checker is written in Go: collecting garbage only at 3 GiB takes a third less time than the default, and no
// more memory
process.env['GOGC'] ??= 'off';
process.env['GOMEMLIMIT'] ??= '3GiB';

/** The checks that `npm test` runs too; the slowest first, as two run side by side. */
export const staticChecks: readonly Step[] = [
  // Also reports compiler errors: the type-aware rules need the same programs anyway
  programStep(
    'lint',
    'oxlint',
    '--type-aware',
    '--type-check',
    '--deny-warnings',
    '--report-unused-disable-directives',
  ),
  programStep('format', 'oxfmt', '--check'),
  programStep('dead code', 'knip', '--no-progress'),
  nodeStep('supply', 'scripts/check-supply.ts'),
];

/** The import rules; part of the tests, but fast enough for each commit. */
const layers = programStep('layers', 'vitest', 'run', '--reporter=dot', 'test/architecture');

if (import.meta.main) {
  const ends = await runSteps([...staticChecks, layers], { limitMs: CHECK_LIMIT_MS, shown: 'failed ones' });
  const failed = ends.filter(({ ok }) => !ok).map(({ name }) => name);
  console.log(failed.length === 0 ? 'All checks passed.' : `Checks failed: ${failed.join(', ')}.`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}
