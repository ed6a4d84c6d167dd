import { describe, expect, it } from 'vitest';
import { errorOf, going, KEY, useTeamDesk, valueOf, type Told } from './team-desk.ts';
import { nextPageLink } from '../../../../electron/agent/service/periods.ts';
import { processorMs } from '../../../helpers/processor-ms.ts';

const open = useTeamDesk();
const action = (periodActionId: number, more: object = {}) => ({
  periodActionId,
  assignedUserNames: [],
  ...more,
});
const idsOf = (actions: readonly { readonly id: string | number }[]) => actions.map(({ id }) => id);

describe('listing periods', () => {
  it('asks with the limits that are given, and with nothing else', async () => {
    const desk = await open({ body: { periods: [{ id: 1, name: 'Final' }] } });
    const startAt = '2026-05-01T00:00:00.000Z';
    expect(await valueOf(desk.periods.list({}, going))).toEqual([{ id: 1, name: 'Final', markers: [] }]);
    await valueOf(desk.periods.list({ startAt }, going));
    await valueOf(desk.periods.list({ startAt, endAt: '2026-06-01T00:00:00.000Z' }, going));
    expect(desk.asked()).toEqual([
      'GET /periods',
      'GET /periods?start_date=2026-05-01T00%3A00%3A00.000Z',
      'GET /periods?start_date=2026-05-01T00%3A00%3A00.000Z&end_date=2026-06-01T00%3A00%3A00.000Z',
    ]);
  });
});

describe('listing actions', () => {
  it('asks without parameters when no form field is named', async () => {
    const desk = await open({ body: { actions: [] } });
    expect(await valueOf(desk.periods.readActions(7, [], going))).toEqual({ items: [] });
    expect(desk.asked()).toEqual(['GET /periods/7/actions']);
  });

  it('names form fields as one JSON array, encoded as a whole, each name once', async () => {
    const desk = await open({ body: { actions: [action(1, { budget: ['500'] })] } });
    const names = ['department', 'budget', 'priority', 'budget'];
    const {
      items: [only],
    } = await valueOf(desk.periods.readActions(7, names, going));
    expect(desk.asked()).toEqual([
      'GET /periods/7/actions?form_fields=%5B%22department%22%2C%22budget%22%2C%22priority%22%5D',
    ]);
    expect(only).toMatchObject({ missingFields: ['department', 'priority'] });
  });

  it('encodes an id so that it stays one segment, and refuses one that cannot be', async () => {
    const desk = await open({ body: { actions: [] } });
    await valueOf(desk.periods.readActions('a/../b', [], going));
    expect(desk.asked()).toEqual(['GET /periods/a%2F..%2Fb/actions']);
    expect(await errorOf(desk.periods.readActions('..', [], going))).toMatchObject({ code: 'VALIDATION' });
    expect(desk.asked()).toHaveLength(1);
  });
});

describe('pages that are counted in the answer', () => {
  const pageOf = (url: URL) => Number(url.searchParams.get('page') ?? 1);

  it('are all read, with the form fields each time', async () => {
    const desk = await open((_index, url) => ({
      body: { actions: [action(pageOf(url))], page: pageOf(url), total_pages: 3 },
    }));
    expect(idsOf((await valueOf(desk.periods.readActions(7, ['a'], going))).items)).toEqual([1, 2, 3]);
    expect(desk.asked()).toEqual([
      'GET /periods/7/actions?form_fields=%5B%22a%22%5D',
      'GET /periods/7/actions?form_fields=%5B%22a%22%5D&page=2',
      'GET /periods/7/actions?form_fields=%5B%22a%22%5D&page=3',
    ]);
  });

  it('bring an action once that moved from one to the next meanwhile', async () => {
    const desk = await open((_index, url) => {
      const first = pageOf(url);
      return { body: { actions: [action(first), action(first + 1)], page: first, total_pages: 2 } };
    });
    expect(idsOf((await valueOf(desk.periods.readActions(7, [], going))).items)).toEqual([1, 2, 3]);
  });

  it.each([
    ['that is always the same', (): Told => ({ body: { actions: [action(1)], page: 1, total_pages: 9 } })],
    [
      'that is empty before the last',
      (index: number): Told => ({
        body: { actions: index === 0 ? [action(1)] : [], page: index + 1, total_pages: 9 },
      }),
    ],
  ])('are given up at one %s', async (_what, told) => {
    const desk = await open(told);
    // The list shows the actions that were read, and that there are more
    const read = await valueOf(desk.periods.readActions(7, [], going));
    expect(desk.asked()).toHaveLength(2);
    expect(idsOf(read.items)).toEqual([1]);
    expect(read.problem).toMatchObject({ code: 'API_PAGING' });
  });

  it('may end with an empty one', async () => {
    const desk = await open((index) => ({
      body: { actions: index === 0 ? [action(1)] : [], page: index + 1, total_pages: 2 },
    }));
    expect(idsOf((await valueOf(desk.periods.readActions(7, [], going))).items)).toEqual([1]);
  });

  it('that fail in the middle leave what was read, and why there is no more', async () => {
    const desk = await open((index) =>
      index === 0 ? { body: { actions: [action(1)], page: 1, total_pages: 2 } } : { status: 500, body: {} },
    );
    const read = await valueOf(desk.periods.readActions(7, [], going));
    expect(idsOf(read.items)).toEqual([1]);
    expect(read.problem).toMatchObject({ code: 'SERVICE_FAULT' });
  });
});

describe('actions that cannot be read', () => {
  it('are counted as missing over all pages, and the others are listed', async () => {
    const told = (index: number): Told => ({
      body: { actions: [action(index), { status: 'nameless' }], page: index + 1, total_pages: 2 },
    });
    const desk = await open(told);
    const read = await valueOf(desk.periods.readActions(7, [], going));
    expect(idsOf(read.items)).toEqual([0, 1]);
    // Trying again would return the same ones
    expect(read.problem).toMatchObject({
      code: 'API_SHAPE',
      advice: expect.stringMatching(/^Send this text/),
    });
    expect(read.problem?.message).toContain('2 of its entries cannot be read');
  });
});

describe('pages by a Link header', () => {
  const linked = (target: string) => ({ link: `<${target}>; rel="prev next"` });

  it('are read by the parameters of the link', async () => {
    const desk = await open((index) => ({
      body: { actions: [action(index)] },
      headers: index < 2 ? linked(`/periods/7/actions?cursor=c%2B${index}`) : {},
    }));
    expect(idsOf((await valueOf(desk.periods.readActions(7, ['a'], going))).items)).toEqual([0, 1, 2]);
    expect(desk.asked().slice(1)).toEqual([
      'GET /periods/7/actions?form_fields=%5B%22a%22%5D&cursor=c%2B0',
      'GET /periods/7/actions?form_fields=%5B%22a%22%5D&cursor=c%2B1',
    ]);
  });

  it.each(['http://127.0.0.1:9/periods/7/actions?page=2', '/periods/8/actions?page=2', 'https://[bad'])(
    'are not read at %s',
    async (target) => {
      const desk = await open({ body: { actions: [action(1)] }, headers: linked(target) });
      expect(await valueOf(desk.periods.readActions(7, [], going))).toMatchObject({
        items: [{ id: 1 }],
        problem: { code: 'API_PAGING' },
      });
      expect(desk.asked()).toHaveLength(1);
    },
  );

  it('input D14: that lead in a circle are given up', async () => {
    const desk = await open({
      body: { actions: [action(1)] },
      headers: linked('/periods/7/actions?page=2'),
    });
    expect(await valueOf(desk.periods.readActions(7, [], going))).toMatchObject({
      items: [{ id: 1 }],
      problem: { code: 'API_PAGING' },
    });
    expect(desk.asked()).toHaveLength(2);
  });

  it('never send a key that stands in the link', async () => {
    const auth = { scheme: 'query', name: 'api_key' };
    const desk = await open(
      (index) => ({
        body: { actions: [action(index)] },
        headers: index === 0 ? linked('/periods/7/actions?api_key=other&page=2') : {},
      }),
      { auth },
    );
    await valueOf(desk.periods.readActions(7, [], going));
    expect(desk.asked()[1]).toBe(`GET /periods/7/actions?page=2&api_key=${encodeURIComponent(KEY)}`);
  });
});

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
    const neededMs = processorMs(() => {
      for (const piece of ['<', '<>', ';rel', '; rel = ', '<>; rel="'])
        nextPageLink(piece.repeat(8_000), CALLED);
    });
    expect(neededMs).toBeLessThan(500);
  });
});
