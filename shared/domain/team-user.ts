import { z } from 'zod';
import { serviceIdSchema } from './ids.ts';

/** Roles of users; the service decides what each may do. */
export const userRoles = ['admin', 'supervisor', 'member', 'staff'] as const;
/** One of `userRoles`. */
export type UserRole = (typeof userRoles)[number];

const text = z.string().exactOptional();

/** A user of the team. Times are ISO 8601 UTC as received; unknown values of `loginType` and `role` are kept. */
export const teamUserSchema = z
  .object({
    id: serviceIdSchema,
    loginType: text,
    phoneNumber: text,
    deviceId: text,
    firstName: text,
    lastName: text,
    /** Name of the device. */
    name: text,
    email: text,
    isActive: z.boolean().exactOptional(),
    role: text,
    createdAt: text,
    updatedAt: text,
  })
  .readonly();
/** See `teamUserSchema`. */
export type TeamUser = z.infer<typeof teamUserSchema>;

/** A phone number as the service accepts it: `+`, country code and number, 4 to 15 digits, no spaces. */
export const phoneNumberSchema = z
  .string()
  .regex(/^\+[1-9]\d{3,14}$/, 'must be + followed by 4 to 15 digits, country code first: +14155550100');

/** Longest name or device ID, characters. */
export const MAX_USER_TEXT = 255;
const someText = z.string().trim().min(1).max(MAX_USER_TEXT);
const deviceIdSchema = someText;
const roleSchema = z.enum(userRoles);
const phoneFields = { firstName: someText, lastName: someText, phoneNumber: phoneNumberSchema };
const deviceFields = { name: someText, deviceId: deviceIdSchema };
const access = { role: roleSchema.exactOptional(), isActive: z.boolean().exactOptional() };

/** A user to create; service.md endpoint 12. Each login type has its own fields; invitations go to phones. */
export const newUserSchema = z.discriminatedUnion('loginType', [
  z
    .strictObject({
      loginType: z.literal('PHONE_NUMBER'),
      ...phoneFields,
      ...access,
      sendInvitation: z.boolean().exactOptional(),
    })
    .readonly(),
  z.strictObject({ loginType: z.literal('DEVICE'), ...deviceFields, ...access }).readonly(),
]);
/** See `newUserSchema`. */
export type NewUser = z.infer<typeof newUserSchema>;

/** Changes to a user; service.md endpoint 14. The login type of a user cannot change. */
export const userChangesSchema = z
  .strictObject({ ...phoneFields, ...deviceFields, role: roleSchema, isActive: z.boolean() })
  .partial()
  .readonly();
/** See `userChangesSchema`. */
export type UserChanges = z.infer<typeof userChangesSchema>;

/** A field of an existing user that the service left unchanged; an update changes it. */
const keptFieldSchema = z
  .object({
    name: z.enum(['firstName', 'lastName', 'name', 'role', 'isActive']),
    asked: z.string(),
    kept: z.string(),
  })
  .readonly();

/** What "Create User" did. */
export const createdUserSchema = z
  .object({
    user: teamUserSchema,
    /** Shown once; never written to a log, a file or the queue. */
    temporaryPassword: z.string().exactOptional(),
    /** True when the phone number or device belonged to an existing user, who was only added to the team. */
    wasExisting: z.boolean(),
    keptFields: z.array(keptFieldSchema).readonly(),
  })
  .readonly();
/** See `createdUserSchema`. */
export type CreatedUser = z.infer<typeof createdUserSchema>;

/** Most users in one page (service.md "Limits"). */
export const MAX_USERS_PER_PAGE = 100;

/** Which users are listed; both filters together mean users that match both. service.md endpoint 11. */
export const userFilterSchema = z
  .object({
    includeInactive: z.boolean().exactOptional(),
    phoneNumbers: z.array(phoneNumberSchema).max(100).readonly().exactOptional(),
    deviceIds: z.array(deviceIdSchema).max(100).readonly().exactOptional(),
  })
  .readonly();
/** See `userFilterSchema`. */
export type UserFilter = z.infer<typeof userFilterSchema>;

/** One page of users, with the service's counters. */
export const userPageSchema = z
  .object({
    page: z.int(),
    perPage: z.int(),
    totalPages: z.int(),
    responseCount: z.int(),
    totalCount: z.int(),
    users: z.array(teamUserSchema).readonly(),
  })
  .readonly();
/** See `userPageSchema`. */
export type UserPage = z.infer<typeof userPageSchema>;

/** The name to show: first and last name, otherwise the device's name, phone number, device or id. */
export function userName({ firstName, lastName, name, phoneNumber, deviceId, id }: TeamUser): string {
  const full = [firstName, lastName].filter((each) => each !== undefined && each !== '').join(' ');
  return [full, name, phoneNumber, deviceId].find((each) => each !== undefined && each !== '') ?? String(id);
}
