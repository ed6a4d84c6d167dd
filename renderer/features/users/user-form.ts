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

/** What can be typed about a user; which fields count depends on how the user logs in. */
export interface UserForm {
  readonly loginType: 'PHONE_NUMBER' | 'DEVICE';
  readonly firstName: string;
  readonly lastName: string;
  readonly phoneNumber: string;
  readonly name: string;
  readonly deviceId: string;
  /** Undefined: it stays as it is. */
  readonly role: UserRole | undefined;
  readonly sendInvitation: boolean;
}
/** A field that can be wrong. */
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

/** The fields that belong to a way of logging in (service.md endpoint 12). */
export function fieldsOf(loginType: UserForm['loginType']): readonly UserField[] {
  return loginType === 'PHONE_NUMBER'
    ? ['firstName', 'lastName', 'phoneNumber', 'role']
    : ['name', 'deviceId', 'role'];
}

/**
 * Which fields keep the user from being created, or from being changed, with the string that says why. What `known`
 * has is not held against it: the service took it once.
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

/** The user that the form says; only the fields of its login type. Undefined while something is wrong. */
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

/** The form as a user is. */
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

/** What differs from the user as it is; undefined when nothing does. */
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

/** Accents can be written in two ways, and spaces are hard to count: neither makes another name. */
const comparable = (name: string): string => name.normalize('NFC').trim().replaceAll(/\s+/g, ' ');

/** Whether the typed name is that name. Small and large letters count. */
export function isSameName(typed: string, name: string): boolean {
  return comparable(typed) !== '' && comparable(typed) === comparable(name);
}

/** What is known of a phone number while it is typed. */
interface ReadPhone {
  /** As the service takes it; undefined as long as it is no number with its country code. */
  readonly e164: string | undefined;
  /** As people write it in that country. */
  readonly formatted: string | undefined;
  /** Undefined where countries share a code and the number does not tell. */
  readonly country: string | undefined;
  /** Whether it has as many digits as numbers of that country have. */
  readonly isComplete: boolean;
  /** False when no such mobile number is known; new ranges appear, so it is a doubt and no refusal. */
  readonly isKnown: boolean;
}

/** Reads a number with its country code; spaces, hyphens and brackets are for people. */
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
