import type { teamCalls } from '../../../shared/ipc/calls/team.ts';
import { ok } from '../../../shared/lib/result.ts';
import type { TeamService } from '../service/connect-service.ts';
import type { Handlers } from './handler.ts';

/** What people do in the service: each call is one of its own, made once. */
export function createTeamHandlers({
  periods,
  messages,
  users,
}: TeamService): Handlers<keyof typeof teamCalls> {
  return {
    'periods.list': async ({ range }, signal) => {
      const listed = await periods.list(range, signal);
      return listed.ok ? ok({ periods: listed.value }) : listed;
    },
    'actions.list': async ({ periodId, formFields }, signal) => {
      const listed = await periods.listActions(periodId, formFields, signal);
      return listed.ok ? ok({ actions: listed.value }) : listed;
    },
    'messages.post': ({ message }, signal) => messages.post(message, signal),
    'messages.checkImage': async ({ image }, signal) => ok(await messages.checkImage(image, signal)),
    'users.list': ({ filter, page, perPage }, signal) => users.listPage(filter, { page, perPage }, signal),
    'users.get': ({ userId }, signal) => users.get(userId, signal),
    'users.create': ({ user }, signal) => users.create(user, signal),
    'users.update': ({ userId, changes }, signal) => users.update(userId, changes, signal),
    'users.deactivate': ({ userId }, signal) => users.update(userId, { isActive: false }, signal),
    'users.remove': ({ userId }, signal) => users.remove(userId, signal),
  };
}
