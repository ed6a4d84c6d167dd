import type { TeamUser } from '../../../shared/domain/team-user.ts';
import { callSchemas } from '../../../shared/ipc/contract.ts';
import type { Confirmation } from './confirmations.ts';
import { shown } from './shown-text.ts';

/** What the service says of the user whose access is to change. */
export type AccessNow = Pick<TeamUser, 'deviceId' | 'phoneNumber' | 'role'>;

/** The role that may do everything; giving it away is asked about. */
const ADMIN = 'admin';

/** Asked before somebody becomes an admin by being created. */
export function confirmCreation(input: unknown): Confirmation | undefined {
  const user = callSchemas['users.create'].input.safeParse(input).data?.user;
  if (user?.role !== ADMIN) return undefined;
  const login = user.loginType === 'DEVICE' ? user.deviceId : user.phoneNumber;
  return {
    message: `Create an admin who signs in with ${shown(login)}?`,
    detail: 'Admins can do everything in the team, also create and delete users.',
    action: 'Create admin',
  };
}

/** Asked before somebody becomes an admin, or can sign in as a user whom others know. */
export function confirmAccess(
  input: unknown,
  userName: string | undefined,
  now: AccessNow | undefined,
): Confirmation | undefined {
  const { data } = callSchemas['users.update'].input.safeParse(input);
  if (data === undefined) return undefined;
  const { phoneNumber, deviceId, role } = data.changes;
  const who = userName === undefined ? `the user with the id ${shown(String(data.userId))}` : shown(userName);
  const logins = [
    ...(phoneNumber === undefined || phoneNumber === now?.phoneNumber ? [] : [phoneNumber]),
    ...(deviceId === undefined || deviceId === now?.deviceId ? [] : [deviceId]),
  ];
  if (logins.length > 0)
    return {
      message: `Let ${logins.map(shown).join(' and ')} sign in as ${who}?`,
      detail: `Whoever has it acts as this user from then on${role === ADMIN ? ', who becomes an admin' : ''}.`,
      action: 'Change sign-in',
    };
  if (role !== ADMIN || now?.role === ADMIN) return undefined;
  return {
    message: `Make ${who} an admin?`,
    detail: 'Admins can do everything in the team, also create and delete users.',
    action: 'Make admin',
  };
}
