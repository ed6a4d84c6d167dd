import type { TeamConnection } from '../../../electron/agent/service/connect-service.ts';
import type { ImageCheck, PostedMessage } from '../../../shared/domain/chat-message.ts';
import type { Action, Period } from '../../../shared/domain/action.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { CreatedUser, TeamUser, UserPage } from '../../../shared/domain/team-user.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';

export const ada: TeamUser = {
  id: 7,
  loginType: 'PHONE_NUMBER',
  phoneNumber: '+14155550100',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  isActive: true,
  role: 'member',
  createdAt: '2026-01-02T03:04:05.000Z',
  updatedAt: '2026-05-01T19:30:05.000Z',
};

/** An action with only its required fields. */
export const action = (id: number, facts: Partial<Action> = {}): Action => ({
  id,
  assignedUsers: [],
  formFields: [],
  missingFields: [],
  notes: [],
  otherFields: [],
  ...facts,
});

/** What the test's service holds, and how its calls fail or wait. */
export interface TeamScript {
  readonly periods?: readonly Period[];
  readonly actions?: readonly Action[];
  /** Why there are more actions than these. */
  readonly incomplete?: Failure;
  readonly users?: readonly TeamUser[];
  readonly page?: Partial<UserPage>;
  readonly updated?: TeamUser;
  readonly created?: Partial<CreatedUser>;
  readonly posted?: PostedMessage;
  readonly image?: ImageCheck;
  /** The failure of every call except the image check. */
  readonly failure?: Failure;
  /** Called with the name of each call before it is answered. */
  readonly before?: (name: string, signal: AbortSignal) => Promise<void>;
}

/** A team that a test scripts; `calls` records the calls it received. */
export function createFakeTeam(script: TeamScript = {}) {
  const calls: (readonly [name: string, ...input: unknown[]])[] = [];
  let isStopped = false;
  async function answer<T>(value: T, signal: AbortSignal, name: string, ...input: unknown[]) {
    calls.push([name, ...input]);
    await script.before?.(name, signal);
    const result: Result<T, Failure> = script.failure === undefined ? ok(value) : err(script.failure);
    return result;
  }
  const [first = ada] = script.users ?? [];
  const users = script.users ?? [ada];
  const page = { page: 1, perPage: 100, totalPages: 1, responseCount: 1, totalCount: users.length, users };
  const team: TeamConnection = {
    periods: {
      list: (range, signal) => answer(script.periods ?? [], signal, 'periods.list', range),
      readActions: (id, fields, signal) =>
        answer(
          { items: script.actions ?? [], ...(script.incomplete && { problem: script.incomplete }) },
          signal,
          'periods.readActions',
          id,
          fields,
        ),
    },
    messages: {
      post: (message, signal) => answer(script.posted ?? { id: 900 }, signal, 'messages.post', message),
      checkImage: async (image, signal) => {
        calls.push(['messages.checkImage', image]);
        await script.before?.('messages.checkImage', signal);
        return script.image ?? { kind: 'fine', type: 'png' };
      },
    },
    users: {
      listPage: (filter, paging, signal) =>
        answer({ ...page, ...script.page }, signal, 'users.listPage', filter, paging),
      listAll: (filter, signal) => answer(users, signal, 'users.listAll', filter),
      create: (user, signal) =>
        answer(
          { user: { id: 8, ...user }, wasExisting: false, keptFields: [], ...script.created },
          signal,
          'users.create',
          user,
        ),
      get: (id, signal) => answer(first, signal, 'users.get', id),
      update: (id, changes, signal) =>
        answer(script.updated ?? Object.assign({}, first, changes), signal, 'users.update', id, changes),
      remove: (id, signal) => answer(first, signal, 'users.remove', id),
    },
    stop: () => (isStopped = true),
  };
  return { team, calls, isStopped: () => isStopped };
}
