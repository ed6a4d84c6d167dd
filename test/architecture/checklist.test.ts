import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { desktopBreaks } from '../e2e/prove/desktop-breaks.ts';
import { checklist } from '../security/checklist.ts';
import { brokenBuilds } from '../torture/broken-builds.ts';

describe('the security checklist', () => {
  it('has 52 rows', () => {
    expect(checklist.map(({ number }) => number)).toEqual(
      Array.from({ length: 52 }, (_, index) => index + 1),
    );
  });

  it.each(checklist)('row $number names its guard and a test of its number', ({ number, guard, test }) => {
    expect([existsSync(guard), existsSync(test)]).toEqual([true, true]);
    // The name of a rule over all sources is with the other rules
    const named = test === 'test/architecture/layers.test.ts' ? 'test/architecture/rules.ts' : test;
    expect(readFileSync(named, 'utf8')).toContain(`checklist ${number}: `);
  });

  it.each(checklist)('row $number breaks text that stands in its file exactly once', ({ broken }) => {
    expect(readFileSync(broken.file, 'utf8').split(broken.find)).toHaveLength(2);
  });
});

describe('deliberate mistakes', () => {
  const mistakes = [...desktopBreaks, ...brokenBuilds.flatMap(({ edits }) => edits)];

  it.each(mistakes)('in $file replace text that stands there exactly once: $find', ({ file, find }) => {
    expect(readFileSync(file, 'utf8').split(find)).toHaveLength(2);
  });
});
