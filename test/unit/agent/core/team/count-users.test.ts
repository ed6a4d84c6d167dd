import { describe, expect, it } from 'vitest';
import { countUsers } from '../../../../../electron/agent/core/team/count-users.ts';

const users = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));
const asked = { page: 2, perPage: 10 };
const counters = (count: number, told: Parameters<typeof countUsers>[1]) => {
  const { page, perPage, totalPages, responseCount, totalCount } = countUsers(users(count), told, asked);
  return [page, perPage, totalPages, responseCount, totalCount];
};

describe('the counters of a page of users', () => {
  it.each([
    [
      'are those of the service',
      3,
      { page: 4, per_page: 5, total_pages: 6, response_count: 7, total_count: 8 },
      [4, 5, 6, 7, 8],
    ],
    ['follow from the total', 10, { total_count: 31 }, [2, 10, 4, 10, 31]],
    ['follow from nothing on a full page: one more comes', 10, {}, [2, 10, 3, 10, 20]],
    ['follow from nothing on a page that is not full: it is the last', 3, { page: null }, [2, 10, 2, 3, 13]],
    ['survive a page size of 0', 3, { per_page: 0, total_count: 3 }, [2, 0, 3, 3, 3]],
  ])('%s', (_what, count, told, expected) => {
    expect(counters(count, told)).toEqual(expected);
  });
});
