import type { CreatedUser, NewUser, TeamUser } from '../../../shared/domain/team-user.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';

/** A user who is older than the request by more than this was there before, milliseconds: clocks differ by less. */
const CLEARLY_OLDER_MS = 120_000;

type KeptField<Name = unknown> = CreatedUser['keptFields'][number] & { readonly name: Name };
type Access = { readonly [Name in 'role' | 'isActive']?: TeamUser[Name] | undefined };

/** What came back from "Create User". `sentAtMs` is on the service's clock; undefined when that is not known. */
interface CreationAnswer {
  readonly user: TeamUser;
  readonly temporaryPassword?: string;
  readonly sentAtMs: number | undefined;
}

/**
 * What "Create User" did (service.md endpoint 12). An existing user was only added to the team: then a phone user
 * brings no temporary password, names stay as they were, and a device was made before the request.
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

/** Differences in a user's access: unlike names, a service cannot spell it differently. */
export function accessDifferences(asked: Access, got: Access): readonly KeptField<keyof Access>[] {
  return [
    difference('role', asked.role, got.role),
    difference('isActive', asked.isActive, got.isActive),
  ].filter((field) => field !== undefined);
}

/** What was not asked for, or not stated, is no difference. */
function difference<Name extends CreatedUser['keptFields'][number]['name']>(
  name: Name,
  asked: string | boolean | undefined,
  kept: string | boolean | undefined,
): KeptField<Name> | undefined {
  if (asked === undefined || kept === undefined || comparable(asked) === comparable(kept)) return undefined;
  return { name, asked: String(asked), kept: String(kept) };
}

/** As a person would compare them. */
export const comparable = (value: string | boolean): string => String(value).normalize('NFC').trim();
