import { describe, expect, test } from 'vitest';
import { fromText, toText } from '../../electron-double/plain-data.ts';

describe('what crosses between a page and the main process', () => {
  test.each([
    ['nothing', undefined],
    ['null', null],
    ['text', 'ä\u2028\0'],
    ['a list with holes in meaning', [1, undefined, null]],
    ['an object with an undefined field', { a: undefined, b: { c: [true] } }],
  ])('keeps %s as it is', (_what, value) => {
    const back = fromText(toText(value));
    expect(back).toStrictEqual(value);
  });

  test.each([
    ['a function', () => 1],
    ['a function inside', { a: [() => 1] }],
    ['a map', new Map()],
    ['an instance', new URL('https://x.example/')],
    ['a symbol', Symbol('x')],
    ['a number that is none', NaN],
    ['a field that looks like an escape', { $: 1 }],
  ])('refuses %s', (_what, value) => {
    expect(() => toText(value)).toThrow('could not be cloned');
  });
});
