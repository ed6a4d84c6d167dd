import { describe, expect, it } from 'vitest';
import { actionsAnswerSchema } from '../../../../shared/service/period.ts';

const read = (actions: unknown, requested: readonly string[] = [], more: object = {}) =>
  actionsAnswerSchema(requested).safeParse({ actions, ...more });
const readOne = (wire: object, requested: readonly string[] = []) =>
  read([{ periodActionId: 1, ...wire }], requested).data?.actions[0];
const bare = {
  id: 1,
  periodActionId: 1,
  assignedUsers: [],
  formFields: [],
  missingFields: [],
  notes: [],
  otherFields: [],
};

describe('an action', () => {
  it('is translated field by field', () => {
    const wire = {
      periodId: 3,
      periodName: 'Final',
      periodActionId: 5,
      actionId: 'a-9',
      classification: 'Incident',
      subClassification: 'Medical',
      status: 'canceled',
      createdTime: 't1',
      assignedTime: 't2',
      doingTime: 't3',
      closedTime: 't4',
      createdByUserName: 'Ann',
      periodMarker: 'Half time',
      assignedUserNames: ['Bo', 'Cy'],
      channel: 'Gate',
      formType: 'Report',
      latestChannel: 'Medical',
      aiDispatched: true,
    };
    expect(read([wire]).data).toEqual({
      unreadable: 0,
      actions: [
        {
          id: 5,
          periodActionId: 5,
          actionId: 'a-9',
          periodId: 3,
          periodName: 'Final',
          classification: 'Incident',
          subClassification: 'Medical',
          status: 'canceled',
          createdAt: 't1',
          assignedAt: 't2',
          doingAt: 't3',
          closedAt: 't4',
          createdBy: 'Ann',
          periodMarker: 'Half time',
          assignedUsers: ['Bo', 'Cy'],
          channel: 'Gate',
          formType: 'Report',
          latestChannel: 'Medical',
          aiDispatched: true,
          formFields: [],
          missingFields: [],
          notes: [],
          otherFields: [],
        },
      ],
    });
  });

  it('has the id of the action when it has none in its period', () => {
    const both = [
      { actionId: 5, periodActionId: null },
      { periodActionId: 5, actionId: 900 },
    ];
    // Never the ID of another action
    expect(read(both).data?.actions.map(({ id }) => id)).toEqual(['action 5', 5]);
    const nameless = read([{ status: 'open' }]);
    expect(nameless.error?.issues[0]?.path.join('.')).toBe('actions.0.periodActionId');
  });

  it.each([[{ status: 'open' }], [{ periodActionId: 2, status: 5 }], [null]])(
    'that cannot be read, %o, hides no other one, and is counted',
    (odd) => {
      const { data } = read([{ periodActionId: 1 }, odd, { periodActionId: 3 }]);
      expect(data).toMatchObject({ actions: [{ id: 1 }, { id: 3 }], unreadable: 1 });
    },
  );

  it('may have null wherever something is optional', () => {
    const names = [
      'status',
      'createdTime',
      'assignedUserNames',
      'aiDispatched',
      'notes',
      'actionId',
      'unknown',
    ];
    expect(readOne(Object.fromEntries(names.map((name) => [name, null])))).toEqual(bare);
  });

  it.each([[{ status: 5 }], [{ aiDispatched: 'yes' }], [{ periodId: {} }], [{ channel: {} }]])(
    'is not %o',
    (wire) => {
      expect(read([{ periodActionId: 1, ...wire }]).success).toBe(false);
    },
  );

  it.each([[5], ['x'], [null], [[]]])('is not %o', (wire) => {
    expect(read([wire]).success).toBe(false);
  });
});

describe('form fields', () => {
  it('are all lists that the table does not name, in their order, as texts', () => {
    const wire = { zone: ['North', 4, null, { a: 1 }], budget: [], 'Größe (m²)': ['12'] };
    expect(readOne(wire)?.formFields).toEqual([
      { name: 'zone', values: ['North', '4', 'a: 1'] },
      { name: 'budget', values: [] },
      { name: 'Größe (m²)', values: ['12'] },
    ]);
  });

  it.each(['status', 'channel', 'aiDispatched', 'periodId', 'createdTime'])(
    'may be named as the field %s of the table is',
    (name) => {
      expect(readOne({ [name]: ['x'] })).toEqual({ ...bare, formFields: [{ name, values: ['x'] }] });
    },
  );

  it('that were asked for and did not come are missing', () => {
    const action = readOne({ budget: ['1'], priority: null }, ['department', 'budget', 'priority']);
    expect(action?.missingFields).toEqual(['department', 'priority']);
  });

  it('that were asked for may come without their list', () => {
    expect(readOne({ budget: 500 }, ['budget'])).toEqual({
      ...bare,
      formFields: [{ name: 'budget', values: ['500'] }],
    });
  });
});

describe('anything else', () => {
  it('is kept as text', () => {
    expect(readOne({ weather: 'rain', score: { home: 1, away: 0 }, flag: false })?.otherFields).toEqual([
      { name: 'weather', text: 'rain' },
      { name: 'score', text: 'home: 1, away: 0' },
      { name: 'flag', text: 'false' },
    ]);
  });

  it('cannot reach into JavaScript itself', () => {
    const wire: unknown = JSON.parse(
      '{"periodActionId":1,"__proto__":{"status":"hacked"},"constructor":["x"],"toString":"y"}',
    );
    const action = read([wire]).data?.actions[0];
    expect(action).toEqual({
      ...bare,
      formFields: [{ name: 'constructor', values: ['x'] }],
      otherFields: [{ name: 'toString', text: 'y' }],
    });
    expect(JSON.stringify(Object.getPrototypeOf(action))).toBe('{}');
  });
});

describe('notes', () => {
  it.each([
    ['department is missing', ['department is missing']],
    [{ department: 'missing' }, ['department: missing']],
    [
      [{ department: 'missing' }, 'budget'],
      ['department: missing', 'budget'],
    ],
    [{ form_fields: { department: ['missing'] } }, ['form_fields: department: missing']],
    [7, ['7']],
    [null, []],
  ])('of any shape become lines: %o', (notes, lines) => {
    expect(readOne({ notes })?.notes).toEqual(lines);
  });

  it('on the whole answer belong to the actions that miss a field and have none of their own', () => {
    const actions = [
      { periodActionId: 1, budget: ['5'] },
      { periodActionId: 2 },
      { periodActionId: 3, notes: 'own' },
    ];
    const answer = read(actions, ['budget'], { notes: { budget: 'missing' } }).data;
    expect(answer?.actions.map(({ notes }) => notes)).toEqual([[], ['budget: missing'], ['own']]);
  });
});

describe('the answer with actions', () => {
  it('tells its page when the service counts', () => {
    expect(read([], [], { page: 1, total_pages: 3 }).data).toMatchObject({
      actions: [],
      page: 1,
      totalPages: 3,
    });
    expect(read(null, [], { page: null }).data).toEqual({ actions: [], unreadable: 0 });
    for (const odd of ['1', 1.5, -1, {}, [1]])
      expect(read([], [], { page: odd, total_pages: odd }).data).toEqual({ actions: [], unreadable: 0 });
  });

  it('needs its list', () => {
    expect(read(undefined).success).toBe(false);
  });
});
