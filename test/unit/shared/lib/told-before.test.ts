import { describe, expect, it } from 'vitest';
import { createToldBefore } from '../../../../shared/lib/told-before.ts';

describe('what was told before', () => {
  it('is news once for each state', () => {
    const { isNews } = createToldBefore(10);
    expect(['1 sent', '1 sent', '2 sent', '1 sent'].map((state) => isNews('a', state))).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  it('is forgotten of the thing that was told of longest ago, and of no other', () => {
    const { isNews } = createToldBefore(2);
    for (const id of ['a', 'b']) isNews(id, 'sent');
    isNews('a', 'sent again');
    isNews('c', 'sent');
    expect(isNews('a', 'sent again')).toBe(false);
    expect(isNews('b', 'sent')).toBe(true);
  });
});
