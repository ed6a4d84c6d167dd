import { describe, expect, it } from 'vitest';
import {
  excerptOf,
  readErrorBody,
  statusInBody,
  failedFieldsOf,
} from '../../../../electron/agent/service/error-body.ts';
import { processorMs } from '../../../helpers/processor-ms.ts';

const CANARY = 'Wattle-Canary-77';

describe('statusInBody', () => {
  it.each([
    [{ status: 400 }, 400],
    [{ status: 599, message: 'x' }, 599],
    [{ status: '422' }, 422],
    [{ status: 200 }, undefined],
    [{ status: 600 }, undefined],
    [{ status: 'canceled' }, undefined],
    [{ status: null }, undefined],
    [{ status: { code: 500 } }, undefined],
    [{ message: 'x' }, undefined],
    [[{ status: 500 }], undefined],
    [null, undefined],
    ['500', undefined],
  ])('of %o is %s', (body, status) => {
    expect(statusInBody(body)).toBe(status);
  });
});

describe('readErrorBody', () => {
  it.each([
    [{ message: 'a' }, 'a'],
    [{ message: '  ', error: 'b' }, 'b'],
    [{ message: { error: 'c', more: 1 } }, '{"error":"c","more":1}'],
    [{ errors: ['d'] }, '["d"]'],
    [{ other: 1 }, undefined],
    [{ message: 5 }, undefined],
    [null, undefined],
    ['text', undefined],
  ])('of %o hears %s', (body, text) => {
    expect(readErrorBody(body).text).toBe(text);
  });

  it.each([
    [
      { errors: { phone_number: ['has already been taken', 'is short'] } },
      'phone_number',
      'has already been taken, is short',
    ],
    [{ errors: { name: "can't be blank" } }, 'name', "can't be blank"],
    [{ errors: ["First name can't be blank"] }, 'first_name', "can't be blank"],
    [{ errors: [{ field: 'role', message: 'is unknown' }] }, 'role', 'is unknown'],
    [{ errors: [{ attribute: 'role', detail: 'is unknown' }] }, 'role', 'is unknown'],
  ])('takes the inputs of %o', (body, name, text) => {
    expect(readErrorBody({ message: 'No', ...body }).fields).toEqual([{ name, text }]);
  });

  it('tells no more than a form can have', () => {
    const errors = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`field ${index}`, 'bad']));
    expect(readErrorBody({ message: 'No', errors }).fields).toHaveLength(50);
  });

  it.each([[{ errors: 7 }], [{ errors: [7, null, {}] }], [{ errors: {} }]])('survives %o', (body) => {
    expect(readErrorBody(body).fields).toEqual([]);
  });
});

describe('a secret in a body', () => {
  const bodies = [
    { message: { error: 'x', temp_password: CANARY } },
    { message: { error: 'x', temp_password: { value: CANARY } } },
    { message: `The password is ${CANARY}`, user: { temp_password: CANARY } },
    { errors: { temp_password: [CANARY] } },
    { message: 'Validation failed: Name is bad', errors: { name: CANARY }, user: { Password: CANARY } },
  ];

  it.each(bodies)('is nowhere in what is read of %o', (body) => {
    expect(JSON.stringify(readErrorBody(body))).not.toContain(CANARY);
  });

  it.each([
    `{"user":{"temp_password":"${CANARY}","id":`,
    `{"user":{"temp_password" : "${CANARY}`,
    `{"temporaryPassword":"a\\"${CANARY}"}`,
    `{"token":${CANARY}}`,
  ])('is not in the excerpt of what cannot be parsed: %s', (text) => {
    expect(excerptOf(Buffer.from(text))).not.toContain(CANARY);
  });

  it('of a web page is its title, or what it says without tags', () => {
    const page = '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><h1>nginx</h1>';
    expect(excerptOf(Buffer.from(page))).toBe('502 Bad Gateway');
    expect(excerptOf(Buffer.from('<h1>default backend - 404</h1>'))).toBe('default backend - 404');
    expect(excerptOf(Buffer.from('a < b and c > d'))).toBe('a < b and c > d');
  });

  it('of a page whose title does not end costs no time', () => {
    const page = Buffer.from(`<title>${'a'.repeat(100_000)}`);
    expect(processorMs(() => expect(excerptOf(page)).toMatch(/^a+/))).toBeLessThan(100);
    expect(excerptOf(Buffer.from('<title>\n 502 </title>'))).toBe('502');
  });

  it('of JSON without a value in it is empty', () => {
    for (const [text, body] of [
      ['{}', {}],
      ['[]', []],
      ['null', null],
      ['""', ''],
      [' {\n} ', undefined],
    ] as const)
      expect(excerptOf(Buffer.from(text), body)).toBe('');
    expect(excerptOf(Buffer.from('{"at":0}'), { at: 0 })).toBe('{"at":0}');
  });

  it('that is short or repeated a thousand times costs neither sense nor time', () => {
    const tokens = Array.from({ length: 1000 }, (_, index) => ({ token: index % 2 === 0 ? 'e' : 'remove' }));
    const neededMs = processorMs(() => {
      const { text } = readErrorBody({ message: 'See the removed user', tokens });
      expect(text).toBe('See the [removed]d user');
    });
    expect(neededMs).toBeLessThan(200);
  });
});

const TAKEN = 'has already been taken';

const BLANK = "can't be blank";

describe('failedFieldsOf', () => {
  it.each([
    [`Validation failed: Phone number ${TAKEN}`, [['phone_number', TAKEN]]],
    [
      `Validation failed: Phone number ${TAKEN}, First name ${BLANK}`,
      [
        ['phone_number', TAKEN],
        ['first_name', BLANK],
      ],
    ],
    [`validation failed phone_number ${TAKEN}`, [['phone_number', TAKEN]]],
    [
      `Validation failed: Name ${BLANK}, Last name ${BLANK}`,
      [
        ['name', BLANK],
        ['last_name', BLANK],
      ],
    ],
    [
      `Validation failed: Role must be one of admin, supervisor, member, staff, Device ${BLANK}, Device id ${BLANK}`,
      [
        ['role', 'must be one of admin, supervisor, member, staff'],
        ['device_id', BLANK],
      ],
    ],
    [
      'Validation failed: Per page must be less than or equal to 100',
      [['per_page', 'must be less than or equal to 100']],
    ],
    [
      'Validation failed: Notification image type is not included in the list',
      [['notification_image_type', 'is not included in the list']],
    ],
    ['Validation failed: the moon is wrong, and so on', []],
    ['Validation failed', []],
    [
      'Invalid period_id. It must be a valid integer for your team.',
      [['period_id', 'Invalid period_id. It must be a valid integer for your team.']],
    ],
    [
      'Invalid form_fields. It must be an array of strings.',
      [['form_fields', 'Invalid form_fields. It must be an array of strings.']],
    ],
    ['Invalid moon. It must be full.', []],
    ['Invalid Channel User', []],
    ['Period not found', []],
    ['Name can be anything', []],
    ['', []],
  ])('of "%s" are %o', (text, fields) => {
    expect(failedFieldsOf(text).map((field) => [field.name, field.text])).toEqual(fields);
  });
});

it('shows what an odd answer hides in its beginning', () => {
  expect(excerptOf(Buffer.from('\0\u001b[2Jgone\u202e'))).toBe('␀␛[2Jgone<U+202E>');
  expect(readErrorBody({ message: 'No\u0000 way' }).summary).toBe('No␀ way');
  // A surrogate pair at the cut, which the visible NUL does not move
  for (const length of [198, 199, 200])
    expect(excerptOf(Buffer.from(`\0${'x'.repeat(length - 1)}😀😀`))).not.toMatch(/\p{Cs}/u);
});
