import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contractBreaks, noticedBy, unproven } from './breaks/contract-breaks.ts';
import { collectRules } from './collect-rules.ts';
import { coveragePage, PAGE } from './coverage-page.ts';

const titles = collectRules().map(({ title }) => title);

describe('docs/interface-coverage.md', () => {
  it('is what the tests of the interface make of it (node scripts/interface-coverage.ts writes it)', async () => {
    expect(readFileSync(PAGE, 'utf8')).toBe(await coveragePage());
  });
});

describe('the deliberate mistakes', () => {
  it('fit the product as it is: what each replaces stands in its file once', () => {
    const lost = contractBreaks.filter(
      ({ file, find }) => readFileSync(file, 'utf8').split(find).length !== 2,
    );
    expect(lost.map(({ file, find }) => `${file}: ${find}`)).toEqual([]);
  });

  it('name rules that are shown', () => {
    for (const each of contractBreaks) expect(noticedBy(each, titles)).not.toEqual([]);
  });

  it('are about every rule', () => {
    expect(unproven(titles)).toEqual([]);
  });
});
