import { createChooser, type Chooser } from './chooser.ts';
import { deviceKinds, devicePlaces, hostileNames, peopleNames } from './sample-names.ts';
import type { DeviceUser, PhoneUser, Role, ServiceUser } from './team.ts';

const SEED = 11;
const DAY_MS = 86_400_000;
const PHONE_USERS = 180;
const DEVICE_USERS = 70;
const OUTSIDE_PHONES = 6;
const OUTSIDE_DEVICES = 3;
const HEX = '0123456789abcdef';

/** Numbers reserved for fiction, so that no sample belongs to a real phone. */
const phonePrefixes = ['+447700900', '+441632960', '+33639980', '+493023125'] as const;

/** 250 users of both kinds, and some users whom the service knows but who are not in the team. */
export function sampleUsers(nowMs: number): {
  readonly users: readonly ServiceUser[];
  readonly outsiders: readonly ServiceUser[];
} {
  const choose = createChooser(SEED);
  const phones = Array.from({ length: PHONE_USERS + OUTSIDE_PHONES }, (_, index) =>
    phoneUser(index, nowMs, choose),
  );
  const devices = Array.from({ length: DEVICE_USERS + OUTSIDE_DEVICES }, (_, index) =>
    deviceUser(index, nowMs, choose),
  );
  const users = [...phones.slice(0, PHONE_USERS), ...devices.slice(0, DEVICE_USERS)];
  return {
    users: users.toSorted((one, other) => one.created_at.localeCompare(other.created_at)),
    outsiders: [...phones.slice(PHONE_USERS), ...devices.slice(DEVICE_USERS)],
  };
}

function phoneUser(index: number, nowMs: number, choose: Chooser): PhoneUser {
  const [first, last] = nameOf(index, choose);
  const prefix = phonePrefixes[index % phonePrefixes.length] ?? phonePrefixes[0];
  return {
    ...common(index, nowMs, choose),
    login_type: 'PHONE_NUMBER',
    phone_number: `${prefix}${String(100 + Math.floor(index / phonePrefixes.length))}`,
    device_id: null,
    first_name: first,
    last_name: last,
    email: choose.chance(0.6) ? `steward${index + 1}@kingsbridge.example` : null,
    role: roleOf(index, choose),
  };
}

/** Every 25th name is a hostile one. */
function nameOf(index: number, choose: Chooser): readonly [first: string, last: string] {
  const hostile = index % 25 === 12 ? hostileNames[Math.floor(index / 25)] : undefined;
  if (hostile !== undefined) return hostile;
  const [first, last] = choose.pick(peopleNames);
  return [choose.pick(first), choose.pick(last)];
}

function roleOf(index: number, choose: Chooser): Role {
  if (index < 4) return 'admin';
  if (index < 22) return 'supervisor';
  return choose.chance(0.7) ? 'staff' : 'member';
}

function deviceUser(index: number, nowMs: number, choose: Chooser): DeviceUser {
  const kind = deviceKinds[index % deviceKinds.length] ?? deviceKinds[0];
  return {
    ...common(1000 + index, nowMs, choose),
    login_type: 'DEVICE',
    phone_number: kind === 'Tablet' ? `+447700900${String(500 + index)}` : '',
    device_id: `KB-${kind.slice(0, 2).toUpperCase()}-${String(index + 1).padStart(4, '0')}`,
    name: `${kind} ${index + 1}, ${choose.pick(devicePlaces)}`,
    email: null,
    role: 'member',
  };
}

/** Every twelfth user cannot log in. */
function common(index: number, nowMs: number, choose: Chooser) {
  const createdMs = nowMs - choose.whole(20, 900) * DAY_MS - choose.whole(0, DAY_MS);
  return {
    id: userId(choose),
    is_active: index % 12 !== 7,
    created_at: new Date(createdMs).toISOString(),
    updated_at: new Date(createdMs + choose.whole(0, 19) * DAY_MS).toISOString(),
  };
}

/** An id in the format of the service. */
export function userId(choose: Chooser): string {
  return [8, 4, 4, 4, 12].map((length) => choose.text(HEX, length)).join('-');
}
