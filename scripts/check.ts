/** Format, lint, types, dead code, supply and layers: `npm run check`, before each commit. */
import { nodeStep, programStep, runSteps, type Step } from './run-step.ts';

/** The slowest check takes a minute on an old machine; this catches one that hangs. */
const CHECK_LIMIT_MS = 10 * 60_000;

// The type checker is written in Go: collecting at 3 GiB only takes a third less time than by its own rule, and no more memory
process.env['GOGC'] ??= 'off';
process.env['GOMEMLIMIT'] ??= '3GiB';

/** What `npm test` runs beside the tests; the slowest first, as two run side by side. */
export const staticChecks: readonly Step[] = [
  // The compiler's own errors too, from the programs that rules with types need anyway
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

/** The import rules; a part of the tests, and quick enough for each commit. */
const layers = programStep('layers', 'vitest', 'run', '--reporter=dot', 'test/architecture');

if (import.meta.main) {
  const ends = await runSteps([...staticChecks, layers], { limitMs: CHECK_LIMIT_MS, shown: 'failed ones' });
  const failed = ends.filter(({ ok }) => !ok).map(({ name }) => name);
  console.log(failed.length === 0 ? 'All checks passed.' : `Checks failed: ${failed.join(', ')}.`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}
