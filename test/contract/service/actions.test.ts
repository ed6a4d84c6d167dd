import { describe, expect, it } from 'vitest';
import type { Action } from '../../../shared/domain/action.ts';
import { errorOf, going, useServiceDesk, valueOf } from './service-desk.ts';

const desk = useServiceDesk();

const wire = {
  periodId: 41,
  periodName: 'Match day 12',
  periodActionId: 7,
  actionId: 880_007,
  classification: 'Incident',
  subClassification: 'Medical',
  status: 'doing',
  createdTime: '2026-05-01T19:30:00.000Z',
  assignedTime: '2026-05-01T19:31:00.000Z',
  doingTime: '2026-05-01T19:32:00.000Z',
  closedTime: '2026-05-01T19:40:00.000Z',
  createdByUserName: 'Freya Whitfield',
  periodMarker: 'Kick-off',
  assignedUserNames: ['Jürgen Weiß', '李 娜'],
  channel: 'Medical',
  formType: 'Medical report',
  latestChannel: 'Control room',
  aiDispatched: true,
};

const ask = (fields: readonly string[] = [], id: number | string = 41) =>
  desk().team.periods.readActions(id, fields, going);
const list = async (...by: Parameters<typeof ask>) => (await valueOf(ask(...by))).items;

/** The action as the client reads it from an answer. */
async function read(more: object = {}, fields: readonly string[] = []): Promise<Action> {
  desk().answerNext({ actions: [{ ...wire, ...more }] });
  const [action] = await list(fields);
  if (action === undefined) throw new Error('No action was read');
  return action;
}

describe('Action', () => {
  it('Action | periodId | integer', async () => {
    expect((await read()).periodId).toBe(41);
  });

  it('Action | periodName | string', async () => {
    expect((await read()).periodName).toBe('Match day 12');
  });

  it('Action | periodActionId | integer, id of the action within the period', async () => {
    expect(await read()).toMatchObject({ id: 7, periodActionId: 7 });
  });

  it('Action | actionId | integer', async () => {
    expect((await read()).actionId).toBe(880_007);
  });

  it('Action | classification | string', async () => {
    expect((await read()).classification).toBe('Incident');
  });

  it('Action | subClassification | string', async () => {
    expect((await read()).subClassification).toBe('Medical');
  });

  it('Action | status | string', async () => {
    expect((await read()).status).toBe('doing');
  });

  it('Action | createdTime | ISO 8601 UTC timestamp', async () => {
    expect((await read()).createdAt).toBe(wire.createdTime);
  });

  it('Action | assignedTime | ISO 8601 UTC timestamp', async () => {
    expect((await read()).assignedAt).toBe(wire.assignedTime);
  });

  it('Action | doingTime | ISO 8601 UTC timestamp', async () => {
    expect((await read()).doingAt).toBe(wire.doingTime);
  });

  it('Action | closedTime | ISO 8601 UTC timestamp', async () => {
    expect((await read()).closedAt).toBe(wire.closedTime);
  });

  it('Action | createdByUserName | string', async () => {
    expect((await read()).createdBy).toBe('Freya Whitfield');
  });

  it('Action | periodMarker | string', async () => {
    expect((await read()).periodMarker).toBe('Kick-off');
  });

  it('Action | assignedUserNames | array of strings', async () => {
    const action = await read();
    expect(action.assignedUsers).toEqual(['Jürgen Weiß', '李 娜']);
    expect(action.formFields).toEqual([]);
  });

  it('Action | channel | string', async () => {
    expect((await read()).channel).toBe('Medical');
  });

  it('Action | formType | string', async () => {
    expect((await read()).formType).toBe('Medical report');
  });

  it('Action | latestChannel | string, the latest routed channel', async () => {
    expect((await read()).latestChannel).toBe('Control room');
  });

  it('Action | aiDispatched | boolean', async () => {
    expect((await read()).aiDispatched).toBe(true);
    expect((await read({ aiDispatched: false })).aiDispatched).toBe(false);
  });

  it('Action | form field | array of strings, one property for each requested field', async () => {
    const action = await read({ department: ['Medical'], location: ['Gate 4', 'Block 107'] });
    expect(action.formFields).toEqual([
      { name: 'department', values: ['Medical'] },
      { name: 'location', values: ['Gate 4', 'Block 107'] },
    ]);
  });

  it('Action | notes | object or array, present when a requested field is missing', async () => {
    const action = await read({ notes: { missing_fields: ['budget'] } }, ['department', 'budget']);
    expect(action.notes.join('\n')).toContain('budget');
    expect((await read({ notes: ['budget is missing'] })).notes.join('\n')).toContain('budget is missing');
    expect((await read()).notes).toEqual([]);
  });

  it('Action | not shown: the inner shape of notes | gap 18 | any JSON is shown as text, never an error', async () => {
    const shapes = ['budget', 7, true, { a: { b: ['budget'] } }, [[['budget']]], [{ field: 'budget' }], null];
    for (const notes of shapes) expect((await read({ notes })).id).toBe(7);
    expect((await read({ notes: { a: { b: ['budget'] } } })).notes.join('\n')).toContain('budget');
  });

  it('Action | not shown: fields beyond the table | gap 19 | kept: arrays as form fields, others as text', async () => {
    const action = await read({ severity: ['High'], reportedBy: 'CCTV', count: 3 });
    expect(action.formFields).toEqual([{ name: 'severity', values: ['High'] }]);
    const kept = new Map(action.otherFields.map(({ name, text }) => [name, text]));
    expect(kept.get('reportedBy')).toBe('CCTV');
    expect(kept.get('count')).toBe('3');
  });
});

describe('Action status', () => {
  it('Action status | canceled | a string; the value canceled appears among the values', async () => {
    expect((await read({ status: 'canceled' })).status).toBe('canceled');
    const period = desk()
      .simulator.team()
      .actions.find(({ listed }) => listed.status === 'canceled')?.listed;
    const actions = await list([], period?.periodId);
    expect(actions.map(({ status }) => status)).toContain('canceled');
  });

  it('Action status | not shown: allowed values and transitions | gap 20 | any word is kept as it is', async () => {
    for (const status of ['escalated', 'Wartet', '🚑']) expect((await read({ status })).status).toBe(status);
  });
});

/** The current period, which has the most actions. */
const busyPeriod = () => {
  const counts = new Map<number, number>();
  for (const { listed } of desk().simulator.team().actions)
    counts.set(listed.periodId, (counts.get(listed.periodId) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? 0;
};
const idsOf = (period: number) =>
  desk()
    .simulator.team()
    .actions.filter(({ listed }) => listed.periodId === period)
    .map(({ listed }) => listed.periodActionId);

describe('8. Get Actions for a Period', () => {
  it('8 | address | GET /periods/{period_id}/actions', async () => {
    const id = busyPeriod();
    await list([], id);
    const request = { method: 'GET', path: `/v1/periods/${id}/actions`, status: 200, bytesReceived: 0 };
    expect(desk().lastRequest()).toMatchObject(request);
  });

  it('8 | period_id | an integer, a valid period of the team of the caller', async () => {
    const stranger = desk().simulator.team().otherTeamPeriod.id;
    expect(await errorOf(ask([], stranger))).toMatchObject({ code: 'VALIDATION', status: 400 });
    expect(desk().lastRequest().path).toBe(`/v1/periods/${stranger}/actions`);
  });

  it('8 | form_fields | query, optional, default none', async () => {
    await list([], busyPeriod());
    expect(desk().lastRequest().search).toBe('');
  });

  it('8 | form_fields | a JSON array of strings, URL-encoded as a whole', async () => {
    await list(['department', 'budget', 'priority'], busyPeriod());
    const encoded = '%5B%22department%22%2C%22budget%22%2C%22priority%22%5D';
    expect(desk().lastRequest().search).toBe(`form_fields=${encoded}`);
  });

  it('8 | form_fields | only the named fields are returned', async () => {
    const actions = await list(['location', 'severity'], busyPeriod());
    const names = new Set(actions.flatMap(({ formFields }) => formFields.map(({ name }) => name)));
    expect(names).toEqual(new Set(['location', 'severity']));
    const none = await list([], busyPeriod());
    expect(none.flatMap(({ formFields }) => formFields)).toEqual([]);
  });

  it('8 | notes | say which of the named fields an action does not have', async () => {
    const asked = ['location', 'severity', 'budget'];
    const actions = await list(asked, busyPeriod());
    const lacking = actions.filter(({ missingFields }) => missingFields.length > 0);
    expect(lacking).not.toEqual([]);
    for (const { missingFields, formFields, notes } of lacking) {
      expect([...missingFields, ...formFields.map(({ name }) => name)].toSorted()).toEqual(asked.toSorted());
      for (const name of missingFields) expect(notes.join('\n')).toContain(name);
    }
    const whole = actions.filter(({ missingFields }) => missingFields.length === 0);
    for (const { notes } of whole) expect(notes).toEqual([]);
  });

  it('8 | 200 | answers actions, an array of Action', async () => {
    const id = busyPeriod();
    const actions = await list([], id);
    expect(actions.map((action) => action.periodActionId)).toEqual(idsOf(id));
    desk().answerNext([wire]);
    expect(await errorOf(ask())).toMatchObject({ code: 'API_SHAPE' });
  });

  it('8 | not shown: parameters of pagination | gap 17 | page and total_pages in the answer are followed', async () => {
    desk().simulator.configure({ actionsPaging: 'pages', actionsPerPage: 13 });
    const id = busyPeriod();
    const actions = await list([], id);
    expect(actions.map((action) => action.periodActionId)).toEqual(idsOf(id));
    expect(desk().simulator.requests.of('getActions').length).toBeGreaterThan(2);
    expect(desk().simulator.requests.of('getActions')[0]?.search).toBe('');
    desk().simulator.configure({ actionsPaging: 'none' });
  });

  it('8 | not shown: parameters of pagination | gap 17 | a Link header with rel="next" is followed', async () => {
    desk().simulator.configure({ actionsPaging: 'link', actionsPerPage: 13 });
    const id = busyPeriod();
    const actions = await list(['location'], id);
    expect(actions.map((action) => action.periodActionId)).toEqual(idsOf(id));
    expect(desk().simulator.requests.of('getActions').length).toBeGreaterThan(2);
    desk().simulator.configure({ actionsPaging: 'none' });
  });

  it('Service | actions | are tasks, incidents, requests and checklists', async () => {
    const actions = await list([], busyPeriod());
    const kinds = new Set(actions.map(({ classification }) => classification));
    expect(kinds).toEqual(new Set(['Task', 'Incident', 'Request', 'Checklist']));
  });
});
