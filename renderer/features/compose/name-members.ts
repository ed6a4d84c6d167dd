import { userName, type TeamUser } from '../../../shared/domain/team-user.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';

/** Someone as whom a message can be sent. */
export interface Member {
  readonly id: string | number;
  /** Different for each of them. */
  readonly name: string;
  readonly role: string | undefined;
}

/** Names by which members can be told apart: where two share a name, each has the id beside it. */
export function nameMembers(users: readonly TeamUser[]): readonly Member[] {
  const named = users.map((user) => ({ id: user.id, name: visibleName(userName(user)), role: user.role }));
  const counts = new Map<string, number>();
  for (const { name } of named) counts.set(name, (counts.get(name) ?? 0) + 1);
  return named.map((member) =>
    counts.get(member.name) === 1 ? member : { ...member, name: `${member.name} · ${member.id}` },
  );
}
