import {
  MAX_USERS_PER_PAGE,
  userFilterSchema,
  userName,
  type TeamUser,
  type UserFilter,
  type UserPage,
} from '../../../shared/domain/team-user.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { err } from '../../../shared/lib/result.ts';
import { defineCommand, refuseOperands, UsageError, type Line, parseValue } from '../command.ts';
import { counted } from '../output.ts';
import { tableLines, type Column, listOptions, parseFormat, writeList, type Sheet } from '../table.ts';
import { runTeamWork } from '../report-failure.ts';
import { type InputFields, readInputLine, refuseBesideInput, loginText, stateText } from './user-text.ts';

/** Highest page number: far beyond any team. */
const MAX_PAGE = 1_000_000;
/** Most phone numbers or devices per request: they are sent in a URL. */
const MAX_FILTERS = 100;

/** Lists the users of the team: all of them, or one page. */
export const usersList = defineCommand({
  name: 'users list',
  usage: [
    'users list [--page N] [--per-page N] [--inactive]',
    '    [--phone NUMBER]... [--device ID]... [--stdin] [--json|--csv]',
  ],
  purpose: 'Lists the users of the team, or one page of them.',
  options: {
    page: { value: 'N', help: 'only this page; --json then includes the counts' },
    'per-page': { value: 'N', help: 'users per page, at most 100; lists page 1 unless --page is given' },
    inactive: { help: 'also lists inactive users' },
    phone: {
      value: 'NUMBER',
      help: 'only users with this phone number (+14155550100); can be repeated',
      repeatable: true,
    },
    device: {
      value: 'ID',
      help: 'only users with this device; can be repeated; with --phone, only users who match both',
      repeatable: true,
    },
    stdin: {
      help: 'phone numbers and devices as one JSON object on standard input, so that other accounts cannot see them: {"phone": ["+14155550100"], "device": []}',
    },
    ...listOptions,
  },
  parse(line) {
    refuseOperands(line);
    const format = parseFormat(line);
    const paging = parsePaging(line);
    const isFromInput = line.has('stdin');
    if (isFromInput) refuseBesideInput(line, inputFields);
    return {
      config: line.text('config'),
      paging,
      filter: parseFilter(line, line.has('inactive')),
      format,
      // Standard input is read once the whole line is valid
      ...(isFromInput && { isFromInput }),
    };
  },
  async run(input, deps) {
    const { paging, format } = input;
    const more = input.isFromInput === true && readInputLine(await deps.readInput(), inputFields);
    const filter = { ...input.filter, ...(more && parseFilter(more, false)) };
    return runTeamWork({ config: input.config, json: format === 'json' }, deps, async ({ users }, signal) => {
      const write = (records: unknown, found: readonly TeamUser[], total: string): void =>
        writeList(format, deps.output, {
          records,
          sheet: () => userSheet(found),
          lines: (width) => userLines(found, total, width),
        });
      if (paging === undefined) {
        const all = await users.listAll(filter, signal);
        if (all.ok) write(all.value, all.value, totalText(all.value));
        return all;
      }
      const page = await users.listPage(filter, paging, signal);
      if (!page.ok) return page;
      if (page.value.users.length === 0 && paging.page > Math.max(1, page.value.totalPages))
        return err(noSuchPage(paging.page, page.value));
      write(page.value, page.value.users, pageText(page.value));
      return page;
    });
  },
});

const inputFields = { phone: 'texts', device: 'texts' } as const satisfies InputFields;

function parsePaging(line: Line<'page' | 'per-page'>) {
  const page = parseNumber(line, 'page', MAX_PAGE);
  const perPage = parseNumber(line, 'per-page', MAX_USERS_PER_PAGE);
  if (page === undefined && perPage === undefined) return undefined;
  return { page: page ?? 1, perPage: perPage ?? MAX_USERS_PER_PAGE };
}

/** An option with a whole number of at least 1. */
function parseNumber<Name extends string>(line: Line<Name>, name: Name, most: number): number | undefined {
  const text = line.text(name);
  if (text === undefined) return undefined;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= most) return number;
  throw new UsageError(`--${name} must be a whole number from 1 to ${most}.`);
}

function parseFilter(
  line: Pick<Line<keyof typeof inputFields>, 'texts'>,
  includeInactive: boolean,
): UserFilter {
  const phoneNumbers = line.texts('phone');
  const deviceIds = line.texts('device');
  if (Math.max(phoneNumbers.length, deviceIds.length) > MAX_FILTERS)
    throw new UsageError(`At most ${MAX_FILTERS} phone numbers and ${MAX_FILTERS} devices can be given.`);
  const filter = {
    ...(includeInactive && { includeInactive }),
    ...(phoneNumbers.length > 0 && { phoneNumbers }),
    ...(deviceIds.length > 0 && { deviceIds }),
  };
  return parseValue(userFilterSchema, filter, { phoneNumbers: '--phone', deviceIds: '--device' });
}

const noSuchPage = (wanted: number, { totalPages }: UserPage): Failure => ({
  code: 'NOT_FOUND',
  message: `There is no page ${wanted}; the list has ${counted(Math.max(1, totalPages), 'page')}.`,
  advice: '',
  retryable: false,
});

const pageText = ({ page, totalPages, users, totalCount }: UserPage): string =>
  `Page ${page} of ${Math.max(1, totalPages)}: ${users.length} of ${counted(totalCount, 'user')}.`;

const stateColumn: Column = { heading: 'STATE' };

const columns: readonly Column[] = [
  { heading: 'ID' },
  { heading: 'NAME', widest: 40, least: 14 },
  { heading: 'LOGIN', widest: 40, least: 16 },
  stateColumn,
  { heading: 'ROLE', widest: 16, optional: true },
  { heading: 'EMAIL', widest: 40, least: 24, optional: true },
];

/** Users as a table with `total` as the last line. If all are active, the state column is left out. */
function userLines(users: readonly TeamUser[], total: string, width: number | undefined): readonly string[] {
  if (users.length === 0) return [total];
  const states = users.every(({ isActive }) => isActive === true) ? [] : [stateText];
  const texts = [({ id }: TeamUser) => String(id), userName, loginText, ...states, roleText, emailText];
  const shown = columns.filter((column) => column !== stateColumn || states.length > 0);
  const rows = users.map((user) => texts.map((text) => text(user)));
  return [...tableLines(shown, rows, width), total];
}

const roleText = ({ role = '' }: TeamUser): string => role;
const emailText = ({ email = '' }: TeamUser): string => email;

/** The last line of a list of all users. */
function totalText(users: readonly TeamUser[]): string {
  if (users.length === 0) return 'No users.';
  const inactive = users.filter(({ isActive }) => isActive === false).length;
  return `${counted(users.length, 'user')}${inactive === 0 ? '' : `, ${inactive} inactive`}.`;
}

const sheetFields = [
  'id',
  'loginType',
  'phoneNumber',
  'deviceId',
  'firstName',
  'lastName',
  'name',
  'email',
  'isActive',
  'role',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof TeamUser)[];

/** Users with all their fields. */
const userSheet = (users: readonly TeamUser[]): Sheet => ({
  headings: sheetFields,
  rows: users.map((user) => sheetFields.map((field) => String(user[field] ?? ''))),
});
