import { z } from 'zod';

/** How many tests or steps ended in which way. */
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
    z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) }),
  ),
});

/** A file that does not load, or whose hooks fail, has failed although none of its tests says so. */
export function tallyOfVitest(report: unknown): Tally {
  const { testResults, ...counts } = vitestReport.parse(report);
  const files = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  return {
    passed: counts.numPassedTests,
    failed: counts.numFailedTests + files.length,
    skipped: counts.numPendingTests + counts.numTodoTests,
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
  /** Files that do not load, and hooks that fail outside of a test. */
  errors: z.array(z.unknown()),
  suites: z.array(suite),
});

/** What a test measured is an annotation of this type. */
const FIGURE = 'figure';

/** With what tests measured, whether they passed or not. A test that needed a second try has failed. */
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
