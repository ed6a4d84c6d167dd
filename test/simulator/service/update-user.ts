import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { jsonAnswer, statusRefusal, type Answer } from '../http/answer.ts';
import type { DeviceUser, PhoneUser, ServiceUser } from '../team/team.ts';
import type { Route, ServiceContext } from './route.ts';
import { readDeviceChanges, readPhoneChanges } from './user-schema.ts';
import { validationFailure } from './validation.ts';

/** Endpoint 14, Update User, by one of the two methods that the interface names (service.md gap 24). */
const updateUser = (method: 'POST' | 'PUT'): Route => ({
  call: 'updateUser',
  method,
  path: ['users', ':user_id'],
  needsVideoPermission: false,
  query: {},
  isOffered: ({ userUpdateMethod }) => userUpdateMethod === method || userUpdateMethod === 'both',
  async handle({ path, body }, context) {
    const user = context.team.users.get(path.user_id ?? '');
    if (user === undefined) return statusRefusal(404, 'User not found');
    const changed = user.login_type === 'DEVICE' ? changeDevice(user, body) : changePhone(user, body);
    if (!changed.ok) return changed.error;
    const taken = checkUnique(changed.value.user, context);
    if (taken !== undefined) return validationFailure(taken);
    const [users, now] = [context.team.users, context.clock.now()];
    const updated = { ...changed.value.user, updated_at: new Date(now).toISOString() };
    users.put(updated);
    if (changed.value.isInvited) {
      users.invite({ userId: user.id, phoneNumber: updated.phone_number, at: now });
    }
    return jsonAnswer(200, { user: updated });
  },
});

interface Change {
  readonly user: ServiceUser;
  readonly isInvited: boolean;
}

function changePhone(user: PhoneUser, body: unknown): Result<Change, Answer> {
  const changes = readPhoneChanges(body);
  if (!changes.ok) return err(changes.error);
  const { first_name, last_name, phone_number, role, is_active, send_invitation } = changes.value;
  const changed = {
    ...user,
    first_name: first_name ?? user.first_name,
    last_name: last_name ?? user.last_name,
    phone_number: phone_number ?? user.phone_number,
    role: role ?? user.role,
    is_active: is_active ?? user.is_active,
  };
  return ok({ user: changed, isInvited: send_invitation === true });
}

function changeDevice(user: DeviceUser, body: unknown): Result<Change, Answer> {
  const changes = readDeviceChanges(body);
  if (!changes.ok) return err(changes.error);
  const { name, device_id, role, is_active } = changes.value;
  const changed = {
    ...user,
    name: name ?? user.name,
    device_id: device_id ?? user.device_id,
    role: role ?? user.role,
    is_active: is_active ?? user.is_active,
  };
  return ok({ user: changed, isInvited: false });
}

/** A number and a device belong to one user of the service. */
function checkUnique(user: ServiceUser, { team: { users } }: ServiceContext): string | undefined {
  const isTaken = (field: 'phone_number' | 'device_id') => {
    const value = user[field];
    return value !== null && value !== '' && (users.ownerOf(field, value)?.id ?? user.id) !== user.id;
  };
  if (isTaken('phone_number')) return 'Phone number has already been taken';
  return isTaken('device_id') ? 'Device id has already been taken' : undefined;
}

export const updateUserRoutes: readonly Route[] = [updateUser('POST'), updateUser('PUT')];
