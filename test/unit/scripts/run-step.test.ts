import { describe, expect, test, it } from 'vitest';
import { nodeStep, runStep, runSteps, tallyOfPlaywright, tallyOfVitest } from '../../../scripts/run-step.ts';

const LIMIT_MS = 20_000;
const priority = nodeStep('priority', '-e', 'setTimeout(() => console.log(os.getPriority()), 100)');

describe('a step', () => {
  test.skipIf(process.platform === 'win32')(
    'that runs behind others leaves them the processors',
    async () => {
      const usual = await runStep(priority, { quiet: true, limitMs: LIMIT_MS });
      const behind = await runStep(priority, { quiet: true, limitMs: LIMIT_MS, isBehind: true });
      expect(Number(behind.output)).toBeGreaterThan(Number(usual.output));
      const [one] = await runSteps([priority], { limitMs: LIMIT_MS, isBehind: true, shown: 'failed ones' });
      expect(one?.output).toBe(behind.output);
    },
  );

  test('that is over its time is ended, and has failed', async () => {
    const end = await runStep(nodeStep('endless', '-e', 'setInterval(() => {}, 1000)'), {
      quiet: true,
      limitMs: 300,
    });
    expect(end).toMatchObject({ ok: false, ending: expect.stringContaining('over its time') });
  });
});

const counts = { numPassedTests: 5, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 };
const file = (status: string, ...tests: readonly string[]) => ({
  status,
  assertionResults: tests.map((each) => ({ status: each, tags: each === 'skipped' ? ['long'] : [] })),
});
const any = (): boolean => true;

describe('the tally of vitest', () => {
  it('counts tests, and those that were left out', () => {
    const testResults = [file('failed', 'passed', 'failed'), file('passed', 'passed')];
    expect(tallyOfVitest({ ...counts, testResults }, any)).toEqual({ passed: 5, failed: 1, skipped: 3 });
  });

  it('does not count as skipped what this run is not for', () => {
    const testResults = [file('passed', 'passed', 'skipped')];
    expect(tallyOfVitest({ ...counts, testResults }, (tags) => !tags.includes('long')).skipped).toBe(2);
  });

  it('counts a file that failed although none of its tests did', () => {
    const testResults = [file('failed', 'failed'), file('failed'), file('failed', 'passed')];
    expect(tallyOfVitest({ ...counts, testResults }, any)).toMatchObject({ failed: 3 });
  });
});

describe('the tally of playwright', () => {
  const stats = { expected: 4, unexpected: 1, flaky: 1, skipped: 2 };

  it('counts a second try and an error outside of the tests as failures', () => {
    expect(tallyOfPlaywright({ stats, errors: [{}], suites: [] })).toEqual({
      passed: 4,
      failed: 3,
      skipped: 2,
      figures: [],
    });
  });

  it('has what the tests measured, in whatever group', () => {
    const annotations = [{ type: 'figure', description: 'a page: 12 ms' }, { type: 'slow' }];
    const inner = { specs: [{ tests: [{ annotations }] }] };
    const report = { stats, errors: [], suites: [{ specs: [], suites: [inner] }] };
    expect(tallyOfPlaywright(report).figures).toEqual(['a page: 12 ms']);
  });
});
