import { describe, expect, it } from 'vitest';
import { mapColumns, moveColumn } from '../../../../../../renderer/features/users/import/map-columns.ts';

describe('which column is what', () => {
  it.each([
    [
      ['first_name', 'last_name', 'phone_number', 'role'],
      { firstName: 0, lastName: 1, phoneNumber: 2, role: 3 },
    ],
    [['Surname', 'Forename', 'Mobile'], { lastName: 0, firstName: 1, phoneNumber: 2 }],
    [['Device name', 'Device ID', 'Login type'], { name: 0, deviceId: 1, loginType: 2 }],
    [['Vorname', 'Nachname', 'Handynummer'], { firstName: 0, lastName: 1, phoneNumber: 2 }],
    [['Phone', 'Mobile'], { phoneNumber: 0 }],
    [['What', ''], {}],
  ])('%o is guessed as %o', (headings, mapping) => {
    const labels = { phoneNumber: headings.includes('Handynummer') ? 'Handynummer' : 'Phone number' };
    expect(Object.fromEntries(mapColumns(headings, labels))).toEqual(mapping);
  });

  it('prefers the exact name to one that only resembles it', () => {
    expect(mapColumns(['Phone', 'Phone number'], { phoneNumber: 'Phone number' }).get('phoneNumber')).toBe(1);
  });

  it('uses no column for two things', () => {
    const mapping = moveColumn(new Map([['firstName', 0] as const, ['lastName', 1] as const]), 'lastName', 0);
    expect([...mapping]).toEqual([['lastName', 0]]);
    expect([...moveColumn(mapping, 'lastName', undefined)]).toEqual([]);
  });
});
