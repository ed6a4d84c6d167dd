import { describe, expect, it } from 'vitest';
import { parseStrictJson } from '../../../../../electron/agent/core/text/parse-strict-json.ts';

const parse = (text: string) => parseStrictJson(text, 32);

describe('what JSON.parse reads too', () => {
  it.each([
    '{}',
    '[]',
    ' [ 1 , 2.5 , -0 , 1e3 , 1E-2, 0.10 ] ',
    '{"a":{"b":[true,false,null]},"":"x"}',
    '"\\u00e9\\n\\"\\\\\\/\\b\\f\\r\\t"',
    '"\\ud83d\\ude00 😀"',
    '\r\n\t 12',
    '{"toString":1,"hasOwnProperty":2}',
  ])('reads %s the same', (text) => {
    expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown });
  });
});

describe('what JSON.parse refuses too', () => {
  it.each([
    '',
    ' ',
    '{',
    '[1,',
    '[1,]',
    '{"a":1,}',
    '{a:1}',
    "{'a':1}",
    '{"a" 1}',
    '{"a":1 "b":2}',
    '01',
    '1.',
    '.5',
    '+1',
    '-',
    'NaN',
    'Infinity',
    'truex',
    'tru',
    '"a',
    '"a\nb"',
    '"\\x41"',
    '"\\u12"',
    '1 2',
    '// no\n1',
    '\u00a01',
    '{"a":1}}',
  ])('refuses %j', (text) => {
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect(parse(text)).toMatchObject({ ok: false, error: { kind: 'syntax' } });
  });
});

it('says line and column', () => {
  expect(parse('{\n  "a": 1,\n  "b" 2\n}')).toMatchObject({ error: { line: 3, column: 7, what: '":"' } });
  expect(parse('{\r\n  "a": nope')).toMatchObject({ error: { line: 2, column: 8 } });
});

it.each(['{"a":1,"a":2}', '{"x":[{"a":1,"b":2,"\\u0061":3}]}'])(
  'refuses the key given twice in %s',
  (text) => {
    expect(parse(text)).toMatchObject({ error: { kind: 'duplicate-key', what: 'a' } });
  },
);

it.each(['9007199254740993', '-9007199254740993', '1e400', '1e16', '[1,123456789012345678901234567890]'])(
  'refuses %s, which would be rounded',
  (text) => {
    expect(parse(text)).toMatchObject({ error: { kind: 'number' } });
  },
);

it('reads the largest exact number', () => {
  expect(parse('9007199254740991')).toEqual({ ok: true, value: 9_007_199_254_740_991 });
});

it('reads 32 levels and refuses 33, and 5,000,000 without a stack overflow', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  expect(parse(nested(32)).ok).toBe(true);
  expect(parse(nested(33))).toMatchObject({ error: { kind: 'depth', line: 1, column: 33 } });
  expect(parse('['.repeat(5_000_000))).toMatchObject({ error: { kind: 'depth' } });
  expect(parse('{"a":'.repeat(5_000_000))).toMatchObject({ error: { kind: 'depth' } });
});

it('drops keys that could reach into JavaScript objects', () => {
  const text = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"prototype":1,"a":2}';
  const result = parse(text);
  expect(result).toEqual({ ok: true, value: { a: 2 } });
  expect(Object.keys(result.ok ? Object(result.value) : {})).toEqual(['a']);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

it('mends half a character', () => {
  expect(parse('"\\ud800"')).toEqual({ ok: true, value: '\ufffd' });
});
