import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  processingFailure,
  startSimulator,
  type ServiceAction,
  type Simulator,
} from '../../../simulator/index.ts';
import { callService } from '../call-service.ts';

let simulator: Simulator;
let periodId: number;
let actions: readonly ServiceAction[];
beforeAll(async () => {
  simulator = await startSimulator();
  const { periods, actions: all } = simulator.team();
  const now = new Date().toISOString();
  periodId = periods.find(({ start_date: start, end_date: end }) => start <= now && now <= end)?.id ?? 0;
  actions = all.filter(({ listed }) => listed.periodId === periodId);
});
afterAll(() => simulator.stop());
afterEach(() => simulator.configure({ actionsPaging: 'none', actionsPerPage: 100 }));

const get = (query = '', id: number | string = periodId) =>
  callService(simulator, 'GET', `/periods/${id}/actions${query}`);
const fields = (...names: readonly unknown[]) => `?form_fields=${encodeURIComponent(JSON.stringify(names))}`;
type Told = Record<string, unknown>;
const listOf = (body: { actions: readonly Told[] }) => body.actions;
const idOf = (action: Told) => action.actionId;

describe('endpoint 8, Get Actions for a Period', () => {
  it('tells the actions of the period without form fields', async () => {
    const { status, body } = await get();
    expect(status).toBe(200);
    expect(body).toEqual({ actions: actions.map(({ listed }) => listed) });
    expect(body.actions.length).toBeGreaterThan(50);
    expect(Object.keys(body.actions[0])).toHaveLength(18);
  });

  it('adds the named form fields that an action has, and no other', async () => {
    const { body } = await get(fields('department', 'priority'));
    for (const [index, { listed, form }] of actions.entries()) {
      const { notes: _notes, ...told } = body.actions[index];
      expect(told).toEqual({
        ...listed,
        ...(form.department && { department: form.department }),
        ...(form.priority && { priority: form.priority }),
      });
    }
    expect(actions.some(({ form }) => form.department)).toBe(true);
  });

  it('takes names in the encoding that the interface shows', async () => {
    const { status } = await get('?form_fields=%5B%22department%22%2C%22budget%22%2C%22priority%22%5D');
    expect(status).toBe(200);
    expect(simulator.requests.of('getActions').at(-1)?.search).toBe(
      'form_fields=%5B%22department%22%2C%22budget%22%2C%22priority%22%5D',
    );
  });

  it('notes the missing fields in several shapes, and only where one is missing', async () => {
    const { body } = await get(fields('department', 'nowhere'));
    const shapes = new Set<string>();
    for (const [index, { form }] of actions.entries()) {
      const { notes } = body.actions[index];
      expect(JSON.stringify(notes)).toContain('nowhere');
      expect(JSON.stringify(notes).includes('department')).toBe(form.department === undefined);
      shapes.add(Array.isArray(notes) ? 'array' : Object.keys(notes).join());
    }
    expect(shapes).toEqual(new Set(['missing_form_fields', 'array', 'form_fields']));
    const complete = listOf((await get(fields('location'))).body);
    expect(complete.map((action) => 'notes' in action)).toEqual(
      actions.map(({ form }) => form.location === undefined),
    );
  });

  it('gives a form field the place of a property with the same name', async () => {
    const { periods, actions: all } = simulator.team();
    const odd = all.find(({ form }) => (form.channel?.length ?? 0) > 0);
    const period = periods.find(({ id }) => id === odd?.listed.periodId);
    const { body } = await get(fields('channel'), period?.id);
    const told = listOf(body).find((action) => idOf(action) === odd?.listed.actionId);
    expect(told?.channel).toEqual(odd?.form.channel);
  });

  it('does not take names from the prototype', async () => {
    const { body } = await get(fields('constructor', '__proto__'));
    expect(JSON.stringify(body.actions[0].notes)).toMatch(/constructor.*__proto__/);
  });

  it.each([
    ['not a number', 'abc'],
    ['half a number', '4101.5'],
    ['a negative number', '-1'],
    ['a number beyond all integers', '99999999999999999999'],
  ])('refuses a period_id that is %s', async (_what, id) => {
    expect(await get('', id)).toMatchObject({
      status: 400,
      text: '{"message":"Invalid period_id. It must be a valid integer for your team."}',
    });
  });

  it('refuses the period of another team', async () => {
    expect(await get('', simulator.team().otherTeamPeriod.id)).toMatchObject({
      status: 400,
      text: '{"message":"Invalid period_id. It must be a valid integer for your team."}',
    });
  });

  it('does not find a period that does not exist', async () => {
    expect(await get('', 123_456)).toMatchObject({ status: 404, text: '{"message":"Period not found"}' });
  });

  it.each([
    ['no JSON', '?form_fields=department'],
    ['nothing', '?form_fields='],
    ['an object', `?form_fields=${encodeURIComponent('{"department":true}')}`],
    ['a string', '?form_fields=%22department%22'],
    ['an array with a number', fields('department', 7)],
  ])('refuses form_fields of %s', async (_what, query) => {
    expect(await get(query)).toMatchObject({
      status: 400,
      text: '{"message":"Invalid form_fields. It must be an array of strings."}',
    });
  });

  it('tells a processing failure by a ready rule, with the status that is asked for', async (context) => {
    context.onTestFinished(() => simulator.faults.clear());
    for (const status of [500, 200]) {
      simulator.faults.add({ ...processingFailure('getActions', status), times: 1 });
      expect(await get()).toMatchObject({
        status,
        text: '{"message":"An error occurred while processing your request"}',
      });
    }
    expect((await get()).status).toBe(200);
  });
});

describe('pages of actions', () => {
  it('do not exist unless they are set', async () => {
    expect(await get('?page=1')).toMatchObject({ status: 400 });
    expect(await get('?per_page=5')).toMatchObject({ status: 400 });
    expect((await get()).headers.link).toBeUndefined();
  });

  it('are counted in the body', async () => {
    simulator.configure({ actionsPaging: 'pages', actionsPerPage: 25 });
    const totals = { per_page: 25, total_pages: 3, total_count: actions.length };
    const first = (await get()).body;
    expect(first).toMatchObject({ page: 1, ...totals });
    const pages = [first, (await get('?page=2')).body, (await get('?page=3')).body];
    expect(pages.flatMap((page) => listOf(page).map(idOf))).toEqual(
      actions.map(({ listed }) => listed.actionId),
    );
    expect((await get('?page=4')).body).toMatchObject({ page: 4, actions: [], ...totals });
    expect((await get('?page=2&per_page=50')).body.actions).toHaveLength(actions.length - 50);
  });

  it('are linked in a header, with the form fields', async () => {
    simulator.configure({ actionsPaging: 'link', actionsPerPage: 25 });
    const seen: unknown[] = [];
    let path: string | undefined = fields('department');
    for (let page = 1; path !== undefined; page += 1) {
      const { body, headers } = await get(path);
      expect(Object.keys(body)).toEqual(['actions']);
      expect(listOf(body).some((action) => 'department' in action)).toBe(true);
      seen.push(...listOf(body).map(idOf));
      const next = nextOf(String(headers.link));
      expect(next?.startsWith(`${simulator.baseUrl}/periods/${periodId}/actions?`)).toBe(
        page === 3 ? undefined : true,
      );
      path = next?.slice(next.indexOf('?'));
    }
    expect(seen).toEqual(actions.map(({ listed }) => listed.actionId));
  });

  it.each(['?page=0', '?page=x', '?per_page=0', '?per_page=1001', '?page=1.5'])(
    'refuse %s',
    async (query) => {
      simulator.configure({ actionsPaging: 'pages' });
      expect(await get(query)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('Invalid paging.') },
      });
    },
  );
});

function nextOf(link: string): string | undefined {
  return /<([^>]*)>; rel="next"/.exec(link)?.[1];
}
