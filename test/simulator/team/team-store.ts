import { createMessageStore, type MessageStore } from './message-store.ts';
import { emptyTeam, sampleTeam } from './sample-team.ts';
import type { TeamData } from './team.ts';
import { createUserStore, type UserStore } from './user-store.ts';

/** The team that the service knows: created on first use, so that starting is quick. */
export interface TeamStore {
  /** The team as it is now, with added and removed users taken into account. */
  team(): TeamData;
  readonly users: UserStore;
  readonly messages: MessageStore;
}

const teams = { sample: sampleTeam, empty: emptyTeam } as const;
export type TeamKind = keyof typeof teams;

/** `startedAt` is the time around which the sample's season is built, milliseconds. */
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
