import { createChooser } from './chooser.ts';
import { userId } from './sample-users.ts';
import type { ServiceUser, TeamData } from './team.ts';

const SEED = 14;
const PASSWORD_LENGTH = 12;
/** Leaves out letters and digits that look alike. */
const PASSWORD_ALPHABET = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** An SMS invitation that was sent. */
export interface Invitation {
  readonly userId: string;
  readonly phoneNumber: string;
  readonly at: number;
}

/** The current users of the team, and the other users whom the service knows. */
export interface UserStore {
  /** In the order in which they were added, including inactive ones. */
  users(): readonly ServiceUser[];
  outsiders(): readonly ServiceUser[];
  get(id: string): ServiceUser | undefined;
  /** The user with this number or device, in the team or not. */
  ownerOf(field: 'phone_number' | 'device_id', value: string): ServiceUser | undefined;
  /** Adds a user to the team, or replaces an existing one. */
  put(user: ServiceUser): void;
  remove(id: string): void;
  newId(): string;
  newPassword(): string;
  invite(invitation: Invitation): void;
  invitations(): readonly Invitation[];
}

export function createUserStore(load: () => TeamData): UserStore {
  const choose = createChooser(SEED);
  const invitations: Invitation[] = [];
  let known:
    | { readonly team: Map<string, ServiceUser>; readonly outside: Map<string, ServiceUser> }
    | undefined;
  const maps = () => (known ??= { team: byId(load().users), outside: byId(load().outsiders) });
  const users = () => [...maps().team.values()];
  const outsiders = () => [...maps().outside.values()];
  return {
    users,
    outsiders,
    get: (id) => maps().team.get(id),
    ownerOf: (field, value) => [...users(), ...outsiders()].find((user) => user[field] === value),
    put(user) {
      maps().outside.delete(user.id);
      maps().team.set(user.id, user);
    },
    remove: (id) => void maps().team.delete(id),
    newId: () => userId(choose),
    newPassword: () => choose.text(PASSWORD_ALPHABET, PASSWORD_LENGTH),
    invite: (invitation) => void invitations.push(invitation),
    invitations: () => invitations,
  };
}

function byId(users: readonly ServiceUser[]): Map<string, ServiceUser> {
  return new Map(users.map((user) => [user.id, user]));
}
