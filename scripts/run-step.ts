import { spawn, type ChildProcess } from 'node:child_process';
import { setPriority } from 'node:os';
import { z } from 'zod';

/** How long a step that has exceeded its time limit may take to exit before it is killed. */
const KILL_AFTER_MS = 5000;

/** A program with arguments, and its name in the summary. */
export interface Step {
  readonly name: string;
  readonly file: string;
  readonly arguments: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Where it runs; defaults to the working directory. */
  readonly folder?: string;
}

/** How a step ended; `output` is empty when it was shown directly. */
export interface StepEnd {
  readonly name: string;
  readonly ok: boolean;
  readonly ending: string;
  readonly output: string;
  readonly seconds: number;
}

export interface StepOptions {
  /** Collects the output instead of showing it. */
  readonly quiet: boolean;
  readonly limitMs: number;
  /** Runs at a low priority, using only spare processor time. */
  readonly isBehind?: boolean;
}

/** A JavaScript or TypeScript file, run with the current Node. */
export function nodeStep(name: string, ...args: readonly string[]): Step {
  return { name, file: process.execPath, arguments: args };
}

/** A program from a package, run through the launcher, which finds it on every platform. */
export function programStep(name: string, ...args: readonly string[]): Step {
  return nodeStep(name, 'scripts/launch.mjs', '--bin', ...args);
}

/** Signals the step's own process group, which ends everything it has started. */
function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // Already gone.
  }
}

function guard(child: ChildProcess, limitMs: number): { isLate(): boolean; release(): void } {
  let late = false;
  const limit = setTimeout(() => {
    late = true;
    endGroup(child, 'SIGTERM');
    kill = setTimeout(() => endGroup(child, 'SIGKILL'), KILL_AFTER_MS);
  }, limitMs);
  let kill: NodeJS.Timeout | undefined;
  const stop = (signal: NodeJS.Signals): void => {
    endGroup(child, signal);
    process.exit(1);
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return {
    isLate: () => late,
    release() {
      clearTimeout(limit);
      clearTimeout(kill);
      process.off('SIGINT', stop).off('SIGTERM', stop);
    },
  };
}

/** A nice value of 5 (of 20): a third of another program's share, plus all idle time. */
const BEHIND = 5;

function putBehind({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, BEHIND);
  } catch {
    // It has already exited, or the system does not support priorities: it runs at normal priority.
  }
}

/** Runs one step to its end. Never rejects: a program that cannot be started is a failed step. */
export function runStep(step: Step, options: StepOptions): Promise<StepEnd> {
  const startedAt = performance.now();
  const chunks: Buffer[] = [];
  const child = spawn(step.file, step.arguments, {
    detached: process.platform !== 'win32',
    env: { ...process.env, ...step.environment },
    cwd: step.folder,
    stdio: options.quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
  });
  if (options.isBehind === true) putBehind(child);
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
  const guarded = guard(child, options.limitMs);
  return new Promise((resolve) => {
    const finish = (ok: boolean, ending: string): void => {
      guarded.release();
      const output = Buffer.concat(chunks).toString();
      resolve({ name: step.name, ok, ending, output, seconds: (performance.now() - startedAt) / 1000 });
    };
    child.on('error', (error) => finish(false, error.message));
    child.on('close', (code, signal) => {
      const late = guarded.isLate()
        ? `over its time limit of ${Math.round(options.limitMs / 1000)} s, ended by `
        : '';
      finish(code === 0 && late === '', `${late}${signal ?? `exit code ${code}`}`);
    });
  });
}

/** Number of programs to run side by side: each keeps about one of a small machine's two processors busy. */
const SIDE_BY_SIDE = 2;

interface StepsOptions extends Omit<StepOptions, 'quiet'> {
  readonly shown: 'all output' | 'failed ones';
}

/**
 * Runs steps side by side. Each prints a line when it ends, and its output in one piece. Resolves to how they ended, in
 * the order of the steps.
 */
export async function runSteps(
  steps: readonly Step[],
  { shown, ...options }: StepsOptions,
): Promise<readonly StepEnd[]> {
  const ends: StepEnd[] = [];
  const waiting = [...steps.entries()];
  async function work(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, step] = next;
      const end = await runStep(step, { quiet: true, ...options });
      ends[index] = end;
      const output = end.output.trimEnd();
      if (output !== '' && (!end.ok || shown === 'all output')) console.log(`\n${output}`);
      const ending = end.ok ? '' : `, ${end.ending}`;
      console.log(
        `${end.ok ? 'ok    ' : 'FAILED'} ${end.name.padEnd(10)} ${end.seconds.toFixed(1).padStart(5)} s${ending}`,
      );
    }
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  return ends;
}

/** How many tests or steps passed, failed and were skipped. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      status: z.string(),
      assertionResults: z.array(z.object({ status: z.string(), tags: z.array(z.string()) })),
    }),
  ),
});

/**
 * Counts the tests of a vitest report. A file that does not load, or whose hooks fail, counts as failed even if none of
 * its tests do. Tests with unwanted tags do not count, though vitest reports them as skipped.
 */
export function tallyOfVitest(report: unknown, isWanted: (tags: readonly string[]) => boolean): Tally {
  const { testResults, ...counts } = vitestReport.parse(report);
  const files = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  const unwanted = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ tags }) => !isWanted(tags));
  return {
    passed: counts.numPassedTests,
    failed: counts.numFailedTests + files.length,
    skipped: counts.numPendingTests + counts.numTodoTests - unwanted.length,
  };
}

interface Suite {
  readonly suites?: readonly Suite[] | undefined;
  readonly specs: readonly {
    readonly tests: readonly {
      readonly annotations: readonly { readonly type: string; readonly description?: string | undefined }[];
    }[];
  }[];
}
const annotations = z.array(z.object({ type: z.string(), description: z.string().optional() }));
const suite: z.ZodType<Suite> = z.lazy(() =>
  z.object({
    suites: z.array(suite).optional(),
    specs: z.array(z.object({ tests: z.array(z.object({ annotations })) })),
  }),
);
const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
  /** Files that do not load, and hooks that fail outside a test. */
  errors: z.array(z.unknown()),
  suites: z.array(suite),
});

/** Type of the annotations with which tests report measurements. */
const FIGURE = 'figure';

/**
 * Counts the tests of a Playwright report, and collects measurements, whether the tests passed or not. A test that
 * needed a retry counts as failed.
 */
export function tallyOfPlaywright(report: unknown): Tally & { readonly figures: readonly string[] } {
  const { stats, errors, suites } = playwrightReport.parse(report);
  const figuresOf = ({ specs, suites: inner = [] }: Suite): readonly string[] => [
    ...specs
      .flatMap(({ tests }) => tests.flatMap((test) => test.annotations))
      .flatMap(({ type, description }) =>
        type === FIGURE && description !== undefined ? [description] : [],
      ),
    ...inner.flatMap(figuresOf),
  ];
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
    figures: suites.flatMap(figuresOf),
  };
}
