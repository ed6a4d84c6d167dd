import { useState } from 'react';
import type { TeamUser } from '../../../shared/domain/team-user.ts';

/** The users that are marked for an order of many; they stay marked from page to page. */
export interface Marks {
  readonly users: readonly TeamUser[];
  readonly ids: ReadonlySet<string>;
  readonly toggle: (user: TeamUser) => void;
  /** Marks these too, or none of them when all of them are. */
  readonly toggleAll: (users: readonly TeamUser[]) => void;
  /** Marks these and no others. */
  readonly set: (users: readonly TeamUser[]) => void;
  readonly clear: () => void;
}

const none: ReadonlyMap<string, TeamUser> = new Map();
const idOf = ({ id }: TeamUser): string => String(id);

/** `filterKey` names what is listed: under another filter nothing is marked that cannot be seen. */
export function useMarks(filterKey: string): Marks {
  const [state, setState] = useState({ filterKey, marked: none });
  const marked = state.filterKey === filterKey ? state.marked : none;
  const put = (users: Iterable<readonly [string, TeamUser]>): void =>
    setState({ filterKey, marked: new Map(users) });
  const without = (ids: ReadonlySet<string>) => [...marked].filter(([id]) => !ids.has(id));
  return {
    users: [...marked.values()],
    ids: new Set(marked.keys()),
    toggle(user) {
      const id = idOf(user);
      put(marked.has(id) ? without(new Set([id])) : [...marked, [id, user]]);
    },
    toggleAll(users) {
      const areMarked = users.every((user) => marked.has(idOf(user)));
      put(
        areMarked
          ? without(new Set(users.map(idOf)))
          : [...marked, ...users.map((user) => [idOf(user), user] as const)],
      );
    },
    set: (users) => put(users.map((user) => [idOf(user), user])),
    clear: () => put([]),
  };
}
