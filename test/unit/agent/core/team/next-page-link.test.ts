import { describe, expect, it } from 'vitest';
import { nextPageLink } from '../../../../../electron/agent/core/team/next-page-link.ts';

const CALLED = 'https://api.test/v1/periods/7/actions';
const page2 = { kind: 'query', query: [['page', '2']] };

describe('nextPageLink', () => {
  it.each([
    ['<https://api.test/v1/periods/7/actions?page=2>; rel="next"', page2],
    ['</v1/periods/7/actions?page=2>; rel=next', page2],
    ['<?page=2>; title="a, b"; REL="last Next"', page2],
    ['<?page=1>; rel="prev", <?page=2>;rel="next", <?page=9>; rel=last', page2],
    [
      '<?q=a%26b&q=%2B&e=>; rel="next"',
      {
        kind: 'query',
        query: [
          ['q', 'a&b'],
          ['q', '+'],
          ['e', ''],
        ],
      },
    ],
    ['<http://api.test/v1/periods/7/actions?page=2>; rel="next"', page2],
    ['<https://evil.test/v1/periods/7/actions?page=2>; rel="next"', { kind: 'elsewhere' }],
    ['<//evil.test/v1/periods/7/actions?page=2>; rel="next"', { kind: 'elsewhere' }],
    ['<https://api.test:8443/v1/periods/7/actions?page=2>; rel="next"', { kind: 'elsewhere' }],
    ['<https://api.test/v1/users?page=2>; rel="next"', { kind: 'elsewhere' }],
    ['<https://[>; rel="next"', { kind: 'elsewhere' }],
    ['<?page=2>; rel="prev"', { kind: 'none' }],
    ['<?page=2>; rel="nextish"', { kind: 'none' }],
    ['<?page=2>', { kind: 'none' }],
    ['nonsense', { kind: 'none' }],
    ['', { kind: 'none' }],
    [undefined, { kind: 'none' }],
  ])('of %s is %o', (header, expected) => {
    expect(nextPageLink(header, CALLED)).toEqual(expected);
  });

  it('takes no time over a hostile header', () => {
    const startedMs = performance.now();
    for (const piece of ['<', '<>', ';rel', '; rel = ', '<>; rel="'])
      nextPageLink(piece.repeat(8_000), CALLED);
    expect(performance.now() - startedMs).toBeLessThan(500);
  });
});
