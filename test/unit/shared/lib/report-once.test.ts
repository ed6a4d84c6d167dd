import { describe, expect, it } from 'vitest';
import { createReportOnce } from '../../../../shared/lib/report-once.ts';

describe('what was reported before', () => {
  it('is news once for each state', () => {
    const { isNews } = createReportOnce(10);
    expect(['1 sent', '1 sent', '2 sent', '1 sent'].map((state) => isNews('a', state))).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  it('is forgotten of the thing that was reported longest ago, and of no other', () => {
    const { isNews } = createReportOnce(2);
    for (const id of ['a', 'b']) isNews(id, 'sent');
    isNews('a', 'sent again');
    isNews('c', 'sent');
    expect(isNews('a', 'sent again')).toBe(false);
    expect(isNews('b', 'sent')).toBe(true);
  });
});
