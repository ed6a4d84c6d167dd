import { describe, expect, it } from 'vitest';
import {
  mergeRuns,
  runsOfPlaywright,
  runsOfVitest,
  reliabilityPage,
} from '../../../../scripts/docs/fault-results.ts';

// Not written out, or they would count as tests of these rows
const [first, second, other] = [
  ['fault', 1].join(' '),
  ['fault', 2].join(' '),
  ['input', 'A1'].join(' '),
] as const;
const day = (text: string): Date => new Date(`${text}T12:00:00Z`);
const passed = (name: string) => ({ name, state: 'passed' as const });

describe('results of the matrix', () => {
  it('are taken from the tests whose names carry a number', () => {
    const report = {
      testResults: [
        {
          assertionResults: [
            { title: `${first}, ${other}: two at once`, status: 'passed' },
            { title: `${second}: not here`, status: 'skipped' },
            { title: 'something else', status: 'failed' },
          ],
        },
      ],
    };
    expect(runsOfVitest(report)).toEqual([
      { name: `${first}, ${other}: two at once`, state: 'passed' },
      { name: `${second}: not here`, state: 'skipped' },
    ]);
    const pages = { suites: [{ specs: [], suites: [{ specs: [{ title: `${other}: shown`, ok: false }] }] }] };
    expect(runsOfPlaywright(pages)).toEqual([{ name: `${other}: shown`, state: 'failed' }]);
    expect(runsOfVitest(undefined)).toEqual([]);
  });

  it('replace those of the rows that ran, and of no others', () => {
    const before = mergeRuns({}, [passed(`${first}: old`), passed(`${second}: old`)], day('2026-01-01'));
    const after = mergeRuns(
      before,
      [
        { name: `${first}, checklist 21: new`, state: 'failed' },
        { name: `${second}: left out`, state: 'skipped' },
      ],
      day('2026-01-02'),
    );
    expect(after[first]).toEqual({ at: '2026-01-02', passed: 0, failed: 1, skipped: 0, tests: ['new'] });
    expect(after[second]).toEqual(before[second]);
  });

  it('say in the page what was not run, and what failed', () => {
    const results = mergeRuns({}, [{ name: `${first}: a | b`, state: 'failed' }], day('2026-01-02'));
    const page = reliabilityPage(results);
    expect(page).toContain('| a \\| b | FAILED: 1 of 1 | 2026-01-02 |');
    expect(page.match(/not run yet/g)).toHaveLength(64 + 138 - 1);
  });
});
