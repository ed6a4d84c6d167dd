import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readResults } from '../../scripts/docs/fault-results.ts';
import { faults, inputs, rowsIn } from '../faults/matrix-rows.ts';

// Test names are literals that begin with their numbers; a table of cases has only the numbers
const literals = /'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\\n]|\\.)*"/g;
const numbers = /^.(?:(?:fault \d+|input [A-H]\d+)(?:, |: |.$))+/;
const files = globSync('test/**/*.{test,spec}.ts').filter((file) => !file.includes('architecture/matrix'));
const texts = files.flatMap((file) => readFileSync(file, 'utf8').match(literals) ?? []);
const named = new Set(texts.flatMap((text) => rowsIn(numbers.exec(text)?.[0] ?? '')));
const results = readResults();
const rows = [...faults, ...inputs];

describe('the matrix of faults and bad inputs', () => {
  it('has 64 faults and 138 inputs', () => {
    expect([faults.length, inputs.length]).toEqual([64, 138]);
  });

  it('has a test whose name begins with the number of each row', () => {
    expect(rows.map(({ id }) => id).filter((id) => !named.has(id))).toEqual([]);
  });

  it('knows every number that a test carries', () => {
    const known = new Set(rows.map(({ id }) => id));
    expect(texts.flatMap(rowsIn).filter((id) => !known.has(id))).toEqual([]);
  });

  it('has a result of each row: tests that passed, none that failed, and not only skipped ones', () => {
    const isShown = (id: string): boolean => (results[id]?.passed ?? 0) > 0 && results[id]?.failed === 0;
    expect(rows.map(({ id }) => id).filter((id) => !isShown(id))).toEqual([]);
  });

  it('says each row in words of its own', () => {
    expect(new Set(rows.map(({ words }) => words)).size).toBe(rows.length);
  });
});
