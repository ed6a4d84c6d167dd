import { z } from 'zod';
import type { Result } from '../../../shared/lib/result.ts';
import type { Answer } from '../http/answer.ts';
import { roles, type ServiceUser } from '../team/team.ts';
import { oneOf, someText, validated, yesOrNo } from './validation.ts';

const NOT_OBJECT = 'must be an object';

/** `+`, country code and number, without spaces. */
const phoneNumber = someText.refine((text) => text.trim() === '' || isPhoneNumber(text), 'is invalid');

const access = { role: oneOf(roles).optional(), is_active: yesOrNo.optional() };
const phoneFields = { first_name: someText, last_name: someText, phone_number: phoneNumber };
const deviceFields = { name: someText, device_id: someText };

const phoneUser = { ...phoneFields, ...access, send_invitation: yesOrNo.optional() };
const deviceUser = { ...deviceFields, ...access };

const newPhoneUserSchema = z.strictObject({ login_type: z.literal('PHONE_NUMBER'), ...phoneUser });
const newDeviceUserSchema = z.strictObject({ login_type: z.literal('DEVICE'), ...deviceUser });
const phoneChangesSchema = z
  .strictObject({ login_type: z.literal('PHONE_NUMBER', "can't be changed"), ...phoneUser }, NOT_OBJECT)
  .partial();
const deviceChangesSchema = z
  .strictObject({ login_type: z.literal('DEVICE', "can't be changed"), ...deviceUser }, NOT_OBJECT)
  .partial();
const loginSchema = z.looseObject({ login_type: oneOf(['PHONE_NUMBER', 'DEVICE']) }, NOT_OBJECT);

export type NewPhoneUser = z.infer<typeof newPhoneUserSchema>;
export type NewDeviceUser = z.infer<typeof newDeviceUserSchema>;

/** Body of endpoint 12: each login type has its own fields, and only those. */
export function readNewUser(body: unknown): Result<NewPhoneUser | NewDeviceUser, Answer> {
  const login = validated(loginSchema, body);
  if (!login.ok) return login;
  return login.value.login_type === 'DEVICE'
    ? validated(newDeviceUserSchema, body, notOf('DEVICE'))
    : validated(newPhoneUserSchema, body, notOf('PHONE_NUMBER'));
}

/** Body of endpoint 14 for a user with a phone: any of the fields; the login type, if sent, must be the user's. */
export function readPhoneChanges(body: unknown): Result<z.infer<typeof phoneChangesSchema>, Answer> {
  return validated(phoneChangesSchema, body, notOf('PHONE_NUMBER'));
}

/** The same for a user who logs in by a device. */
export function readDeviceChanges(body: unknown): Result<z.infer<typeof deviceChangesSchema>, Answer> {
  return validated(deviceChangesSchema, body, notOf('DEVICE'));
}

/** The problem with a field that users of this login type do not have. */
function notOf(loginType: ServiceUser['login_type']): (name: string) => string {
  const known = new Set([...Object.keys(phoneUser), ...Object.keys(deviceUser)]);
  return (name) => (known.has(name) ? `is not a field of ${loginType} users` : 'is not a known field');
}

export function isPhoneNumber(text: string): boolean {
  return /^\+[1-9]\d{6,14}$/.test(text);
}
