import type { FailedField, Failure } from '../../../../shared/domain/failure.ts';
import type { UserChanges } from '../../../../shared/domain/team-user.ts';
import { wireNames } from '../../../../shared/service/user.ts';

const ofPhones = ['firstName', 'lastName', 'phoneNumber'] as const;
const ofDevices = ['name', 'deviceId'] as const;
type OwnField = (typeof ofPhones)[number] | (typeof ofDevices)[number];

/**
 * Why changes of a user cannot be sent, or undefined: nothing to change, or fields of the other login type
 * (service.md endpoint 14). Without `loginType` only what no user can have is refused.
 */
export function checkUserChanges(changes: UserChanges, loginType: string | undefined): Failure | undefined {
  if (Object.values(changes).every((value) => value === undefined))
    return refusal('nothing is to be changed', 'Give at least one field to change.', []);
  const given = (names: readonly OwnField[]) => names.filter((name) => changes[name] !== undefined);
  const phone = given(ofPhones);
  const device = given(ofDevices);
  if (loginType === 'PHONE_NUMBER') return wrongFields(device, 'DEVICE');
  if (loginType === 'DEVICE') return wrongFields(phone, 'PHONE_NUMBER');
  return phone.length > 0 ? wrongFields(device, 'DEVICE') : undefined;
}

function wrongFields(names: readonly OwnField[], owner: string): Failure | undefined {
  if (names.length === 0) return undefined;
  const fields = names.map((name) => ({ name: wireNames[name], text: `only ${owner} users have it` }));
  const list = fields.map(({ name }) => name).join(', ');
  return refusal(`only ${owner} users have ${list}`, 'Leave these fields out.', fields);
}

function refusal(reason: string, advice: string, fields: readonly FailedField[]): Failure {
  return {
    code: 'VALIDATION',
    message: `Update user: ${reason}. Nothing was sent.`,
    advice,
    retryable: false,
    ...(fields.length === 0 ? {} : { fields }),
  };
}
