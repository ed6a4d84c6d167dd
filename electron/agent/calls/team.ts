import type { teamCalls } from '../../../shared/ipc/calls/team.ts';
import { ok } from '../../../shared/lib/result.ts';
import type { TeamService } from '../service/connect-service.ts';
import type { Calls } from './call.ts';

/** Creates the calls for what people do in the service: each request is sent only once. */
export function createTeamCalls({ periods, messages, users }: TeamService): Calls<keyof typeof teamCalls> {
  return {
    'periods.list': {
      async handle({ range }, signal) {
        const listed = await periods.list(range, signal);
        return listed.ok ? ok({ periods: listed.value }) : listed;
      },
    },
    'actions.list': {
      async handle({ periodId, formFields }, signal) {
        const read = await periods.readActions(periodId, formFields, signal);
        if (!read.ok) return read;
        const { items, problem } = read.value;
        return ok({ actions: items, ...(problem !== undefined && { incomplete: problem }) });
      },
    },
    'messages.post': {
      handle: ({ message }, signal) => messages.post(message, signal),
      audit: { asked: ({ message }) => ({ to: message.kind, channelId: String(message.channelId) }) },
    },
    'messages.checkImage': {
      handle: async ({ image }, signal) => ok(await messages.checkImage(image, signal)),
    },
    'users.list': {
      handle: ({ filter, page, perPage }, signal) => users.listPage(filter, { page, perPage }, signal),
    },
    'users.get': { handle: ({ userId }, signal) => users.get(userId, signal) },
    'users.create': {
      handle: ({ user }, signal) => users.create(user, signal),
      audit: {
        asked: ({ user }) => ({ loginType: user.loginType }),
        done: ({ user }) => ({ userId: String(user.id) }),
      },
    },
    'users.update': {
      handle: ({ userId, changes, seen }, signal) => users.update(userId, changes, signal, seen),
      audit: {
        asked: ({ userId, changes }) => ({ userId: String(userId), fields: Object.keys(changes) }),
      },
    },
    'users.deactivate': {
      handle: ({ userId }, signal) => users.update(userId, { isActive: false }, signal),
      audit: { asked: ({ userId }) => ({ userId: String(userId) }) },
    },
    'users.remove': {
      handle: ({ userId }, signal) => users.remove(userId, signal),
      audit: { asked: ({ userId }) => ({ userId: String(userId) }) },
    },
  };
}
