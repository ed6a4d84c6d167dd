import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { faults, inputs, rowsIn, type MatrixRow } from '../../test/faults/matrix-rows.ts';
import { visibleName } from '../../shared/lib/visible-name.ts';

/** Where the newest result of each row is stored, so that the page can be generated without running everything. */
export const resultsFile = 'test/faults/results.json';

/** A test that ran or was skipped. */
export interface TestRun {
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'skipped';
}

const rowResult = z.object({
  /** Date of the run. */
  at: z.string(),
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  /** Names of some of the tests, without their numbers. */
  tests: z.array(z.string()),
});
const resultsSchema = z.record(z.string(), rowResult);

/** The newest result of each row, by its ID. */
export type FaultResults = z.infer<typeof resultsSchema>;

export function readResults(): FaultResults {
  return existsSync(resultsFile) ? resultsSchema.parse(JSON.parse(readFileSync(resultsFile, 'utf8'))) : {};
}

const vitestReport = z.object({
  testResults: z.array(
    z.object({ assertionResults: z.array(z.object({ title: z.string(), status: z.string() })) }),
  ),
});

/** Tests of the matrix in a vitest report. Tests excluded by a filter count as skipped there. */
export function runsOfVitest(report: unknown): readonly TestRun[] {
  const parsed = vitestReport.safeParse(report);
  const tests = parsed.success ? parsed.data.testResults.flatMap((file) => file.assertionResults) : [];
  return tests.flatMap(({ title, status }): readonly TestRun[] => {
    if (rowsIn(title).length === 0) return [];
    if (status === 'passed' || status === 'failed') return [{ name: title, state: status }];
    return status === 'pending' || status === 'skipped' ? [{ name: title, state: 'skipped' }] : [];
  });
}

interface Suite {
  readonly suites?: readonly Suite[] | undefined;
  readonly specs: readonly { readonly title: string; readonly ok: boolean }[];
}
const suite: z.ZodType<Suite> = z.lazy(() =>
  z.object({
    suites: z.array(suite).optional(),
    specs: z.array(z.object({ title: z.string(), ok: z.boolean() })),
  }),
);

/** Tests of the matrix in a Playwright report. */
export function runsOfPlaywright(report: unknown): readonly TestRun[] {
  const parsed = z.object({ suites: z.array(suite) }).safeParse(report);
  const specsOf = ({ specs, suites = [] }: Suite): Suite['specs'] => [...specs, ...suites.flatMap(specsOf)];
  const specs = parsed.success ? parsed.data.suites.flatMap(specsOf) : [];
  return specs
    .filter(({ title }) => rowsIn(title).length > 0)
    .map(({ title, ok }) => ({ name: title, state: ok ? 'passed' : 'failed' }));
}

/** Limit of tests named in a row of the page; the others are only counted. */
const MOST_NAMED = 3;
const NUMBERS = /(?:(?:fault \d+|input [A-H]\d+|checklist \d+),? ?)+:? ?/;

/** Updates the rows that ran; the others keep their result. Tests that were only filtered out change nothing. */
export function mergeRuns(before: FaultResults, runs: readonly TestRun[], now: Date): FaultResults {
  const results: FaultResults = {};
  for (const { id } of [...faults, ...inputs]) {
    const mine = runs.filter(({ name }) => rowsIn(name).includes(id));
    const ran = mine.filter(({ state }) => state !== 'skipped');
    const known = before[id];
    if (ran.length === 0 && known !== undefined) results[id] = known;
    if (mine.length === 0 || (ran.length === 0 && known !== undefined)) continue;
    const count = (state: TestRun['state']): number => mine.filter((run) => run.state === state).length;
    const names = new Set((ran.length > 0 ? ran : mine).map(({ name }) => name.replace(NUMBERS, '')));
    results[id] = {
      at: now.toISOString().slice(0, 10),
      passed: count('passed'),
      failed: count('failed'),
      skipped: ran.length > 0 ? 0 : count('skipped'),
      tests: [...names].toSorted((one, other) => one.length - other.length).slice(0, MOST_NAMED),
    };
  }
  return results;
}

export const reliabilityFile = 'docs/reliability.md';

/** Generates the page from the newest result of each row. Only the description of each row is written by hand. */
export function reliabilityPage(results: FaultResults): string {
  return `# Reliability

The faults and bad inputs that the agent was tested with, and the results. Each row has tests whose names begin with its number; \`npm test\` runs most of them, \`npm run test:long\` and \`npm run faults\` the long ones, and \`npm run faults -- --all\` all of them. Both tables are generated from the newest result of each row.

Whatever goes wrong, nothing is lost or sent twice, no clip fails because of a fault elsewhere, and one message says what to do. A fixture replaces what this system cannot do, such as the file locks of Windows; the test's name says so.

\`npm run torture\` kills the agent ([torture.md](torture.md)), \`npm run soak\` simulates a day in 24 minutes with arrivals, outages and kills, \`npm run fuzz\` tries damaged files, names, answers, settings and messages, ten minutes each.

## Faults

<!-- generated by \`npm run faults\` -->

${table('fault', faults, results)}

## Bad inputs

<!-- generated by \`npm run faults\` -->

${table('input', inputs, results)}
`;
}

function table(kind: string, rows: readonly MatrixRow[], results: FaultResults): string {
  const lines = rows.map(({ id, words }) => {
    const result = results[id];
    const cells = [
      id.slice(kind.length + 1),
      words,
      ...(result === undefined ? ['', 'not run yet', ''] : said(result)),
    ];
    return `| ${cells.map(cellOf).join(' | ')} |`;
  });
  return [
    `| ${kind} | what goes wrong | what was tested and passed | result | when |`,
    '| - | - | - | - | - |',
    ...lines,
  ].join('\n');
}

function said({ tests, passed, failed, skipped, at }: FaultResults[string]): readonly string[] {
  const count = passed + failed + skipped;
  const more = count > tests.length ? `; and ${count - tests.length} more` : '';
  const outcome = failed > 0 ? `FAILED: ${failed} of ${count}` : passed > 0 ? `${passed} passed` : 'skipped';
  return [`${tests.join('; ')}${more}`, outcome, at];
}

/** Escapes test names, which contain Markdown characters. */
const cellOf = (text: string): string =>
  visibleName(text)
    .replaceAll(/[\\`*_{}[\]<>#|~$]/g, (character) => `\\${character}`)
    .slice(0, 400);
