import { describe, expect, it } from 'vitest';
import { knownFields } from '../../../../shared/lib/known-fields.ts';

describe('knownFields', () => {
  it('leaves out what is null or undefined and keeps every other value, false, zero and empty ones too', () => {
    const fields = { a: null, b: undefined, c: 0, d: false, e: '', f: [], g: Number.NaN, h: 'text' };
    expect(knownFields<Record<string, unknown>>(fields)).toStrictEqual({
      c: 0,
      d: false,
      e: '',
      f: [],
      g: Number.NaN,
      h: 'text',
    });
  });

  it('answers an empty object when nothing is known', () => {
    expect(knownFields<{ a: string }>({ a: null })).toStrictEqual({});
  });
});
