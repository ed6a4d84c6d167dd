import type { TFunction } from 'i18next';
import { userRoles, type NewUser, type UserRole } from '../../../../shared/domain/team-user.ts';

const yes = ['true', 'yes', 'y', '1', 'x', 'on'];
const no = ['false', 'no', 'n', '0', 'off'];

const comparable = (text: string): string => text.normalize('NFC').trim().toLowerCase();

/** A role by its name in the service or on the screen. */
export function readRole(t: TFunction, text: string): UserRole | undefined {
  return userRoles.find((role) => isOneOf(text, [role, t(`users.roles.${role}`)]));
}

/** A way of logging in by its name in the service or on the screen. */
export function readLoginType(t: TFunction, text: string): NewUser['loginType'] | undefined {
  if (isOneOf(text, ['DEVICE', t('users.device')])) return 'DEVICE';
  const phone = ['PHONE_NUMBER', t('users.phone'), t('users.phoneNumber')];
  return isOneOf(text, phone) ? 'PHONE_NUMBER' : undefined;
}

/** Yes or no in the words of spreadsheets and of the screen. */
export function readYesNo(t: TFunction, text: string): boolean | undefined {
  if (isOneOf(text, [...yes, t('common.yes'), t('users.active')])) return true;
  return isOneOf(text, [...no, t('common.no'), t('users.noAccess')]) ? false : undefined;
}

function isOneOf(text: string, words: readonly string[]): boolean {
  return words.some((word) => comparable(word) === comparable(text));
}
