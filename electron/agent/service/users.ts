import type { Failure, FailedField } from '../../../shared/domain/failure.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import {
  MAX_USERS_PER_PAGE,
  type TeamUser,
  type UserFilter,
  type UserChanges,
  type UserPage,
  type CreatedUser,
  type NewUser,
} from '../../../shared/domain/team-user.ts';
import type { ServiceId } from '../../../shared/domain/ids.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import {
  createdUserAnswerSchema,
  toWireNewUser,
  toWireUser,
  userAnswerSchema,
  usersAnswerSchema,
  wireNames,
} from '../../../shared/service/user.ts';
import { valueOf, type CallService, readPages, type Query } from './call-service.ts';
import { accessDifferences, comparable, describeCreatedUser } from './describe-created-user.ts';
import { methodRefused } from './failures.ts';

type Changeable = Pick<TeamUser, keyof typeof wireNames>;
type UpdateMethod = Settings['users']['updateMethod'];

const LIST = 'Get users';
const UPDATE = 'Update user';
/** No such method (405), or no such address for it although the user was read a moment ago (404). */
const METHOD_STATUSES: ReadonlySet<number | undefined> = new Set([404, 405]);

/** service.md endpoints 11 to 15. */
export interface Users {
  /** Endpoint 11, one page. `page` counts from 1, `perPage` is 1 to 100. */
  listPage(
    filter: UserFilter,
    paging: { readonly page: number; readonly perPage: number },
    signal: AbortSignal,
  ): Promise<Result<UserPage, Failure>>;
  /** Endpoint 11, every page, each user once. Errors: API_PAGING if the pages lead in a circle. */
  listAll(filter: UserFilter, signal: AbortSignal): Promise<Result<readonly TeamUser[], Failure>>;
  /** Endpoint 12. */
  create(user: NewUser, signal: AbortSignal): Promise<Result<CreatedUser, Failure>>;
  /** Endpoint 13. */
  get(id: ServiceId, signal: AbortSignal): Promise<Result<TeamUser, Failure>>;
  /**
   * Endpoint 14 with the method from the settings (service.md gap 24). The body has all fields of the user as it is,
   * with the changes (gap 35). `seen` is the user as the person making the changes saw it: nothing is sent if it has
   * changed since. Errors: METHOD_REFUSED if the service has no such method; CHANGED_ELSEWHERE; VALIDATION, also if the
   * response shows that something was not changed as requested.
   */
  update(
    id: ServiceId,
    changes: UserChanges,
    signal: AbortSignal,
    seen?: TeamUser,
  ): Promise<Result<TeamUser, Failure>>;
  /** Endpoint 15; returns the deleted user. */
  remove(id: ServiceId, signal: AbortSignal): Promise<Result<TeamUser, Failure>>;
}

/** Creates the calls of endpoints 11 to 15; updates use `updateMethod` (service.md gap 24). */
export function createUsers(send: CallService, updateMethod: UpdateMethod): Users {
  const users: Users = {
    async listPage(filter, paging, signal) {
      const query = listQuery(filter, paging);
      const answer = valueOf(await send(LIST, { endpoint: 'getUsers', query }, usersAnswerSchema, signal));
      return answer.ok ? ok(countUsers(answer.value.users, answer.value, paging)) : answer;
    },
    listAll(filter, signal) {
      return readPages(LIST, async (next) => {
        const page = Number(next?.[0]?.[1] ?? 1);
        const answer = await users.listPage(filter, { page, perPage: MAX_USERS_PER_PAGE }, signal);
        if (!answer.ok) return answer;
        const isLast = page >= answer.value.totalPages;
        const items = [...new Map(answer.value.users.map((user) => [user.id, user])).values()];
        return ok({ items, next: isLast ? undefined : [['page', String(page + 1)]] });
      });
    },
    async create(user, signal) {
      const call = { endpoint: 'createUser', body: toWireNewUser(user) } as const;
      const answer = await send('Create user', call, createdUserAnswerSchema, signal);
      if (!answer.ok) return answer;
      const { value, sentAtMs } = answer.value;
      return ok(describeCreatedUser(user, { ...value, sentAtMs }));
    },
    async get(userId, signal) {
      const call = { endpoint: 'getUser', ids: { userId } } as const;
      return valueOf(await send('Get user', call, userAnswerSchema, signal));
    },
    async update(userId, changes, signal, seen) {
      const early = checkUserChanges(changes, undefined);
      if (early !== undefined) return err(early);
      const known = await users.get(userId, signal);
      if (!known.ok) return known;
      const wrong = checkUserChanges(changes, known.value.loginType);
      if (wrong !== undefined) return err(wrong);
      const other = seen === undefined ? undefined : changedElsewhere(seen, known.value);
      if (other !== undefined) return err(other);
      const endpoint = updateMethod === 'PUT' ? 'updateUserByPut' : 'updateUserByPost';
      const body = toWireUser({ ...known.value, ...knownFields<Changeable>(changes) });
      const answer = await send(UPDATE, { endpoint, ids: { userId }, body }, userAnswerSchema, signal);
      const updated = explainMethod(valueOf(answer), updateMethod);
      const undone = updated.ok ? notMade(changes, known.value, updated.value) : undefined;
      return undone === undefined ? updated : err(undone);
    },
    async remove(userId, signal) {
      const call = { endpoint: 'deleteUser', ids: { userId } } as const;
      return valueOf(await send('Delete user', call, userAnswerSchema, signal));
    },
  };
  return users;
}

function listQuery(
  { includeInactive, phoneNumbers, deviceIds }: UserFilter,
  { page, perPage }: { readonly page: number; readonly perPage: number },
): Query {
  return [
    ['page', String(page)],
    ['per_page', String(perPage)],
    ...(includeInactive === true ? [['include_inactive', 'true'] as const] : []),
    ...(phoneNumbers ?? []).map((each) => ['phone_number[]', each] as const),
    ...(deviceIds ?? []).map((each) => ['device_id[]', each] as const),
  ];
}

function explainMethod(answer: Result<TeamUser, Failure>, method: UpdateMethod): Result<TeamUser, Failure> {
  if (answer.ok || !METHOD_STATUSES.has(answer.error.status)) return answer;
  return err(methodRefused(UPDATE, answer.error, method, method === 'POST' ? 'PUT' : 'POST'));
}

const ofPhones = ['firstName', 'lastName', 'phoneNumber'] as const;

const ofDevices = ['name', 'deviceId'] as const;

type OwnField = (typeof ofPhones)[number] | (typeof ofDevices)[number];

/**
 * Why changes to a user cannot be sent, or undefined: there is nothing to change, or fields belong to the other login
 * type (service.md endpoint 14). Without `loginType`, only fields that no user can have together are refused.
 */
export function checkUserChanges(changes: UserChanges, loginType: string | undefined): Failure | undefined {
  if (Object.values(changes).every((value) => value === undefined))
    return refusal('there is nothing to change', 'Specify at least one field to change.', []);
  const given = (names: readonly OwnField[]) => names.filter((name) => changes[name] !== undefined);
  const phone = given(ofPhones);
  const device = given(ofDevices);
  if (loginType === 'PHONE_NUMBER') return wrongFields(device, 'a device');
  if (loginType === 'DEVICE') return wrongFields(phone, 'a phone number');
  return phone.length > 0 ? wrongFields(device, 'a device') : undefined;
}

function wrongFields(names: readonly OwnField[], owner: string): Failure | undefined {
  if (names.length === 0) return undefined;
  const text = `can be set only for users who sign in with ${owner}`;
  const fields = names.map((name) => ({ name: wireNames[name], text }));
  const list = new Intl.ListFormat('en-GB').format(fields.map(({ name }) => wordFor(name)));
  return refusal(`${list} ${text}`, 'Omit fields that do not apply.', fields);
}

/** Fields that have another name for people. */
const words: Readonly<Record<string, string>> = {
  is_active: 'access',
  device_id: 'device ID',
  name: 'device name',
};

const wordFor = (name: string): string => words[name] ?? name.replaceAll('_', ' ');

function isNow(value: string | boolean | undefined): string {
  if (typeof value === 'boolean') return value ? 'active' : 'inactive';
  return value === undefined || value === '' ? 'empty' : `"${value}"`;
}

const changeable = Object.keys(wireNames).filter((name): name is keyof typeof wireNames => name in wireNames);

/** The failure if someone else changed a user since `seen`; undefined if nothing that can be edited differs. */
function changedElsewhere(seen: TeamUser, now: TeamUser): Failure | undefined {
  const fields = changeable
    .filter((name) => comparable(seen[name] ?? '') !== comparable(now[name] ?? ''))
    .map((name) => ({ name: wireNames[name], text: `is now ${isNow(now[name])}` }));
  if (fields.length === 0) return undefined;
  return {
    code: 'CHANGED_ELSEWHERE',
    message: `This user was changed in the meantime: ${listed(fields)}. Nothing was saved.`,
    advice: 'Save again to apply your changes on top of these.',
    retryable: true,
    fields,
  };
}

const listed = (fields: readonly FailedField[]): string =>
  fields.map(({ name, text }) => `${wordFor(name)} ${text}`).join(', ');

/**
 * The failure if the service accepted a change without applying it: it may not have deactivated anyone. Names, numbers
 * and devices may come back in another spelling; one that is still as it was `before` was not changed.
 */
function notMade(changes: UserChanges, before: TeamUser, now: TeamUser): Failure | undefined {
  const kept = [...ofPhones, ...ofDevices].filter((name) => {
    const [asked, was, is] = [changes[name], before[name], now[name]].map((text) => text && comparable(text));
    return asked && is && is === was && is !== asked;
  });
  const access = accessDifferences(changes, now).map(({ name }) => name);
  const fields = [...kept, ...access].map((name) => ({
    name: wireNames[name],
    text: `is ${isNow(now[name])}`,
  }));
  if (fields.length === 0) return undefined;
  return {
    code: 'VALIDATION',
    message: `The service accepted the update, but did not apply all of it: ${listed(fields)}.`,
    advice: 'Try again. If this keeps happening, send this text to the operator of the service.',
    retryable: false,
    fields,
  };
}

function refusal(reason: string, advice: string, fields: readonly FailedField[]): Failure {
  return {
    code: 'VALIDATION',
    message: `Update user: ${reason}. Nothing was sent.`,
    advice,
    retryable: false,
    ...(fields.length === 0 ? {} : { fields }),
  };
}

/** The counters of a page of users as the service stated them; each may be missing. */
interface StatedCounters {
  readonly page?: number | null | undefined;
  readonly per_page?: number | null | undefined;
  readonly total_pages?: number | null | undefined;
  readonly response_count?: number | null | undefined;
  readonly total_count?: number | null | undefined;
}

/**
 * A page with all its counters. Missing ones follow from the rest; if the service stated no total at all, a full page
 * is assumed to have one after it, and the total is the number of users known so far.
 */
export function countUsers(
  users: readonly TeamUser[],
  stated: StatedCounters,
  asked: { readonly page: number; readonly perPage: number },
): UserPage {
  const page = stated.page ?? asked.page;
  const perPage = stated.per_page ?? asked.perPage;
  const seen = (page - 1) * perPage + users.length;
  const fromTotal =
    stated.total_count == null ? undefined : Math.ceil(stated.total_count / Math.max(1, perPage));
  const totalPages = stated.total_pages ?? fromTotal ?? (users.length < perPage ? page : page + 1);
  return {
    page,
    perPage,
    totalPages,
    responseCount: stated.response_count ?? users.length,
    totalCount: stated.total_count ?? seen,
    users,
  };
}
