import type { TeamUser } from '../../../shared/domain/team-user.ts';
import { jsonText } from '../json-text.ts';
import type { Output } from '../output.ts';
import { userCard } from '../commands/user-text.ts';

/** Writes one user to stdout. */
export function writeUser(user: TeamUser, json: boolean, output: Output): void {
  output.data(`${json ? jsonText(user, 2) : userCard(user).join('\n')}\n`);
}
