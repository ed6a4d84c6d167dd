import { describe, expect, it } from 'vitest';
import { readPhone } from '../../../../../renderer/features/users/read-phone.ts';

describe('a phone number while it is typed', () => {
  it.each([
    ['+14155550100', '+14155550100', 'US', true],
    [' +1 (415) 555-01.00 ', '+14155550100', 'US', true],
    ['+447400123456', '+447400123456', 'GB', true],
    // Set aside for fiction; and +44 is not only of Great Britain
    ['+447700900123', '+447700900123', undefined, false],
  ])('%j is %s of %s', (text, e164, country, isKnown) => {
    expect(readPhone(text)).toMatchObject({ e164, country, isKnown });
  });

  it('is not doubted while digits are missing', () => {
    expect(readPhone('+14155')).toMatchObject({ isComplete: false, isKnown: false });
    expect(readPhone('+447700900123')).toMatchObject({ isComplete: true, isKnown: false });
  });

  it('is written as people of its country write it', () => {
    expect(readPhone('+447400123456').formatted).toBe('+44 7400 123456');
  });

  it.each(['', '+', '+0123456', '07700 900123', 'Ada', '+1415555010012345'])(
    '%j is no number with its country code',
    (text) => {
      expect(readPhone(text).e164).toBeUndefined();
    },
  );
});
