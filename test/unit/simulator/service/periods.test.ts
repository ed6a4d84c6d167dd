import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSimulator, type ServicePeriod, type Simulator } from '../../../simulator/index.ts';
import { callService } from '../call-service.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator.stop());

const get = (query: string) => callService(simulator, 'GET', `/periods${query}`);
const idsOf = (body: { periods: readonly ServicePeriod[] }) => body.periods.map(({ id }) => id);

describe('endpoint 7, Get Periods', () => {
  it('tells all periods of the team, and none of another', async () => {
    const { status, body } = await get('');
    expect(status).toBe(200);
    expect(body).toEqual({ periods: simulator.team().periods });
    expect(idsOf(body)).not.toContain(simulator.team().otherTeamPeriod.id);
  });

  it('tells every field of a period', async () => {
    const { body } = await get('');
    expect(Object.keys(body.periods[0])).toEqual([
      'id',
      'name',
      'start_date',
      'end_date',
      'created_at',
      'updated_at',
      'markers',
    ]);
  });

  it('tells those that overlap a range, with one limit or both', async () => {
    const [first, second, third] = simulator.team().periods;
    const within = (await get(`?start_date=${second?.start_date}&end_date=${second?.end_date}`)).body;
    expect(idsOf(within)).toEqual([second?.id]);
    const until = (await get(`?end_date=${third?.start_date}`)).body;
    expect(idsOf(until)).toEqual([first?.id, second?.id, third?.id]);
    const from = (await get(`?start_date=${second?.end_date}`)).body;
    expect(idsOf(from)).toEqual(
      simulator
        .team()
        .periods.slice(1)
        .map(({ id }) => id),
    );
    const between = (await get('?start_date=1999-01-01T00:00:00.000Z&end_date=1999-12-31T23:59:59.999Z'))
      .body;
    expect(between).toEqual({ periods: [] });
  });

  it.each([
    ['no milliseconds', '?start_date=2026-08-02T10:11:12Z', 'Invalid start_date.'],
    ['an offset', '?start_date=2026-08-02T10:11:12.000%2B02:00', 'Invalid start_date.'],
    ['a date alone', '?end_date=2026-08-02', 'Invalid end_date.'],
    ['nothing', '?end_date=', 'Invalid end_date.'],
    ['a day that does not exist', '?end_date=2026-02-30T00:00:00.000Z', 'Invalid end_date.'],
    [
      'an end before the start',
      '?start_date=2026-08-02T00:00:00.000Z&end_date=2026-08-01T00:00:00.000Z',
      'Invalid end_date. It must not be before start_date.',
    ],
    ['an unknown name', '?from=2026-08-02T00:00:00.000Z', 'Unknown query parameter: from'],
  ])('refuses a range with %s', async (_what, query, message) => {
    const answer = await get(query);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(message);
  });

  it('has none in a team that is empty', async (context) => {
    const empty = await startSimulator({ team: 'empty' });
    context.onTestFinished(() => empty.stop());
    expect((await callService(empty, 'GET', '/periods')).body).toEqual({ periods: [] });
  });
});
