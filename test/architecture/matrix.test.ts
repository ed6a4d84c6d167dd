import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { faults, inputs, rowsIn } from '../faults/matrix-rows.ts';

// Names of tests are literals, with their numbers in them
const literals = /'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\\n]|\\.)*"/g;
const files = globSync('test/**/*.{test,spec}.ts').filter((file) => !file.includes('architecture/matrix'));
const named = new Set(
  files.flatMap((file) => readFileSync(file, 'utf8').match(literals) ?? []).flatMap((text) => rowsIn(text)),
);
const rows = [...faults, ...inputs];

describe('the matrix of faults and bad inputs', () => {
  it('has 64 faults and 138 inputs', () => {
    expect([faults.length, inputs.length]).toEqual([64, 138]);
  });

  it('has a test that carries the number of each row', () => {
    expect(rows.map(({ id }) => id).filter((id) => !named.has(id))).toEqual([]);
  });

  it('knows every number that a test carries', () => {
    const known = new Set(rows.map(({ id }) => id));
    expect([...named].filter((id) => !known.has(id))).toEqual([]);
  });

  it('says each row in words of its own', () => {
    expect(new Set(rows.map(({ words }) => words)).size).toBe(rows.length);
  });
});
