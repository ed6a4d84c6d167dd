/** A period as endpoint 7 returns it. The form of `markers` varies, as the interface does not define it. */
export interface ServicePeriod {
  readonly id: number;
  readonly name: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly markers: readonly ServiceMarker[] | ServiceMarker | null;
}

export interface ServiceMarker {
  readonly name: string;
  readonly timestamp: string;
}

/** The kinds of actions, which are their `classification`. */
export const actionKinds = ['Task', 'Incident', 'Request', 'Checklist'] as const;

/** An action as endpoint 8 lists it when no form field is asked for. */
export interface ListedAction {
  readonly periodId: number;
  readonly periodName: string;
  readonly periodActionId: number;
  readonly actionId: number;
  readonly classification: (typeof actionKinds)[number];
  readonly subClassification: string;
  readonly status: string;
  readonly createdTime: string;
  readonly assignedTime: string | null;
  readonly doingTime: string | null;
  readonly closedTime: string | null;
  readonly createdByUserName: string;
  readonly periodMarker: string | null;
  readonly assignedUserNames: readonly string[];
  readonly channel: string;
  readonly formType: string;
  readonly latestChannel: string;
  readonly aiDispatched: boolean;
}

/** An action with the fields filled in on its form; fields that do not exist are missing. */
export interface ServiceAction {
  readonly listed: ListedAction;
  readonly form: Readonly<Record<string, readonly string[]>>;
}

/** A channel, or a direct message channel, with its members. */
export interface ServiceChannel {
  readonly kind: 'channel' | 'direct';
  readonly id: string;
  readonly name: string;
  readonly memberIds: readonly string[];
}

export const roles = ['admin', 'supervisor', 'member', 'staff'] as const;
export type Role = (typeof roles)[number];

interface AnyUser {
  readonly id: string;
  /** Empty for a device without a phone number. */
  readonly phone_number: string;
  readonly device_id: string | null;
  readonly email: string | null;
  readonly is_active: boolean;
  readonly role: Role;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface PhoneUser extends AnyUser {
  readonly login_type: 'PHONE_NUMBER';
  readonly first_name: string;
  readonly last_name: string;
}

export interface DeviceUser extends AnyUser {
  readonly login_type: 'DEVICE';
  readonly name: string;
}

/** A user as endpoints 11 to 15 return it. */
export type ServiceUser = PhoneUser | DeviceUser;

/** The data of a team at the start. */
export interface TeamData {
  /** In the order of their start. */
  readonly periods: readonly ServicePeriod[];
  /** A period that exists but belongs to another team: its id is refused. */
  readonly otherTeamPeriod: ServicePeriod;
  /** In the order of their creation. */
  readonly actions: readonly ServiceAction[];
  readonly channels: readonly ServiceChannel[];
  /** Both active and inactive users. */
  readonly users: readonly ServiceUser[];
  /** Users whom the service knows but who are not in the team: creating one of them adds the existing user. */
  readonly outsiders: readonly ServiceUser[];
}

/** A user's name as people see it. */
export function displayName(user: ServiceUser): string {
  return user.login_type === 'DEVICE' ? user.name : `${user.first_name} ${user.last_name}`;
}
