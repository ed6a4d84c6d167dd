import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBuilder } from 'vite';
import { parseBenchArguments, usage, type BenchOptions, type CaseName } from './arguments.ts';
import type { BenchRun, CaseReport } from './bench-run.ts';
import { startSink, startSwiftStore } from './bench-store.ts';
import { measureGrowing } from './case-growing.ts';
import { measureLarge } from './case-large.ts';
import { measureLimit } from './case-limit.ts';
import { measureLoop } from './case-loop.ts';
import { measurePicture } from './case-picture.ts';
import { measureQueue } from './case-queue.ts';
import { measureSmall } from './case-small.ts';
import { caseText, machineFacts } from './report.ts';
import { findTools } from './tools.ts';

/** Progress goes to stderr, so that stdout can be saved. */
const say = (text: string): void => void process.stderr.write(`${text}\n`);

async function main(): Promise<void> {
  const options = readOptions();
  if (options === undefined) return;
  if (process.platform !== 'linux') return fail('The bench reads /proc, so it runs on Linux only.');
  await buildBundle();
  const work = mkdtempSync(join(options.workFolder, 'vms-bench-'));
  const tidy = (): void => rmSync(work, { recursive: true, force: true });
  process.once('exit', tidy);
  const isCompared = !options.isAlone && !options.cases.includes('growing');
  const tools = isCompared ? await findTools(work, say) : [];
  const store =
    options.store === 'swift' ? await startSwiftStore() : await startSink(options.etags, options.withTls);
  // For the agent, which inherits the environment of the bench
  if (store.caFile !== undefined) process.env['NODE_EXTRA_CA_CERTS'] = store.caFile;
  const leave = (): void => void store.stop().finally(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, leave);
  try {
    const machine = machineFacts(tools);
    console.log(`${store.name}; ${options.runs} runs; ${JSON.stringify(machine)}`);
    const bench: BenchRun = { options, store, tools, work, say };
    const reports = await measure(bench);
    if (options.jsonFile !== undefined) {
      const cases = reports.map(({ name, title, verdicts, figures }) => ({ name, title, verdicts, figures }));
      const text = JSON.stringify({ machine, store: store.name, runs: options.runs, cases }, undefined, 2);
      writeFileSync(options.jsonFile, `${text}\n`);
    }
  } finally {
    await store.stop();
  }
}

/** The agent is measured as it is installed. */
async function buildBundle(): Promise<void> {
  const builder = await createBuilder({ logLevel: 'warn' });
  await builder.buildApp();
}

async function measure(bench: BenchRun): Promise<readonly CaseReport[]> {
  if (bench.options.profileFolder !== undefined) mkdirSync(bench.options.profileFolder, { recursive: true });
  const reports: CaseReport[] = [];
  const done = (report: CaseReport): void => {
    reports.push(report);
    console.log(caseText(report));
  };
  for (const name of bench.options.cases) {
    if (name === 'large') for (const mib of bench.options.largeMib) done(await measureLarge(bench, mib));
    else done(await others[name](bench));
  }
  return reports;
}

const others: Readonly<Record<Exclude<CaseName, 'large'>, (bench: BenchRun) => Promise<CaseReport>>> = {
  small: measureSmall,
  queue: measureQueue,
  limit: measureLimit,
  loop: measureLoop,
  picture: measurePicture,
  growing: measureGrowing,
};

function readOptions(): BenchOptions | undefined {
  try {
    const options = parseBenchArguments(process.argv.slice(2));
    if (options !== 'help') return options;
    console.log(usage);
  } catch (error) {
    fail(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  }
  return undefined;
}

function fail(text: string): void {
  console.error(text);
  process.exitCode = 2;
}

await main();
