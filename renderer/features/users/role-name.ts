import type { TFunction } from 'i18next';
import { userRoles } from '../../../shared/domain/team-user.ts';

/** The word for a role; a role that is new to this program is shown as the service calls it. */
export function roleName(t: TFunction, role: string | undefined): string {
  const known = userRoles.find((each) => each === role);
  return known === undefined ? (role ?? '') : t(`users.roles.${known}`);
}
