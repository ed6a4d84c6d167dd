import { createMessageStore, type MessageStore } from './message-store.ts';
import { emptyTeam, sampleTeam } from './sample-team.ts';
import type { TeamData } from './team.ts';
import { createUserStore, type UserStore } from './user-store.ts';

/** The team that the service knows: made when it is first asked for, so that a start stays quick. */
export interface TeamStore {
  /** As it is now: users that came and went are in and out. */
  team(): TeamData;
  readonly users: UserStore;
  readonly messages: MessageStore;
}

const teams = { sample: sampleTeam, empty: emptyTeam } as const;
export type TeamKind = keyof typeof teams;

/** `startedAt` is the time that the sample's season lies around, milliseconds. */
export function createTeamStore(kind: TeamKind, startedAt: number): TeamStore {
  let made: TeamData | undefined;
  const load = () => (made ??= teams[kind](startedAt));
  const users = createUserStore(load);
  return {
    users,
    messages: createMessageStore(),
    team: () => ({
      ...load(),
      channels: load().channels.map((channel) => ({
        ...channel,
        memberIds: channel.memberIds.filter((id) => users.get(id) !== undefined),
      })),
      users: users.users(),
      outsiders: users.outsiders(),
    }),
  };
}
