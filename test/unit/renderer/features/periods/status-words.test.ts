import { describe, expect, it } from 'vitest';
import { lookOf, statusRank } from '../../../../../renderer/features/periods/status-words.ts';

describe('the look of a status', () => {
  it.each([
    ['open', 'waiting'],
    ['doing', 'active'],
    ['in_progress', 'active'],
    ['in-progress', 'active'],
    ['on hold', 'warning'],
    ['closed', 'done'],
    ['canceled', 'canceled'],
    ['cancelled', 'canceled'],
    ['escorted to the gate', 'neutral'],
    ['', 'neutral'],
  ])('of "%s" is %s', (key, tone) => {
    expect(lookOf(key).tone).toBe(tone);
  });

  it.each([
    ['open', 'assigned'],
    ['assigned', 'doing'],
    ['doing', 'closed'],
    ['closed', 'canceled'],
    ['canceled', 'unheard of'],
  ])('puts "%s" before "%s"', (one, other) => {
    expect(statusRank(one)).toBeLessThan(statusRank(other));
  });
});
