import type { CreatedUser, NewUser, TeamUser } from '../../../shared/domain/team-user.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';

/** A user who is older than the request by more than this already existed, milliseconds: clocks differ by less. */
const CLEARLY_OLDER_MS = 120_000;

type KeptField<Name = unknown> = CreatedUser['keptFields'][number] & { readonly name: Name };
type Access = { readonly [Name in 'role' | 'isActive']?: TeamUser[Name] | undefined };

/** The answer to "Create User". `sentAtMs` is on the service's clock; undefined if that is unknown. */
interface CreationAnswer {
  readonly user: TeamUser;
  readonly temporaryPassword?: string;
  readonly sentAtMs: number | undefined;
}

/**
 * Finds out what "Create User" did (service.md endpoint 12). An existing user was only added to the team: then a phone
 * user comes without a temporary password, names are unchanged, and a device was created before the request.
 */
export function describeCreatedUser(asked: NewUser, answer: CreationAnswer): CreatedUser {
  const { user, temporaryPassword } = answer;
  const keptFields = differences(asked, user);
  const hasOtherName = keptFields.some(({ name }) => name !== 'role' && name !== 'isActive');
  const wasThere =
    asked.loginType === 'PHONE_NUMBER' ? temporaryPassword === undefined : isOlder(user, answer.sentAtMs);
  return {
    user,
    ...knownFields<Pick<CreatedUser, 'temporaryPassword'>>({ temporaryPassword }),
    wasExisting: wasThere || hasOtherName,
    keptFields,
  };
}

function isOlder({ createdAt }: TeamUser, sentAtMs: number | undefined): boolean {
  const createdMs = Date.parse(createdAt ?? '');
  return sentAtMs !== undefined && createdMs < sentAtMs - CLEARLY_OLDER_MS;
}

function differences(asked: NewUser, got: TeamUser): readonly KeptField[] {
  const names =
    asked.loginType === 'PHONE_NUMBER'
      ? [
          difference('firstName', asked.firstName, got.firstName),
          difference('lastName', asked.lastName, got.lastName),
        ]
      : [difference('name', asked.name, got.name)];
  return [...names.filter((field) => field !== undefined), ...accessDifferences(asked, got)];
}

/** Differences in a user's access, which a service cannot spell differently, unlike names. */
export function accessDifferences(asked: Access, got: Access): readonly KeptField<keyof Access>[] {
  return [
    difference('role', asked.role, got.role),
    difference('isActive', asked.isActive, got.isActive),
  ].filter((field) => field !== undefined);
}

/** A value that was not requested or not stated is not a difference. */
function difference<Name extends CreatedUser['keptFields'][number]['name']>(
  name: Name,
  asked: string | boolean | undefined,
  kept: string | boolean | undefined,
): KeptField<Name> | undefined {
  if (asked === undefined || kept === undefined || comparable(asked) === comparable(kept)) return undefined;
  return { name, asked: String(asked), kept: String(kept) };
}

/** The value as a person would compare it. */
export const comparable = (value: string | boolean): string => String(value).normalize('NFC').trim();
