import { z } from 'zod';
import { serviceIdSchema } from '../domain/ids.ts';
import type { NewUser, TeamUser } from '../domain/team-user.ts';
import { assertNever } from '../lib/result.ts';
import { namedEntries } from '../lib/json-text.ts';
import { knownFields } from '../lib/known-fields.ts';

/** Wire format of service.md "User". Unknown fields are dropped, optional ones may be missing or null. */
const text = z.string().nullish();
const ISO_TIME = /^(\d{4}-\d\d-\d\d)[T ]([\d:.]+) ?(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i;

/**
 * All times are UTC (service.md "Dates"): one without a zone would be read in this PC's zone, and one with another
 * zone would be shown unchanged under headings that say UTC.
 */
export const timestampSchema = z.string().transform(inUtc).nullish();

function inUtc(time: string): string {
  const [, day, clock, zone = 'Z'] = ISO_TIME.exec(time) ?? [];
  if (day === undefined) return time;
  if (!/\d/.test(zone)) return `${day}T${clock}Z`;
  const moment = new Date(`${day}T${clock}${zone.length === 3 ? `${zone}:00` : zone}`);
  return Number.isNaN(moment.getTime()) ? time : moment.toISOString();
}

const wireUserSchema = z.object({
  id: serviceIdSchema,
  login_type: text,
  phone_number: text,
  device_id: text,
  first_name: text,
  last_name: text,
  name: text,
  email: text,
  is_active: z.boolean().nullish(),
  role: text,
  created_at: timestampSchema,
  updated_at: timestampSchema,
  /** Never a reason to refuse an answer: the user exists by then. */
  temp_password: text.catch(undefined),
});

/**
 * A counter of a list; one beyond 2^53 arrives as its digits (service.md gap 34) and counts as missing: the list itself
 * is there, and is shown.
 */
export const counterSchema = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{16,}$/.test(value) ? undefined : value),
  z.int().min(0).nullish(),
);

/** Answer of endpoints 13, 14 and 15. */
export const userAnswerSchema = z
  .object({ user: wireUserSchema })
  .transform(({ user }): TeamUser => toTeamUser(user));

/** Answer of endpoint 12: the user, and the password, which is sent only this once. */
export const createdUserAnswerSchema = z
  .object({ user: z.preprocess(withoutOddFields, wireUserSchema) })
  .transform(({ user }) => ({
    user: toTeamUser(user),
    ...knownFields<{ temporaryPassword: string }>({ temporaryPassword: noBlank(user.temp_password) }),
  }));

/** The password would be lost with an answer that is refused, so a field that cannot be read counts as missing. */
function withoutOddFields(user: unknown): unknown {
  if (typeof user !== 'object' || user === null) return user;
  const odd = new Set(wireUserSchema.safeParse(user).error?.issues.map(({ path: [name] }) => name));
  if (odd.size === 0 || odd.has('id')) return user;
  return Object.fromEntries(namedEntries(user).filter(([name]) => !odd.has(name)));
}

/** Answer of endpoint 11. Counters may be missing; see `countUsers`. */
export const usersAnswerSchema = z
  .object({
    page: counterSchema.optional(),
    per_page: counterSchema.optional(),
    total_pages: counterSchema.optional(),
    response_count: counterSchema.optional(),
    total_count: counterSchema.optional(),
    users: z.array(wireUserSchema.transform(toTeamUser)).nullable(),
  })
  .transform(({ users, ...counters }) => ({ ...counters, users: users ?? [] }));

function toTeamUser(wire: z.infer<typeof wireUserSchema>): TeamUser {
  return {
    id: wire.id,
    ...knownFields<Omit<TeamUser, 'id'>>({
      loginType: wire.login_type,
      phoneNumber: noBlank(wire.phone_number),
      deviceId: noBlank(wire.device_id),
      firstName: wire.first_name,
      lastName: wire.last_name,
      name: wire.name,
      email: wire.email,
      isActive: wire.is_active,
      role: wire.role,
      createdAt: wire.created_at,
      updatedAt: wire.updated_at,
    }),
  };
}

/** The service writes a missing phone number or device id as a blank one. */
const noBlank = (value: string | null | undefined): string | undefined =>
  value === null || value === '' ? undefined : value;

/** Body of endpoints 12 and 14, with the service's names. */
export interface WireUserWrite {
  readonly login_type: string;
  readonly name: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly phone_number: string;
  readonly device_id: string;
  readonly role: string;
  readonly is_active: boolean;
  readonly send_invitation: boolean;
}

const unsetFields = {
  name: undefined,
  first_name: undefined,
  last_name: undefined,
  phone_number: undefined,
  device_id: undefined,
  send_invitation: undefined,
};

/** A new user as it is sent: the fields of its login type, and whatever else was given. */
export function toWireNewUser(user: NewUser): Partial<WireUserWrite> {
  const access = { login_type: user.loginType, role: user.role, is_active: user.isActive };
  switch (user.loginType) {
    case 'PHONE_NUMBER': {
      const { firstName, lastName, phoneNumber, sendInvitation } = user;
      return knownFields<WireUserWrite>({
        ...unsetFields,
        ...access,
        first_name: firstName,
        last_name: lastName,
        phone_number: phoneNumber,
        send_invitation: sendInvitation,
      });
    }
    case 'DEVICE':
      return knownFields<WireUserWrite>({
        ...unsetFields,
        ...access,
        name: user.name,
        device_id: user.deviceId,
      });
    default:
      return assertNever(user);
  }
}

/** A known user as it is sent back: all fields of its login type; what is unknown or blank is left out. */
export function toWireUser(user: TeamUser): Partial<WireUserWrite> {
  const { loginType } = user;
  const phone = { first_name: user.firstName, last_name: user.lastName, phone_number: user.phoneNumber };
  const device = { name: user.name, device_id: user.deviceId };
  const known = knownFields<WireUserWrite>({
    ...unsetFields,
    login_type: loginType,
    ...(loginType === 'DEVICE' ? {} : phone),
    ...(loginType === 'PHONE_NUMBER' ? {} : device),
    role: user.role,
    is_active: user.isActive,
  });
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== ''));
}

/** The name on the wire of each field that an update may change. */
export const wireNames = {
  firstName: 'first_name',
  lastName: 'last_name',
  phoneNumber: 'phone_number',
  name: 'name',
  deviceId: 'device_id',
  role: 'role',
  isActive: 'is_active',
} as const satisfies Readonly<Record<string, keyof WireUserWrite>>;
