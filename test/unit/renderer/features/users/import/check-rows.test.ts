import { describe, expect, it } from 'vitest';
import {
  checkRows,
  describeResults,
  fieldLabels,
  resultTable,
  type ImportRow,
} from '../../../../../../renderer/features/users/import/check-rows.ts';
import { importFields, mapColumns } from '../../../../../../renderer/features/users/import/map-columns.ts';
import { readCsv } from '../../../../../../renderer/format/read-csv.ts';
import type { Outcome } from '../../../../../../renderer/features/users/run-batch.ts';
import { userTable } from '../../../../../../renderer/features/users/user-words.ts';
import { createI18n } from '../../../../../../renderer/i18n/create-i18n.ts';
import { csvText } from '../../../../../../shared/lib/csv-text.ts';
import { newUserSchema, type CreatedUser, type TeamUser } from '../../../../../../shared/domain/team-user.ts';

const { t } = await createI18n('en');
const labels = Object.fromEntries(importFields.map((name) => [name, t(fieldLabels[name])]));

function check(text: string, inviteAll = false) {
  const read = readCsv(new TextEncoder().encode(text));
  if (!read.ok) throw new Error(read.error.kind);
  return checkRows(read.value.rows, mapColumns(read.value.headings, labels), t, { inviteAll });
}
const phones = (...rows: readonly string[]): string =>
  ['First name,Last name,Phone,Role', ...rows].join('\n');

describe('a row of the file', () => {
  it('becomes a user as the contract takes it, its number without spaces', () => {
    const [row] = check(phones('Ada, Lovelace ,+1 (415) 555-0100,Admin'));
    expect(row).toMatchObject({ number: 2, name: 'Ada Lovelace', login: '+14155550100', problems: [] });
    expect(row?.user).toEqual({
      loginType: 'PHONE_NUMBER',
      firstName: 'Ada',
      lastName: 'Lovelace',
      phoneNumber: '+14155550100',
      role: 'admin',
    });
    expect(newUserSchema.safeParse(row?.user).success).toBe(true);
  });

  it('with a device id alone becomes a device, which nobody invites', () => {
    const [row] = check('Device name,Device id,Active\nKiosk,KB-9,no', true);
    expect(row?.user).toEqual({ loginType: 'DEVICE', name: 'Kiosk', deviceId: 'KB-9', isActive: false });
  });

  it('is invited when all are, and when its own cell says so; its own cell counts more', () => {
    const invited = (text: string, all: boolean) =>
      check(text, all).map(({ user }) => user !== undefined && 'sendInvitation' in user);
    expect(invited(phones('A,B,+14155550100,'), true)).toEqual([true]);
    const own =
      'First name,Last name,Phone,Invite\nA,B,+14155550100,yes\nA,B,+14155550101,no\nA,B,+14155550102,';
    expect(invited(own, false)).toEqual([true, false, false]);
    expect(invited(own, true)).toEqual([true, false, true]);
  });

  it.each([
    [',Lovelace,+14155550100,', ['First name is missing.']],
    ['Ada,,,', ['A phone number or a device ID is required.']],
    [
      'Ada,L,07700 900123,',
      ['"07700 900123" is not a valid phone number. Start with + and the country code.'],
    ],
    [
      'Ada,L,4.477E+11,',
      [
        'A spreadsheet shortened this number to "4.477E+11". Format the column as text and enter the number again.',
      ],
    ],
    [
      'Ada,L,+14155550100,boss',
      ['"boss" is not a valid role. Use one of: Admin, Supervisor, Member, Staff.'],
    ],
    [`${'A'.repeat(256)},L,+14155550100,`, ['First name is longer than 255 characters.']],
    [
      ',,x,y',
      [
        'First name is missing.',
        'Last name is missing.',
        '"x" is not a valid phone number. Start with + and the country code.',
        '"y" is not a valid role. Use one of: Admin, Supervisor, Member, Staff.',
      ],
    ],
  ])('%j is wrong: %o', (cells, problems) => {
    const [row] = check(phones(cells));
    expect(row).toMatchObject({ user: undefined, problems });
  });

  it.each(['3.56938E+14', '3E+14'])('is no device with an IMEI that a spreadsheet shortened to %s', (id) => {
    const [row] = check(`Device name,IMEI\nKiosk,${id}`);
    expect(row?.user).toBeUndefined();
    expect(row?.problems).toEqual([expect.stringContaining(`shortened this number to "${id}"`)]);
  });

  it('says so when its number is no known mobile one, and is created all the same', () => {
    const [row] = check(phones('Ada,L,+447700900123,'));
    expect(row?.doubts).toEqual(['This does not look like a valid mobile number.']);
    expect(row?.user).toBeDefined();
  });

  it('is wrong when its number stands in the file before, however it is written', () => {
    const rows = check(phones('A,B,+14155550100,', 'C,D,+1 415-555-0100,', 'E,F,+14155550101,'));
    expect(rows.map(({ problems }) => problems)).toEqual([
      [],
      ['The same phone or device is also in row 2.'],
      [],
    ]);
  });
});

it('an export can be imported again: phones and devices, with role and access', () => {
  const users: readonly TeamUser[] = [
    {
      id: 1,
      loginType: 'PHONE_NUMBER',
      firstName: '=1+1',
      lastName: 'Ng',
      phoneNumber: '+447400123456',
      role: 'staff',
      isActive: false,
    },
    {
      id: 2,
      loginType: 'DEVICE',
      name: 'Tablet, gate',
      deviceId: 'KB-2',
      phoneNumber: '+447400123457',
      role: 'member',
      isActive: true,
    },
  ];
  expect(check(csvText(userTable(users, t))).map(({ user }) => user)).toEqual([
    {
      loginType: 'PHONE_NUMBER',
      firstName: '=1+1',
      lastName: 'Ng',
      phoneNumber: '+447400123456',
      role: 'staff',
      isActive: false,
    },
    { loginType: 'DEVICE', name: 'Tablet, gate', deviceId: 'KB-2', role: 'member', isActive: true },
  ]);
});

const resultRow = (number: number, problems: readonly string[] = []): ImportRow => ({
  number,
  name: `Name ${number}`,
  login: `+1${number}`,
  role: '',
  user: undefined,
  problems,
  doubts: [],
});

const refusal = { code: 'VALIDATION', message: 'Refused.', advice: 'Mend it.', retryable: false } as const;

const outcomes: readonly Outcome<ImportRow, CreatedUser>[] = [
  {
    kind: 'done',
    item: resultRow(2),
    output: { user: { id: 'u2' }, temporaryPassword: 'aB3dE6gH9kLm', wasExisting: false, keptFields: [] },
  },
  {
    kind: 'done',
    item: resultRow(3),
    output: {
      user: { id: 'u3' },
      wasExisting: true,
      keptFields: [{ name: 'role', asked: 'staff', kept: 'admin' }],
    },
  },
  { kind: 'failed', item: resultRow(4), failure: refusal },
  { kind: 'failed', item: resultRow(5), failure: { ...refusal, mayHaveHappened: true } },
  { kind: 'left', item: resultRow(6) },
];

const rows = [
  resultRow(2),
  resultRow(3),
  resultRow(4),
  resultRow(5),
  resultRow(6),
  resultRow(7, ['First name is missing.']),
];

const results = describeResults(rows, outcomes, t);

describe('the result of an import', () => {
  it('tells each row of the file, in its order', () => {
    expect(results.map(({ number, kind, detail }) => [number, kind, detail])).toEqual([
      [2, 'created', ''],
      [3, 'existed', 'Role is "Admin", not "Staff".'],
      [4, 'failed', 'Refused. Mend it.'],
      [5, 'perhaps', 'Refused. Mend it.'],
      [6, 'left', ''],
      [7, 'wrong', 'First name is missing.'],
    ]);
  });

  it('has passwords in the file only when they are wanted', () => {
    const without = resultTable(results, t, { withPasswords: false });
    expect(JSON.stringify(without)).not.toContain('aB3dE6gH9kLm');
    expect(new Set(without.map(({ length }) => length))).toEqual(new Set([5]));
    const withThem = resultTable(results, t, { withPasswords: true });
    expect(withThem[0]?.at(-1)).toBe('Temporary password');
    expect(withThem.map((cells) => cells.at(-1))).toContain('aB3dE6gH9kLm');
  });
});
