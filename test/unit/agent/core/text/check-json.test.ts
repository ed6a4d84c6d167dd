import { describe, expect, it } from 'vitest';
import { checkJsonText } from '../../../../../electron/agent/core/text/check-json.ts';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('checkJsonText', () => {
  it.each([
    ['{}'],
    ['{"a": [1, -2, 3.5, 1e3, 0.1E-7], "b": null, "c": true}'],
    ['9007199254740991'],
    ['-9007199254740991'],
    ['12345678901234567890.5'],
    [nested(32)],
    ['{"a": "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["}'],
    ['{"a": "9007199254740993"}'],
    [String.raw`{"a": "\"9007199254740993\\", "b": "\\\""}`],
    [''],
    ['not json'],
    ['"never closed 99999999999999999999'],
    [String.raw`"ends in a backslash \ `.trimEnd()],
    [']]]]'],
  ])('has nothing against %s', (text) => {
    expect(checkJsonText(text)).toBeUndefined();
  });

  it.each([
    ['{"id": 9007199254740993}'],
    ['[-9007199254740992]'],
    ['1e400'],
    ['{"a": {"b": [0, 99999999999999999999]}}'],
  ])('tells a number that would be rounded in %s', (text) => {
    expect(checkJsonText(text)).toBe('unsafe-number');
  });

  it.each([[nested(33)], ['{"a":'.repeat(33)], ['[{'.repeat(17)], ['['.repeat(1_000_000)]])(
    'tells nesting that is too deep',
    (text) => {
      expect(checkJsonText(text)).toBe('too-deep');
    },
  );

  it('measures 8 MiB in well under a second', () => {
    const text = `[${'{"id":"a\\"b","n":1.5},'.repeat(380_000)}0]`;
    const startedMs = performance.now();
    expect(checkJsonText(text)).toBeUndefined();
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });
});
