import { expect, test } from 'vitest';
import {
  redactValue,
  redactText,
  removeSecrets,
  secretForms,
} from '../../../../../electron/agent/core/text/redact.ts';

const canary = 'cAn/ary+key"7%x&Z';
const rules = { secrets: secretForms(canary), homeDir: '/home/guard' };

test.each([
  ['as it is', canary],
  ['in JSON', JSON.stringify({ key: 'x', inner: canary })],
  ['percent-encoded', encodeURIComponent(canary)],
  ['percent-encoded twice', encodeURIComponent(encodeURIComponent(canary))],
  [
    'percent-encoded in lower case',
    encodeURIComponent(canary).toLowerCase().replaceAll('can', 'cAn').replace('z', 'Z'),
  ],
  ['in base64', Buffer.from(canary).toString('base64')],
  ['in base64 behind 1 byte', Buffer.from(`:${canary}`).toString('base64')],
  ['in base64 behind 2 bytes', Buffer.from(`u:${canary}`).toString('base64')],
  ['in base64url between others', Buffer.from(`user:${canary}:more`).toString('base64url')],
  ['in hexadecimal', Buffer.from(canary).toString('hex')],
  ['in hexadecimal capitals', Buffer.from(canary).toString('hex').toUpperCase()],
])('checklist 22: takes a registered secret out %s', (_, text) => {
  const clean = redactText(`before ${text} after`, { secrets: rules.secrets });
  expect(clean).toContain('before');
  expect(clean).toContain('after');
  expect(leaksOf(clean)).toEqual([]);
});

/** The longest pieces of the canary, in any of its encodings, that a text still contains. */
function leaksOf(text: string): readonly string[] {
  const plain = [text, safeDecode(text), ...base64Words(text)];
  const pieces = [canary.slice(0, 9), canary.slice(-9), Buffer.from(canary).toString('hex').slice(4, 24)];
  const hex = pieces.at(-1) ?? '';
  return [...pieces, hex.toUpperCase()].filter((piece) => plain.some((each) => each.includes(piece)));
}

const safeDecode = (text: string): string => text.replaceAll(/%[0-9a-f]{2}/gi, (code) => decodeByte(code));
const decodeByte = (code: string): string => String.fromCharCode(Number.parseInt(code.slice(1), 16));
const base64Words = (text: string): string[] =>
  (text.match(/[A-Za-z0-9+/_-]{8,}/g) ?? []).map((word) => Buffer.from(word, 'base64').toString('latin1'));

test.each([
  ['https://s3.example.com/b/k?X-Amz-Signature=abc&x=1', 'https://s3.example.com/b/k?[removed]'],
  ['GET "https://s3.example.com/k?a=b" failed', 'GET "https://s3.example.com/k?[removed]" failed'],
  ['https://s3.example.com/k#frag', 'https://s3.example.com/k?[removed]'],
  ['https://user:pw@example.com/k', 'https://example.com/k'],
  ['to /k?X-Amz-Date=1&X-Amz-Signature=abcd', 'to /k?X-Amz-Date=[removed]&X-Amz-Signature=[removed]'],
  ['u=https%3A%2F%2Fh%2Fk%3FX-Amz-Credential%3Dabcd', 'u=https%3A%2F%2Fh%2Fk%3FX-Amz-Credential%3D[removed]'],
  ['Authorization: Bearer abcdef123456', 'Authorization: [removed]'],
  ['{"authorization":"Bearer abcdef123456"}', '{"authorization":"[removed]"}'],
  ['x-api-key=abc def', 'x-api-key=[removed]'],
  ['set-cookie: a=b; c=d\nnext: 1', 'set-cookie: [removed]\nnext: 1'],
  ['sent Bearer abcdef123456 to it', 'sent Bearer [removed] to it'],
  ['/home/guard/exports and /home/guardian', '~/exports and /home/guardian'],
  ['a clip called what?.mp4', 'a clip called what?.mp4'],
])('writes %j as %j', (text, clean) => {
  expect(redactText(text, rules)).toBe(clean);
});

test('cuts a long text after the secrets were taken out, and leaves no half secret at a cut', () => {
  const half = 'x'.repeat(64 * 1024 - 5) + canary;
  expect(redactText(half, rules)).toHaveLength(2000 + '... (cut)'.length);
  const shrinking = `https://h/?${'x'.repeat(64 * 1024 - 11 - 5 - 1)} ${canary}`;
  expect(redactText(shrinking, rules)).not.toContain(canary.slice(0, 5));
});

test('keeps JSON as JSON when only secrets are removed', () => {
  const line = JSON.stringify({ event: 'x', text: canary, url: 'https://h/k?sig=1', path: '/home/guard/a' });
  expect(JSON.parse(removeSecrets(line, rules.secrets))).toEqual({
    event: 'x',
    text: '[removed]',
    url: 'https://h/k?[removed]',
    path: '/home/guard/a',
  });
});

test('does not search for secrets that are too short to be any', () => {
  expect(secretForms('abc')).toEqual([]);
});

test('writes values of every kind as plain data', () => {
  const circular: Record<string, unknown> = { name: 'a' };
  circular['self'] = circular;
  const hostile = {
    get bad(): string {
      throw new Error(canary);
    },
  };
  const value = {
    bytes: Buffer.from(canary),
    url: new URL(`https://h.example/p?x=${encodeURIComponent(canary)}`),
    params: new URLSearchParams({ x: canary }),
    headers: new Headers({ 'X-Api-Key': canary, accept: 'json' }),
    rawHeaders: ['Authorization', canary, 'accept', 'json'],
    map: new Map<unknown, unknown>([
      ['cookie', canary],
      [canary, 1],
    ]),
    set: new Set([1, canary]),
    password: 'anything',
    circular,
    hostile,
    big: 12n,
    none: undefined,
    nan: Number.NaN,
    call: () => canary,
    at: new Date(0),
    deep: { a: { b: { c: { d: { e: { f: 1 } } } } } },
  };
  expect(redactValue(value, rules)).toEqual({
    bytes: '[17 bytes]',
    url: 'https://h.example/p?[removed]',
    params: '[removed]',
    headers: { accept: 'json', 'x-api-key': '[removed]' },
    rawHeaders: ['Authorization', '[removed]', 'accept', 'json'],
    map: { cookie: '[removed]', '[removed]': 1 },
    set: [1, '[removed]'],
    password: '[removed]',
    circular: { name: 'a', self: '[circular]' },
    hostile: '[unreadable]',
    big: '12',
    nan: 'NaN',
    call: '[function]',
    at: '1970-01-01T00:00:00.000Z',
    deep: { a: { b: { c: { d: { e: '[object]' } } } } },
  });
});

test('keeps of an error its name, message, code and cause, and nothing that a library hung on it', () => {
  const error = Object.assign(new Error(`refused ${canary}`, { cause: new TypeError(canary) }), {
    code: 'ERR_GOT',
    options: { headers: { authorization: `Bearer ${canary}` } },
    response: { body: canary },
    timings: { start: 1 },
  });
  const plain = redactValue(error, rules);
  expect(plain).toMatchObject({
    name: 'Error',
    message: 'refused [removed]',
    code: 'ERR_GOT',
    cause: { name: 'TypeError', message: '[removed]' },
  });
  expect(Object.keys(Object(plain)).toSorted()).toEqual(['cause', 'code', 'message', 'name', 'stack']);
});

test('limits what one line can hold', () => {
  const wide = Object.fromEntries(
    Array.from({ length: 80 }, (_, index) => [`k${index}`, Array(80).fill('x')]),
  );
  expect(JSON.stringify(redactValue(wide, rules)).length).toBeLessThan(10_000);
});

test('never leaks the canary, wherever chance puts it', () => {
  let seed = 7;
  const random = (most: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % most;
  };
  const forms = [
    canary,
    encodeURIComponent(canary),
    Buffer.from(`u:${canary}`).toString('base64'),
    `https://h/x?X-Amz-Signature=${canary}`,
    `Authorization: Bearer ${canary}`,
    JSON.stringify([canary]),
  ];
  const make = (depth: number): unknown => {
    const text = `${'pad '.repeat(random(4))}${forms[random(forms.length)]}`;
    switch (depth > 5 ? random(3) : random(10)) {
      case 0:
        return text;
      case 1:
        return Buffer.from(text);
      case 2:
        return new Error(text, { cause: text });
      case 3:
        return [make(depth + 1), make(depth + 1)];
      case 4:
        return new Map([[text, make(depth + 1)]]);
      case 5:
        return new URLSearchParams({ [text]: text });
      case 6:
        return Object.assign(new Error('x'), { options: { a: text }, cause: make(depth + 1), code: text });
      case 7:
        return { toJSON: () => text, inner: make(depth + 1) };
      case 8:
        return Object.assign(Object.create(null), { [text]: make(depth + 1) });
      default:
        return { [`key${random(5)}`]: make(depth + 1), authorization: text };
    }
  };
  for (let turn = 0; turn < 500; turn += 1) {
    const line = JSON.stringify(redactValue({ value: make(0) }, rules));
    expect(leaksOf(line), line).toEqual([]);
  }
});
