import { describe, expect, it } from 'vitest';
import { measureData } from '../../../../electron/desktop/security/measure-data.ts';

const nested = (depth: number): unknown => (depth === 0 ? 1 : { deeper: nested(depth - 1) });
const loop: Record<string, unknown> = {};
loop['self'] = loop;

const plain: readonly unknown[] = [
  undefined,
  null,
  'text',
  12.5,
  true,
  [],
  {},
  { call: 'settings.get', input: {} },
  { a: [1, [2, { b: null }]] },
  nested(15),
  Object.create(null),
];
const strange: readonly unknown[] = [
  new Date(0),
  new Map(),
  new Set(),
  new Uint8Array(4),
  new ArrayBuffer(4),
  /x/,
  new Error('x'),
  10n,
  Symbol('x'),
  () => 1,
  { a: [new Map()] },
  nested(17),
  loop,
];

describe('the size of what a page sends', () => {
  it.each(plain.map((value) => [value]))('%o is plain data', (value) => {
    expect(measureData(value, 1000)).toBe('fits');
  });

  it.each(strange.map((value) => [value]))('%o is none', (value) => {
    expect(measureData(value, 1_000_000)).toBe('no plain data');
  });

  it.each([
    ['a text', 'x'.repeat(1001)],
    ['texts together', Array.from({ length: 20 }, () => 'x'.repeat(60))],
    ['a name', { ['x'.repeat(1001)]: 1 }],
    ['very many values', Array.from({ length: 1000 }, () => 1)],
    ['a list that is mostly holes', Array.from({ length: 1000 })],
    ['a list of a million holes', Object.assign([], { length: 1_000_000 })],
  ])('%s can be too large', (_, value) => {
    expect(measureData(value, 1000)).toBe('too large');
  });

  it('takes what is exactly as large as it may be', () => {
    expect(measureData('x'.repeat(996), 1000)).toBe('fits');
    expect(measureData('x'.repeat(997), 1000)).toBe('too large');
  });
});
