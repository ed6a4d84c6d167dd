import { describe, expect, it } from 'vitest';
import { checkUserChanges } from '../../../../../electron/agent/core/team/check-user-changes.ts';
import type { UserChanges } from '../../../../../shared/domain/team-user.ts';

describe('checkUserChanges', () => {
  it.each([
    [{ firstName: 'A' }, 'PHONE_NUMBER'],
    [{ name: 'A', deviceId: 'd' }, 'DEVICE'],
    [{ role: 'admin', isActive: false }, 'PHONE_NUMBER'],
    [{ role: 'admin', name: undefined }, 'PHONE_NUMBER'],
    [{ firstName: 'A' }, undefined],
    [{ name: 'A' }, 'BADGE'],
  ] satisfies [UserChanges, string | undefined][])('lets %o of a %s user pass', (changes, loginType) => {
    expect(checkUserChanges(changes, loginType)).toBeUndefined();
  });

  it.each([
    [{ name: 'A', deviceId: 'd', role: 'admin' }, 'PHONE_NUMBER', ['name', 'device_id']],
    [
      { firstName: 'A', lastName: 'B', phoneNumber: '+4930123' },
      'DEVICE',
      ['first_name', 'last_name', 'phone_number'],
    ],
    [{ firstName: 'A', name: 'B' }, undefined, ['name']],
    [{ firstName: 'A', name: 'B' }, 'BADGE', ['name']],
  ] satisfies [UserChanges, string | undefined, string[]][])(
    'refuses %o of a %s user',
    (changes, loginType, names) => {
      const failure = checkUserChanges(changes, loginType);
      expect(failure).toMatchObject({ code: 'VALIDATION', retryable: false });
      expect(failure?.fields?.map(({ name }) => name)).toEqual(names);
      expect(failure?.message).toContain(`${names.join(', ')}. Nothing was sent.`);
    },
  );

  it.each([[{}], [{ role: undefined }]])('refuses %o, which changes nothing', (changes) => {
    const failure = checkUserChanges(changes, undefined);
    expect(failure).toMatchObject({ code: 'VALIDATION' });
    expect(failure).not.toHaveProperty('fields');
  });
});
