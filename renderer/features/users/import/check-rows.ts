import type { TFunction } from 'i18next';
import {
  MAX_USER_TEXT,
  newUserSchema,
  userRoles,
  type CreatedUser,
  type NewUser,
  type UserRole,
} from '../../../../shared/domain/team-user.ts';
import { assertNever } from '../../../../shared/lib/result.ts';
import type { Outcome } from '../run-batch.ts';
import { fieldsOf, readPhone } from '../user-form.ts';
import { keptText } from '../user-words.ts';
import type { ColumnMapping, ImportField } from './map-columns.ts';
import type { CsvRow } from '../../../format/read-csv.ts';

/** A row as it would be created. Without `user`, it is invalid, and `problems` says why. */
export interface ImportRow {
  /** The spreadsheet's row number. */
  readonly number: number;
  readonly name: string;
  /** Phone number or device ID as it would be sent, or as it is in the file if invalid. */
  readonly login: string;
  readonly role: string;
  readonly user: NewUser | undefined;
  readonly problems: readonly string[];
  /** Oddities that do not prevent the import. */
  readonly doubts: readonly string[];
}

type Cells = (field: ImportField) => string;
type Login = NewUser['loginType'];

/** Validates all rows without sending anything: the rules for creating a user, and no duplicate numbers or devices. */
export function checkRows(
  rows: readonly CsvRow[],
  mapping: ColumnMapping,
  t: TFunction,
  { inviteAll }: { readonly inviteAll: boolean },
): readonly ImportRow[] {
  const firstRows = new Map<string, number>();
  return rows.map(({ number, cells }) => {
    const cell: Cells = (field) => cells[mapping.get(field) ?? -1] ?? '';
    const row = checkRow(number, cell, t, inviteAll);
    const first = firstRows.get(row.login);
    if (row.login === '' || first === undefined) {
      firstRows.set(row.login, number);
      return row;
    }
    return { ...row, user: undefined, problems: [...row.problems, t('users.import.twice', { row: first })] };
  });
}

function checkRow(number: number, cell: Cells, t: TFunction, inviteAll: boolean): ImportRow {
  const loginType = loginTypeOf(cell, t);
  const common = { number, role: cell('role'), doubts: [] };
  if (loginType === undefined) {
    const login = cell('phoneNumber') || cell('deviceId');
    const problem = t(cell('loginType') === '' ? 'users.import.noLogin' : 'users.import.badLogin', {
      text: cell('loginType'),
    });
    return { ...common, name: nameIn(cell), login, user: undefined, problems: [problem] };
  }
  const phone = readPhone(cell('phoneNumber'));
  const problems = [...fieldProblems(loginType, cell, t), ...wordProblems(loginType, cell, t)];
  const user = problems.length > 0 ? undefined : buildUser(loginType, cell, t, inviteAll);
  const isDoubtful = loginType === 'PHONE_NUMBER' && phone.e164 !== undefined && !phone.isKnown;
  return {
    ...common,
    name: nameIn(cell),
    login: loginType === 'DEVICE' ? cell('deviceId') : (phone.e164 ?? cell('phoneNumber')),
    user,
    problems: user === undefined && problems.length === 0 ? [t('users.import.badRow')] : problems,
    doubts: isDoubtful ? [t('users.import.unknownNumber')] : [],
  };
}

const nameIn = (cell: Cells): string =>
  [cell('firstName'), cell('lastName')].filter(Boolean).join(' ') || cell('name');

/** From the login column or, without one, from the values present: a device ID alone means a device. */
function loginTypeOf(cell: Cells, t: TFunction): Login | undefined {
  if (cell('loginType') !== '') return readLoginType(t, cell('loginType'));
  if (cell('phoneNumber') !== '') return 'PHONE_NUMBER';
  return cell('deviceId') === '' ? undefined : 'DEVICE';
}

function fieldProblems(loginType: Login, cell: Cells, t: TFunction): readonly string[] {
  return fieldsOf(loginType).flatMap((name) => {
    if (name === 'role') return [];
    const text = cell(name);
    const field = t(fieldLabels[name]);
    if (text === '') return [t('users.import.missing', { field })];
    if (text.length > MAX_USER_TEXT) return [t('users.import.tooLong', { field, max: MAX_USER_TEXT })];
    const isNumber = name === 'phoneNumber' || name === 'deviceId';
    if (isNumber && SHORTENED.test(text)) return [t('users.import.shortened', { text })];
    const isBadPhone = name === 'phoneNumber' && readPhone(text).e164 === undefined;
    return isBadPhone ? [t('users.import.badPhone', { text })] : [];
  });
}

/** A phone number or IMEI that a spreadsheet turned into scientific notation: its digits are lost. */
const SHORTENED = /^\d(?:[.,]\d+)?e\+\d+$/i;

function wordProblems(loginType: Login, cell: Cells, t: TFunction): readonly string[] {
  const role = cell('role');
  const roles = userRoles.map((each) => t(`users.roles.${each}`)).join(', ');
  const isBadRole = role !== '' && readRole(t, role) === undefined;
  const yesNo = loginType === 'DEVICE' ? (['isActive'] as const) : (['isActive', 'sendInvitation'] as const);
  const wrong = yesNo.filter((name) => cell(name) !== '' && readYesNo(t, cell(name)) === undefined);
  return [
    ...(isBadRole ? [t('users.import.badRole', { text: role, roles })] : []),
    ...wrong.map((name) => t('users.import.badYesNo', { field: t(fieldLabels[name]), text: cell(name) })),
  ];
}

function buildUser(loginType: Login, cell: Cells, t: TFunction, inviteAll: boolean): NewUser | undefined {
  const role = readRole(t, cell('role'));
  const isActive = readYesNo(t, cell('isActive'));
  const access = {
    ...(role === undefined ? {} : { role }),
    ...(isActive === undefined ? {} : { isActive }),
  };
  const invite = readYesNo(t, cell('sendInvitation')) ?? inviteAll;
  const user =
    loginType === 'DEVICE'
      ? { loginType, name: cell('name'), deviceId: cell('deviceId'), ...access }
      : {
          loginType,
          firstName: cell('firstName'),
          lastName: cell('lastName'),
          phoneNumber: readPhone(cell('phoneNumber')).e164,
          ...access,
          ...(invite ? { sendInvitation: true } : {}),
        };
  return newUserSchema.safeParse(user).data;
}

/** Labels of the fields that a column can hold. */
export const fieldLabels = {
  loginType: 'users.columnLogin',
  firstName: 'users.firstName',
  lastName: 'users.lastName',
  phoneNumber: 'users.phoneNumber',
  name: 'users.deviceName',
  deviceId: 'users.deviceId',
  role: 'users.role',
  isActive: 'users.columnActive',
  sendInvitation: 'users.import.invitation',
} as const satisfies Readonly<Record<ImportField, string>>;

const yes = ['true', 'yes', 'y', '1', 'x', 'on'];

const no = ['false', 'no', 'n', '0', 'off'];

const comparable = (text: string): string => text.normalize('NFC').trim().toLowerCase();

/** Parses a role by its name in the service or on screen. */
function readRole(t: TFunction, text: string): UserRole | undefined {
  return userRoles.find((role) => isOneOf(text, [role, t(`users.roles.${role}`)]));
}

/** Parses a login type by its name in the service or on screen. */
function readLoginType(t: TFunction, text: string): NewUser['loginType'] | undefined {
  if (isOneOf(text, ['DEVICE', t('users.device')])) return 'DEVICE';
  const phone = ['PHONE_NUMBER', t('users.phone'), t('users.phoneNumber')];
  return isOneOf(text, phone) ? 'PHONE_NUMBER' : undefined;
}

/** Parses yes or no, in the words of spreadsheets and of the screen. */
function readYesNo(t: TFunction, text: string): boolean | undefined {
  if (isOneOf(text, [...yes, t('common.yes'), t('users.active')])) return true;
  return isOneOf(text, [...no, t('common.no'), t('users.noAccess')]) ? false : undefined;
}

function isOneOf(text: string, words: readonly string[]): boolean {
  return words.some((word) => comparable(word) === comparable(text));
}

/** The result of a row. `perhaps`: sent, but the answer was lost. `wrong`: invalid, not sent. `left`: not attempted. */
export type ResultKind = 'created' | 'existed' | 'perhaps' | 'failed' | 'left' | 'wrong';

/** A row of the file after the import. */
export interface ImportResult {
  readonly number: number;
  readonly name: string;
  readonly login: string;
  readonly kind: ResultKind;
  readonly detail: string;
  readonly password: string | undefined;
}

/** All rows of the file with their results, in the order of the file. */
export function describeResults(
  rows: readonly ImportRow[],
  outcomes: readonly Outcome<ImportRow, CreatedUser>[],
  t: TFunction,
): readonly ImportResult[] {
  const byNumber = new Map(outcomes.map((outcome) => [outcome.item.number, outcome]));
  return rows.map((row) => {
    const { number, name, login } = row;
    return { number, name, login, ...resultOf(row, byNumber.get(number), t) };
  });
}

function resultOf(
  row: ImportRow,
  outcome: Outcome<ImportRow, CreatedUser> | undefined,
  t: TFunction,
): Pick<ImportResult, 'kind' | 'detail' | 'password'> {
  if (outcome === undefined) return { kind: 'wrong', detail: row.problems.join(' '), password: undefined };
  switch (outcome.kind) {
    case 'done': {
      const { wasExisting, keptFields, temporaryPassword } = outcome.output;
      const kept = keptFields.map((field) => `${keptText(field, t)}.`);
      return {
        kind: wasExisting ? 'existed' : 'created',
        detail: kept.join(' '),
        password: temporaryPassword,
      };
    }
    case 'failed': {
      const { message, advice, mayHaveHappened } = outcome.failure;
      const kind = mayHaveHappened === true ? 'perhaps' : 'failed';
      return { kind, detail: `${message} ${advice}`, password: undefined };
    }
    case 'left':
      return { kind: 'left', detail: '', password: undefined };
    default:
      return assertNever(outcome);
  }
}

/** The results as a table to save; passwords are included only on request. */
export function resultTable(
  results: readonly ImportResult[],
  t: TFunction,
  { withPasswords }: { readonly withPasswords: boolean },
): readonly (readonly (string | number)[])[] {
  const headings = [
    t('users.import.row'),
    t('users.columnName'),
    t('users.columnContact'),
    t('users.import.result'),
    t('users.import.detail'),
  ];
  return [
    [...headings, ...(withPasswords ? [t('users.passwordTitle')] : [])],
    ...results.map(({ number, name, login, kind, detail, password }) => [
      number,
      name,
      login,
      t(`users.import.kinds.${kind}`),
      detail,
      ...(withPasswords ? [password ?? ''] : []),
    ]),
  ];
}
