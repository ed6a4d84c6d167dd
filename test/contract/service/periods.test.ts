import { describe, expect, it } from 'vitest';
import { errorOf, going, useServiceDesk, valueOf } from './service-desk.ts';

const desk = useServiceDesk();

const wire = {
  id: 41,
  name: 'Match day 12',
  start_date: '2026-05-01T12:00:00.000Z',
  end_date: '2026-05-01T23:00:00.000Z',
  created_at: '2026-04-01T08:00:00.000Z',
  updated_at: '2026-04-02T08:00:00.000Z',
  markers: { name: 'Kick-off', timestamp: '2026-05-01T19:30:00.000Z' },
};

const list = (range = {}) => desk().team.periods.list(range, going);

/** The period as the client reads it from an answer. */
async function read(more: object = {}) {
  desk().answerNext({ periods: [{ ...wire, ...more }] });
  const [period] = await valueOf(list());
  return period;
}

describe('Period', () => {
  it('Period | id | integer', async () => {
    expect((await read())?.id).toBe(41);
  });

  it('Period | name | string', async () => {
    expect((await read())?.name).toBe('Match day 12');
  });

  it('Period | start_date | ISO 8601 UTC timestamp', async () => {
    expect((await read())?.startAt).toBe(wire.start_date);
  });

  it('Period | end_date | ISO 8601 UTC timestamp', async () => {
    expect((await read())?.endAt).toBe(wire.end_date);
  });

  it('Period | created_at | ISO 8601 UTC timestamp', async () => {
    expect((await read())?.createdAt).toBe(wire.created_at);
  });

  it('Period | updated_at | ISO 8601 UTC timestamp', async () => {
    expect((await read())?.updatedAt).toBe(wire.updated_at);
  });

  it('Period | markers | object with name and timestamp', async () => {
    expect((await read())?.markers).toEqual([{ name: 'Kick-off', at: wire.markers.timestamp }]);
  });

  it('Period | not shown: one marker or several | none | one, a list and none are read alike', async () => {
    const second = { name: 'Full time', timestamp: '2026-05-01T21:20:00.000Z' };
    const names = (await read({ markers: [wire.markers, second] }))?.markers.map(({ name }) => name);
    expect(names).toEqual(['Kick-off', 'Full time']);
    expect((await read({ markers: null }))?.markers).toEqual([]);
  });

  it('Period | not shown: ids as integer or string | gap 25 | both are taken and kept as received', async () => {
    expect((await read({ id: '41' }))?.id).toBe('41');
  });
});

describe('7. Get Periods', () => {
  it('7 | address | GET /periods', async () => {
    await list();
    const request = { method: 'GET', path: '/v1/periods', status: 200, bytesReceived: 0 };
    expect(desk().lastRequest()).toMatchObject(request);
  });

  it('7 | start_date | query, optional, default none, form YYYY-MM-DDTHH:MM:SS.sssZ', async () => {
    await valueOf(list());
    expect(desk().lastRequest().search).toBe('');
    await valueOf(list({ startAt: '2026-05-01T00:00:00.000Z' }));
    expect(desk().lastRequest().query).toEqual({ start_date: '2026-05-01T00:00:00.000Z' });
  });

  it('7 | end_date | query, optional, default none, form YYYY-MM-DDTHH:MM:SS.sssZ', async () => {
    await valueOf(list({ endAt: '2026-06-01T00:00:00.000Z' }));
    expect(desk().lastRequest().query).toEqual({ end_date: '2026-06-01T00:00:00.000Z' });
  });

  it('7 | 200 | answers periods, an array of Period', async () => {
    const { periods } = desk().simulator.team();
    const listed = await valueOf(list());
    expect(listed.map(({ id, name }) => [id, name])).toEqual(periods.map(({ id, name }) => [id, name]));
    desk().answerNext([wire]);
    expect(await errorOf(list())).toMatchObject({ code: 'API_SHAPE' });
  });

  it('7 | range | limited to the given date range when one is given', async () => {
    const { periods } = desk().simulator.team();
    const [first, second] = periods;
    const range = { startAt: first?.start_date, endAt: first?.end_date };
    const listed = await valueOf(list(range));
    expect(listed.map(({ id }) => id)).toContain(first?.id);
    expect(listed.length).toBeLessThan(periods.length);
    expect(second).toBeDefined();
  });
});
