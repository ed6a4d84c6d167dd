import { parsePhoneNumberFromString } from 'libphonenumber-js/mobile';
import {
  MAX_USER_TEXT,
  newUserSchema,
  phoneNumberSchema,
  userChangesSchema,
  type NewUser,
  type TeamUser,
  type UserChanges,
  type UserRole,
} from '../../../shared/domain/team-user.ts';

/** The editable fields of a user; which of them apply depends on the login type. */
export interface UserForm {
  readonly loginType: 'PHONE_NUMBER' | 'DEVICE';
  readonly firstName: string;
  readonly lastName: string;
  readonly phoneNumber: string;
  readonly name: string;
  readonly deviceId: string;
  /** Undefined: unchanged. */
  readonly role: UserRole | undefined;
  readonly sendInvitation: boolean;
}
/** A field that can be invalid. */
export type UserField = 'firstName' | 'lastName' | 'phoneNumber' | 'name' | 'deviceId' | 'role';

export const emptyUserForm: UserForm = {
  loginType: 'PHONE_NUMBER',
  firstName: '',
  lastName: '',
  phoneNumber: '',
  name: '',
  deviceId: '',
  role: 'member',
  sendInvitation: false,
};

/** The fields of a login type (service.md endpoint 12). */
export function fieldsOf(loginType: UserForm['loginType']): readonly UserField[] {
  return loginType === 'PHONE_NUMBER'
    ? ['firstName', 'lastName', 'phoneNumber', 'role']
    : ['name', 'deviceId', 'role'];
}

/**
 * The invalid fields, with the string that says why. Values unchanged from `known` are accepted: the service accepted
 * them before.
 */
export function userProblems(form: UserForm, known?: TeamUser): ReadonlyMap<UserField, string> {
  const problems = new Map<UserField, string>();
  const before = known === undefined ? undefined : formOfUser(known);
  for (const field of fieldsOf(form.loginType)) {
    if (field === 'role' || form[field].trim() === before?.[field].trim()) continue;
    if (form[field].trim() === '') problems.set(field, 'users.required');
    else if (field === 'phoneNumber' && readPhone(form.phoneNumber).e164 === undefined)
      problems.set(field, 'users.badPhone');
    else if (form[field].trim().length > MAX_USER_TEXT) problems.set(field, 'users.tooLong');
  }
  return problems;
}

/** The new user that the form describes, with only the fields of its login type; undefined while invalid. */
export function newUserOf(form: UserForm): NewUser | undefined {
  const { loginType, role } = form;
  const access = role === undefined ? {} : { role };
  const user =
    loginType === 'PHONE_NUMBER'
      ? {
          loginType,
          ...access,
          firstName: form.firstName,
          lastName: form.lastName,
          phoneNumber: readPhone(form.phoneNumber).e164,
          ...(form.sendInvitation ? { sendInvitation: true } : {}),
        }
      : { loginType, ...access, name: form.name, deviceId: form.deviceId };
  return newUserSchema.safeParse(user).data;
}

/** The form filled with a user's values. */
export function formOfUser(user: TeamUser): UserForm {
  const role = userChangesSchema.safeParse({ role: user.role }).data?.role;
  return {
    ...emptyUserForm,
    loginType: user.loginType === 'DEVICE' ? 'DEVICE' : 'PHONE_NUMBER',
    firstName: user.firstName ?? '',
    lastName: user.lastName ?? '',
    phoneNumber: user.phoneNumber ?? '',
    name: user.name ?? '',
    deviceId: user.deviceId ?? '',
    role,
  };
}

/** The changes made to the user; undefined if there are none. */
export function changesOfUser(user: TeamUser, form: UserForm): UserChanges | undefined {
  const before = formOfUser(user);
  const changed = fieldsOf(form.loginType).filter((field) =>
    field === 'role' ? form.role !== before.role : form[field].trim() !== before[field].trim(),
  );
  if (changed.length === 0) return undefined;
  const values = changed.map((field) => [
    field,
    field === 'phoneNumber' ? readPhone(form.phoneNumber).e164 : form[field]?.trim(),
  ]);
  return userChangesSchema.safeParse(Object.fromEntries(values)).data;
}

/** Normalises accents, which have two encodings, and spaces, which are hard to count. */
const comparable = (name: string): string => name.normalize('NFC').trim().replaceAll(/\s+/g, ' ');

/** Whether the typed name matches. Case matters. */
export function isSameName(typed: string, name: string): boolean {
  return comparable(typed) !== '' && comparable(typed) === comparable(name);
}

/** What is known about a phone number while it is typed. */
interface ReadPhone {
  /** The number as the service accepts it; undefined until it is a number with a country code. */
  readonly e164: string | undefined;
  /** Formatted as usual in that country. */
  readonly formatted: string | undefined;
  /** Undefined if countries share a calling code and the number does not identify one. */
  readonly country: string | undefined;
  /** Whether it has as many digits as that country's numbers have. */
  readonly isComplete: boolean;
  /** False if no such mobile number is known; new ranges appear, so this is only a warning. */
  readonly isKnown: boolean;
}

/** Parses a number with its country code; spaces, hyphens and brackets are ignored. */
export function readPhone(text: string): ReadPhone {
  const parsed = parsePhoneNumberFromString(text.trim());
  const e164 = phoneNumberSchema.safeParse(parsed?.number ?? text.replaceAll(/[\s().-]/g, '')).data;
  if (parsed === undefined || e164 === undefined)
    return { e164, formatted: undefined, country: undefined, isComplete: false, isKnown: false };
  return {
    e164,
    formatted: parsed.formatInternational(),
    country: parsed.country,
    isComplete: parsed.isPossible(),
    isKnown: parsed.isValid(),
  };
}
