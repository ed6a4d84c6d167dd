import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { nodeStep, runStep } from '../../../scripts/run-step.ts';
import type { DesktopBreak } from './desktop-break.ts';
import { desktopBreaks } from './desktop-breaks.ts';

/** Longest time for a build or for the specs of one break, milliseconds. */
const STEP_LIMIT_MS = 240_000;
const projectDir = resolve('.');

interface Spec {
  readonly title: string;
  readonly ok: boolean;
}

const specSchema = z.object({ title: z.string(), ok: z.boolean() });
interface Suite {
  readonly specs?: readonly Spec[] | undefined;
  readonly suites?: readonly Suite[] | undefined;
}
const suiteSchema: z.ZodType<Suite> = z.lazy(() =>
  z.object({ specs: z.array(specSchema).optional(), suites: z.array(suiteSchema).optional() }),
);
const reportSchema = z.object({ suites: z.array(suiteSchema) });

/**
 * Breaks a copy of the product, one mistake at a time, rebuilds it, and expects the named specs on the double to fail,
 * or the named tests without a browser.
 * The argument: breaks whose file, text, spec or titles contain it.
 */
async function proveDesktop(only: string): Promise<boolean> {
  const chosen = desktopBreaks.filter((each) => JSON.stringify(each).includes(only));
  const folder = copyProject();
  try {
    await build(folder, 'shared/');
    await expectGreen(folder, chosen);
    let missed = 0;
    for (const each of chosen) {
      const green = await greenTitles(folder, each);
      if (green.length > 0) missed += 1;
      console.log(`${green.length === 0 ? 'ok    ' : 'FAILED'} ${each.file}: ${oneLine(each)}`);
      for (const title of green) console.log(`         green: ${title}`);
    }
    console.log(`\n${chosen.length - missed} of ${chosen.length} breaks seen`);
    return missed === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const oneLine = ({ find, replace }: DesktopBreak): string =>
  `${find} -> ${replace === '' ? '(nothing)' : replace}`.replaceAll(/\s+/g, ' ').slice(0, 150);

/** Copies the files that git lists, in their current state, with the packages of the original. */
function copyProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'desktop-breaks-'));
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  for (const file of files.split('\0').filter((name) => name !== '')) cpSync(file, join(folder, file));
  symlinkSync(join(projectDir, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}

/** The specs of each file must pass before anything is broken; a title that does not exist is a mistake in the list. */
async function expectGreen(folder: string, breaks: readonly DesktopBreak[]): Promise<void> {
  for (const spec of new Set(breaks.map((each) => each.spec))) {
    const titles = breaks.filter((each) => each.spec === spec).flatMap((each) => each.titles);
    const results = await runSpecs(folder, spec, titles);
    const red = titles.filter((part) => !fitting(results, part).every(({ ok }) => ok));
    if (red.length > 0) throw new Error(`Not green in the unbroken copy: ${spec}: ${red.join(' | ')}`);
  }
}

async function greenTitles(folder: string, broken: DesktopBreak): Promise<readonly string[]> {
  const path = join(folder, broken.file);
  const whole = readFileSync(path, 'utf8');
  const parts = whole.split(broken.find);
  if (parts.length !== 2)
    throw new Error(`${broken.file} has ${parts.length - 1} times, not once: ${broken.find}`);
  const isBuilt = !needsNoBrowser(broken.spec);
  writeFileSync(path, parts.join(broken.replace));
  if (isBuilt) await build(folder, broken.file);
  const results = await runSpecs(folder, broken.spec, broken.titles);
  writeFileSync(path, whole);
  if (isBuilt) await build(folder, broken.file);
  return broken.titles
    .flatMap((part) => fitting(results, part))
    .filter(({ ok }) => ok)
    .map(({ title }) => title);
}

/** Specs whose title contains the part; a part that matches nothing is a mistake in the list. */
function fitting(results: readonly Spec[], part: string): readonly Spec[] {
  const found = results.filter(({ title }) => title.includes(part));
  if (found.length === 0) throw new Error(`No spec that ran has "${part}" in its title`);
  return found;
}

/** Builds the parts that the file belongs to. */
async function build(folder: string, file: string): Promise<void> {
  const parts = ['electron/', 'renderer/'].some((room) => file.startsWith(room))
    ? [file.startsWith('renderer/') ? 'client' : file === 'electron/preload.ts' ? 'preload' : 'main']
    : ['client', 'main', 'preload'];
  const script = `const { createBuilder } = await import('vite');
    const builder = await createBuilder({ configFile: 'vite.config.ts', logLevel: 'error' });
    for (const name of ${JSON.stringify(parts)}) await builder.build(builder.environments[name]);`;
  const step = nodeStep('build', '--input-type=module', '--eval', script);
  const end = await runStep({ ...step, folder }, { quiet: true, limitMs: STEP_LIMIT_MS });
  if (!end.ok) throw new Error(`The copy could not be built: ${end.output.slice(-2000)}`);
}

const needsNoBrowser = (spec: string): boolean => spec.endsWith('.test.ts');

/** The parts of vitest's report about the tests that ran. */
const vitestReportSchema = z.object({
  testResults: z.array(
    z.object({ assertionResults: z.array(z.object({ title: z.string(), status: z.string() })) }),
  ),
});

async function runSpecs(folder: string, spec: string, titles: readonly string[]): Promise<readonly Spec[]> {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const pattern = titles.map((title) => title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const modules = join(projectDir, 'node_modules');
  const playwright = join(modules, '@playwright', 'test', 'cli.js');
  const specs = ['test', '--project=desktop', '--reporter=json', `test/e2e/desktop/${spec}`, '-g', pattern];
  const tests = ['run', spec, '-t', pattern, '--reporter=json', `--outputFile=${report}`];
  const step = needsNoBrowser(spec)
    ? nodeStep('tests', join(modules, 'vitest', 'vitest.mjs'), ...tests)
    : nodeStep('specs', playwright, ...specs);
  const environment = { PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const end = await runStep({ ...step, environment, folder }, { quiet: true, limitMs: STEP_LIMIT_MS });
  const text = readReport(report);
  if (text === undefined) throw new Error(`The specs of ${spec} did not run: ${end.output.slice(-2000)}`);
  if (needsNoBrowser(spec))
    return vitestReportSchema
      .parse(JSON.parse(text))
      .testResults.flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ title, status }) => ({ title, ok: status === 'passed' }));
  const all = (suite: Suite): readonly Spec[] => [
    ...(suite.specs ?? []),
    ...(suite.suites ?? []).flatMap((each) => all(each)),
  ];
  const { suites } = reportSchema.parse(JSON.parse(text));
  return suites.flatMap((suite) => all(suite));
}

function readReport(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

process.exitCode = (await proveDesktop(process.argv[2] ?? '')) ? 0 : 1;
