import type { Failure } from '../../../shared/domain/failure.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import { MAX_USERS_PER_PAGE, type TeamUser, type UserFilter } from '../../../shared/domain/team-user.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import {
  createdUserAnswerSchema,
  toWireNewUser,
  toWireUser,
  userAnswerSchema,
  usersAnswerSchema,
  type wireNames,
} from '../../../shared/service/user.ts';
import { checkUserChanges } from '../core/team/check-user-changes.ts';
import { countUsers } from '../core/team/count-users.ts';
import { describeCreatedUser } from '../core/team/describe-created-user.ts';
import { valueOf, type CallService } from './call-service.ts';
import { methodRefused } from './failures.ts';
import { readPages, type Query } from './read-pages.ts';
import type { Users } from './team-service.ts';

type Changeable = Pick<TeamUser, keyof typeof wireNames>;
type UpdateMethod = Settings['users']['updateMethod'];

const LIST = 'Get users';
const UPDATE = 'Update user';
/** No such method (405), or no such place for it although the user was read a moment ago (404). */
const METHOD_STATUSES: ReadonlySet<number | undefined> = new Set([404, 405]);

/** Makes the calls of endpoints 11 to 15; updates go by `updateMethod` (service.md gap 24). */
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
    async update(userId, changes, signal) {
      const early = checkUserChanges(changes, undefined);
      if (early !== undefined) return err(early);
      const known = await users.get(userId, signal);
      if (!known.ok) return known;
      const wrong = checkUserChanges(changes, known.value.loginType);
      if (wrong !== undefined) return err(wrong);
      const endpoint = updateMethod === 'PUT' ? 'updateUserByPut' : 'updateUserByPost';
      const body = toWireUser({ ...known.value, ...knownFields<Changeable>(changes) });
      const answer = await send(UPDATE, { endpoint, ids: { userId }, body }, userAnswerSchema, signal);
      return explainMethod(valueOf(answer), updateMethod);
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
