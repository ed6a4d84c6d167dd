import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { nodeStep, runStep } from '../../../scripts/run-step.ts';
import { makeBrokenBuild } from '../../torture/broken-builds.ts';
import type { ContractBreak } from './breaks/contract-break.ts';
import { contractBreaks, noticedBy, unproven } from './breaks/contract-breaks.ts';
import { collectRules } from './collect-rules.ts';

/** Time limit for the tests of one break, milliseconds; a test whose agent never settles ends sooner. */
const BREAK_LIMIT_MS = 120_000;
/** Files and folders that the tests need besides the product. */
const NEEDED = [
  'vitest.config.ts',
  'tsconfig.json',
  'scripts',
  'test/contract',
  'test/fixtures',
  'test/helpers',
  'test/integration/folders',
  'test/simulator',
  'test/torture',
];
const projectDir = fileURLToPath(new URL('../../..', import.meta.url));
/** Not through the launcher, which would check the packages of the copy. */
const vitest = join(projectDir, 'node_modules', 'vitest', 'vitest.mjs');

const reportSchema = z.object({
  testResults: z.array(
    z.object({ assertionResults: z.array(z.object({ title: z.string(), status: z.string() })) }),
  ),
});

/** Whether the tests noticed the break, stayed green, or could not run. */
type Verdict =
  | { readonly kind: 'seen' }
  | { readonly kind: 'green'; readonly titles: readonly string[] }
  | { readonly kind: 'not run'; readonly why: string };

/**
 * Breaks copies of the product, one mistake each, and expects the tests of the named rules to go red. `only`: breaks
 * whose file, text or rules contain it. Returns how many were noticed and how many were not.
 */
export async function proveRules(only = ''): Promise<{ readonly seen: number; readonly missed: number }> {
  const chosen = contractBreaks.filter((each) => JSON.stringify(each).includes(only));
  const titles = collectRules().map(({ title }) => title);
  const named = [...new Set(chosen.flatMap((each) => noticedBy(each, titles)))];
  const whole = await tryBreak({ file: '', find: '', replace: '', rules: [] }, named);
  if (whole.kind !== 'green' || whole.titles.length < named.length)
    throw new Error(`The unbroken copy does not pass: ${JSON.stringify(whole)}`);
  let missed = 0;
  for (const each of chosen) {
    const verdict = await tryBreak(each, noticedBy(each, titles));
    if (verdict.kind !== 'seen') missed += 1;
    console.log(`${verdict.kind === 'seen' ? 'ok    ' : 'FAILED'} ${each.file}: ${oneLine(each)}`);
    if (verdict.kind === 'green') for (const title of verdict.titles) console.log(`         green: ${title}`);
    if (verdict.kind === 'not run') console.log(`         ${verdict.why}`);
  }
  console.log(`\n${chosen.length - missed} of ${chosen.length} breaks seen`);
  const never = unproven(titles);
  console.log(`${never.length} rules without a break${never.length === 0 ? '' : ':'}`);
  for (const title of never) console.log(`  ${title}`);
  return { seen: chosen.length - missed, missed };
}

const oneLine = ({ find, replace }: ContractBreak): string =>
  `${find} -> ${replace === '' ? '(nothing)' : replace}`.replaceAll(/\s+/g, ' ').slice(0, 150);

async function tryBreak(broken: ContractBreak, titles: readonly string[]): Promise<Verdict> {
  const folder = mkdtempSync(join(tmpdir(), 'vms-contract-'));
  try {
    const edits = broken.file === '' ? [] : [broken];
    const name = `for ${broken.rules.join(', ')}`;
    makeBrokenBuild({ name, mistake: '', expected: [], kills: 0, edits }, folder);
    for (const path of NEEDED) cpSync(join(projectDir, path), join(folder, path), { recursive: true });
    return await runTests(folder, titles);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runTests(folder: string, titles: readonly string[]): Promise<Verdict> {
  const report = join(folder, 'report.json');
  const wanted = new Set(titles);
  const files = collectRules().flatMap(({ title, file }) => (wanted.has(title) ? [file] : []));
  const pattern = titles.map((title) => title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const step = nodeStep(
    'vitest',
    vitest,
    'run',
    ...new Set(files.map((file) => `test/contract/service/${file}`)),
    ...['--root', folder, '--reporter=json', `--outputFile=${report}`, '-t', pattern],
  );
  const end = await runStep(step, { quiet: true, limitMs: BREAK_LIMIT_MS });
  if (!existsSync(report)) return { kind: 'not run', why: `${end.ending} ${end.output.slice(-500)}` };
  const { testResults } = reportSchema.parse(JSON.parse(readFileSync(report, 'utf8')));
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  const stands = new Map(results.map(({ title, status }) => [title, status]));
  const lost = titles.find((title) => !stands.has(title));
  if (lost !== undefined) return { kind: 'not run', why: `"${lost}" did not run: ${end.output.slice(-500)}` };
  const green = titles.filter((title) => stands.get(title) === 'passed');
  return green.length === 0 ? { kind: 'seen' } : { kind: 'green', titles: green };
}
