import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contractBreaks, noticedBy, unproven } from './breaks/contract-breaks.ts';
import { collectRules, placesOf, readServicePage } from './collect-rules.ts';

const rules = collectRules();
const titles = rules.map(({ title }) => title);
const page = readServicePage();

describe('docs/service.md', () => {
  it('has a section for every rule that a test shows', () => {
    const places = new Set(placesOf(page));
    expect(rules.filter(({ place }) => !places.has(place)).map(({ title }) => title)).toEqual([]);
  });

  it('has a test for each of its fifteen endpoints', () => {
    const endpoints = placesOf(page).filter((place) => /^\d+$/.test(place));
    expect(endpoints).toEqual(Array.from({ length: 15 }, (_, index) => String(index + 1)));
    const shown = new Set(rules.map(({ place }) => place));
    expect(endpoints.filter((place) => !shown.has(place))).toEqual([]);
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
