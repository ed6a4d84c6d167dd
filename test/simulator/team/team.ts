/** A period as endpoint 7 tells it. The form of `markers` varies, as the interface leaves it open. */
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

/** The kinds of actions, which their `classification` tells. */
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

/** An action with what was filled in on its form; fields that are not there are missing. */
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
  /** Blank where a device has none. */
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

/** A user as endpoints 11 to 15 tell it. */
export type ServiceUser = PhoneUser | DeviceUser;

/** What a team has before anyone asks for it. */
export interface TeamData {
  /** In the order of their start. */
  readonly periods: readonly ServicePeriod[];
  /** A period that exists and is another team's: its id is refused. */
  readonly otherTeamPeriod: ServicePeriod;
  /** In the order of their creation. */
  readonly actions: readonly ServiceAction[];
  readonly channels: readonly ServiceChannel[];
  /** Active and inactive ones. */
  readonly users: readonly ServiceUser[];
  /** Known to the service, and not in the team: creating one of them adds the one who is there. */
  readonly outsiders: readonly ServiceUser[];
}

/** How people see a user. */
export function displayName(user: ServiceUser): string {
  return user.login_type === 'DEVICE' ? user.name : `${user.first_name} ${user.last_name}`;
}
