import { MAX_USERS_PER_PAGE, userFilterSchema, type UserFilter } from '../../../shared/domain/team-user.ts';
import { ok } from '../../../shared/lib/result.ts';
import { noOperands, usageError, type Line, type Parsed } from '../read-options.ts';
import { configOf, parseFormat, parseId, parseNumber, parseValue } from '../parse-values.ts';
import type { UserCommand, UsersDeleteCommand, UsersListCommand } from './team-command.ts';

/** Highest page that can be asked for: far beyond any team. */
const MAX_PAGE = 1_000_000;
/** Most numbers or devices of one request: they travel in an address. */
const MAX_FILTERS = 100;

/** `users list`. */
export function parseUsersList(line: Line): Parsed<UsersListCommand> {
  const wrong = noOperands(line);
  if (wrong !== undefined) return wrong;
  const format = parseFormat(line);
  if (!format.ok) return format;
  const paging = parsePaging(line);
  if (!paging.ok) return paging;
  const filter = parseFilter(line);
  if (!filter.ok) return filter;
  return ok({
    kind: 'users list',
    filter: filter.value,
    format: format.value,
    ...paging.value,
    ...configOf(line),
  });
}

function parsePaging(line: Line): Parsed<Pick<UsersListCommand, 'paging'>> {
  const page = parseNumber(line, 'page', MAX_PAGE);
  if (!page.ok) return page;
  const perPage = parseNumber(line, 'per-page', MAX_USERS_PER_PAGE);
  if (!perPage.ok) return perPage;
  if (page.value !== undefined)
    return ok({ paging: { page: page.value, perPage: perPage.value ?? MAX_USERS_PER_PAGE } });
  if (perPage.value === undefined) return ok({});
  return usageError('--per-page needs --page; without it all pages are listed.', line.command);
}

function parseFilter(line: Line): Parsed<UserFilter> {
  const phoneNumbers = line.given.values('phone');
  const deviceIds = line.given.values('device');
  const filter = {
    ...(line.given.has('inactive') && { includeInactive: true }),
    ...(phoneNumbers.length > 0 && { phoneNumbers }),
    ...(deviceIds.length > 0 && { deviceIds }),
  };
  const crowded = Math.max(phoneNumbers.length, deviceIds.length) > MAX_FILTERS;
  if (crowded)
    return usageError(`--phone and --device can each be given at most ${MAX_FILTERS} times.`, line.command);
  return parseValue(line, userFilterSchema, filter, { phoneNumbers: '--phone', deviceIds: '--device' });
}

/** `users get` and `users deactivate`. */
export function parseUsersGet(line: Line, kind: UserCommand['kind']): Parsed<UserCommand> {
  const id = parseId(line, 'a user');
  return id.ok ? ok({ kind, userId: id.value, json: line.given.has('json'), ...configOf(line) }) : id;
}

/** `users delete`. */
export function parseUsersDelete(line: Line): Parsed<UsersDeleteCommand> {
  const id = parseId(line, 'a user');
  if (!id.ok) return id;
  const { given } = line;
  return ok({
    kind: 'users delete',
    userId: id.value,
    yes: given.has('yes'),
    json: given.has('json'),
    ...configOf(line),
  });
}
