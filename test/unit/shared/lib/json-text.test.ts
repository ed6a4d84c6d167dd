import { describe, expect, it } from 'vitest';
import { namedEntries, readableLines, readableText } from '../../../../shared/lib/json-text.ts';

describe('readableText', () => {
  it.each([
    ['a', 'a'],
    [7, '7'],
    [false, 'false'],
    [null, ''],
    [undefined, ''],
    [['a', 1, null, 'b'], 'a, 1, b'],
    [{ a: 'x', b: [1, 2], c: null }, 'a: x, b: 1, 2, c'],
    [{ a: { b: 'x' } }, 'a: (b: x)'],
    [{}, ''],
  ])('of %o is "%s"', (value, text) => {
    expect(readableText(value)).toBe(text);
  });
});

describe('readableLines', () => {
  it.each([
    [null, []],
    [undefined, []],
    ['', []],
    ['Missing: budget\r\n\n priority', ['Missing: budget', ' priority']],
    [true, ['true']],
    [{ department: 'missing', budget: 'missing' }, ['department: missing', 'budget: missing']],
    [{ missing: ['department', 'budget'] }, ['missing: department, budget']],
    [{ form_fields: { department: 'missing' } }, ['form_fields: department: missing']],
    [
      ['department', 'budget'],
      ['department', 'budget'],
    ],
    [
      [['department'], ['budget']],
      ['department', 'budget'],
    ],
    [
      [{ field: 'department', note: 'missing' }, 'budget'],
      ['field: department, note: missing', 'budget'],
    ],
    [{ department: null }, ['department']],
    [{}, []],
    [[], []],
  ])('of %o are %o', (value, lines) => {
    expect(readableLines(value)).toEqual(lines);
  });
});

describe('namedEntries', () => {
  it('leaves out the name that reaches into JavaScript itself', () => {
    const parsed: unknown = JSON.parse('{"a":1,"__proto__":{"x":2},"constructor":3}');
    expect(typeof parsed === 'object' && parsed !== null ? namedEntries(parsed) : []).toEqual([
      ['a', 1],
      ['constructor', 3],
    ]);
    expect(readableText(parsed)).toBe('a: 1, constructor: 3');
  });
});
