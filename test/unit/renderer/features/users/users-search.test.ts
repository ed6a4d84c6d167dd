import { describe, expect, it } from 'vitest';
import { userFilterSchema } from '../../../../../shared/domain/team-user.ts';
import {
  filterOf,
  isBadPhone,
  usersSearchSchema,
} from '../../../../../renderer/features/users/users-search.ts';

describe('the address of the users', () => {
  it('counts what cannot be read as not given', () => {
    expect(usersSearchSchema.parse({ page: -3, phone: 7, device: null, inactive: 'yes', user: {} })).toEqual({
      page: 1,
      phone: '',
      device: '',
      inactive: false,
    });
  });

  it.each([
    [{ phone: '', device: '', inactive: false }, {}],
    [{ phone: '', device: '', inactive: true }, { includeInactive: true }],
    [{ phone: '+44 7700 900-123', device: '', inactive: false }, { phoneNumbers: ['+447700900123'] }],
    [
      { phone: '+447700900123', device: ' KB-9 ', inactive: false },
      { phoneNumbers: ['+447700900123'], deviceIds: ['KB-9'] },
    ],
    [{ phone: '+4477', device: 'KB-9', inactive: false }, { deviceIds: ['KB-9'] }],
  ])('%o asks the service for %o', (search, filter) => {
    expect(filterOf(search)).toEqual(filter);
    expect(userFilterSchema.safeParse(filterOf(search)).success).toBe(true);
  });

  it.each([
    ['', false],
    ['  ', false],
    ['+4477', true],
    ['+6834000', false],
    ['07700900123', true],
    ['Ada', true],
  ])('%j as a number to look for is not ready: %s', (phone, isBad) => {
    expect(isBadPhone(phone)).toBe(isBad);
  });
});
