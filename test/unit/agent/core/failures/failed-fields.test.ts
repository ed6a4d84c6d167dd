import { describe, expect, it } from 'vitest';
import { failedFieldsOf } from '../../../../../electron/agent/core/failures/failed-fields.ts';

const TAKEN = 'has already been taken';
const BLANK = "can't be blank";

describe('failedFieldsOf', () => {
  it.each([
    [`Validation failed: Phone number ${TAKEN}`, [['phone_number', TAKEN]]],
    [
      `Validation failed: Phone number ${TAKEN}, First name ${BLANK}`,
      [
        ['phone_number', TAKEN],
        ['first_name', BLANK],
      ],
    ],
    [`validation failed phone_number ${TAKEN}`, [['phone_number', TAKEN]]],
    [
      `Validation failed: Name ${BLANK}, Last name ${BLANK}`,
      [
        ['name', BLANK],
        ['last_name', BLANK],
      ],
    ],
    [
      `Validation failed: Role must be one of admin, supervisor, member, staff, Device ${BLANK}, Device id ${BLANK}`,
      [
        ['role', 'must be one of admin, supervisor, member, staff'],
        ['device_id', BLANK],
      ],
    ],
    [
      'Validation failed: Per page must be less than or equal to 100',
      [['per_page', 'must be less than or equal to 100']],
    ],
    [
      'Validation failed: Notification image type is not included in the list',
      [['notification_image_type', 'is not included in the list']],
    ],
    ['Validation failed: the moon is wrong, and so on', []],
    ['Validation failed', []],
    [
      'Invalid period_id. It must be a valid integer for your team.',
      [['period_id', 'Invalid period_id. It must be a valid integer for your team.']],
    ],
    [
      'Invalid form_fields. It must be an array of strings.',
      [['form_fields', 'Invalid form_fields. It must be an array of strings.']],
    ],
    ['Invalid moon. It must be full.', []],
    ['Invalid Channel User', []],
    ['Period not found', []],
    ['Name can be anything', []],
    ['', []],
  ])('of "%s" are %o', (text, fields) => {
    expect(failedFieldsOf(text).map((field) => [field.name, field.text])).toEqual(fields);
  });
});
