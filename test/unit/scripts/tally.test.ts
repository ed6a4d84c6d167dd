import { describe, expect, it } from 'vitest';
import { tallyOfPlaywright, tallyOfVitest } from '../../../scripts/tally.ts';

const counts = { numPassedTests: 5, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 };
const file = (status: string, ...tests: readonly string[]) => ({
  status,
  assertionResults: tests.map((each) => ({ status: each })),
});

describe('the tally of vitest', () => {
  it('counts tests, and those that were left out', () => {
    const testResults = [file('failed', 'passed', 'failed'), file('passed', 'passed')];
    expect(tallyOfVitest({ ...counts, testResults })).toEqual({ passed: 5, failed: 1, skipped: 3 });
  });

  it('counts a file that failed although none of its tests did', () => {
    const testResults = [file('failed', 'failed'), file('failed'), file('failed', 'passed')];
    expect(tallyOfVitest({ ...counts, testResults })).toMatchObject({ failed: 3 });
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
