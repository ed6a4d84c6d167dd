import { jsonAnswer } from '../http/answer.ts';
import type { ServiceUser } from '../team/team.ts';
import type { Route, ServiceContext } from './route.ts';
import { readNewUser, type NewDeviceUser, type NewPhoneUser } from './user-schema.ts';

type NewUser = NewPhoneUser | NewDeviceUser;

/** Endpoint 12, Create User. */
export const createUser: Route = {
  call: 'createUser',
  method: 'POST',
  path: ['users'],
  needsVideoPermission: false,
  query: {},
  async handle({ body }, context) {
    const asked = readNewUser(body);
    if (!asked.ok) return asked.error;
    const { users } = context.team;
    const existing = ownerOf(asked.value, context);
    const user = existing
      ? (users.get(existing.id) ?? joined(existing, asked.value, context))
      : buildUser(asked.value, context);
    users.put(user);
    if (asked.value.login_type === 'DEVICE') return jsonAnswer(201, { user });
    if (asked.value.send_invitation === true) {
      users.invite({ userId: user.id, phoneNumber: user.phone_number, at: context.clock.now() });
    }
    return jsonAnswer(201, { user: existing ? user : { ...user, temp_password: users.newPassword() } });
  },
};

function ownerOf(asked: NewUser, { team: { users } }: ServiceContext): ServiceUser | undefined {
  return asked.login_type === 'DEVICE'
    ? users.ownerOf('device_id', asked.device_id)
    : users.ownerOf('phone_number', asked.phone_number);
}

/** A user that the service already knew becomes a member with the requested role and keeps everything else. */
function joined(existing: ServiceUser, asked: NewUser, { clock }: ServiceContext): ServiceUser {
  return {
    ...existing,
    role: asked.role ?? 'member',
    is_active: asked.is_active ?? true,
    updated_at: new Date(clock.now()).toISOString(),
  };
}

function buildUser(asked: NewUser, { team: { users }, clock }: ServiceContext): ServiceUser {
  const now = new Date(clock.now()).toISOString();
  const common = {
    id: users.newId(),
    email: null,
    is_active: asked.is_active ?? true,
    role: asked.role ?? 'member',
    created_at: now,
    updated_at: now,
  };
  if (asked.login_type === 'DEVICE') {
    const { login_type, name, device_id } = asked;
    return { ...common, login_type, name, device_id, phone_number: '' };
  }
  const { login_type, first_name, last_name, phone_number } = asked;
  return { ...common, login_type, first_name, last_name, phone_number, device_id: null };
}
