import { describe, expect, it } from 'vitest';
import {
  countFacets,
  fieldColumn,
  filterActions,
  indexActions,
  sortActions,
  type ActionFilter,
} from '../../../../../renderer/features/periods/select-actions.ts';
import { action } from './sample-action.ts';

const all: ActionFilter = { kind: undefined, status: undefined, ai: false, search: '' };
const actions = indexActions([
  action({
    id: 1,
    classification: 'Incident',
    subClassification: 'Medical',
    status: 'doing',
    createdAt: '2026-11-21T10:00:00.000Z',
    assignedUsers: ['Jürgen Müller'],
    aiDispatched: true,
    formFields: [{ name: 'severity', values: ['High'] }],
  }),
  action({
    id: 2,
    classification: 'incident ',
    status: 'Closed',
    createdAt: '2026-11-21T09:00:00.000Z',
    channel: 'Gate 10',
    closedAt: '2026-11-21T11:00:00.000Z',
  }),
  action({
    id: 3,
    classification: 'Patrol',
    status: 'canceled',
    createdAt: 'yesterday',
    latestChannel: 'Gate 9',
  }),
  action({ id: 4, createdAt: '2026-11-21T11:00:00.000Z', channel: 'Gate 9' }),
]);
const ids = (list: readonly { readonly id: unknown }[]): unknown => list.map(({ id }) => id);

describe('the filters', () => {
  it.each<[Partial<ActionFilter>, readonly number[]]>([
    [{}, [1, 2, 3, 4]],
    [{ kind: 'incident' }, [1, 2]],
    [{ kind: '' }, [4]],
    [{ status: 'closed' }, [2]],
    [{ ai: true }, [1]],
    [{ search: 'jurgen MULLER' }, [1]],
    [{ search: 'high' }, [1]],
    [{ search: 'gate 9' }, [3, 4]],
    [{ search: 'gate 9', kind: 'incident' }, []],
    [{ search: '   ' }, [1, 2, 3, 4]],
  ])('%j shows %j', (change, shown) => {
    expect(ids(filterActions(actions, { ...all, ...change }).map((each) => each.action))).toEqual(shown);
  });

  it('offer the four kinds always, then what else the service says, then what has none', () => {
    const { kinds, total } = countFacets(actions, all);
    expect(kinds.map(({ key, count }) => `${key} ${count}`)).toEqual([
      'task 0',
      'incident 2',
      'request 0',
      'checklist 0',
      'patrol 1',
      ' 1',
    ]);
    expect(kinds[4]?.word).toBe('Patrol');
    expect(total).toBe(4);
  });

  it('count what each would show while the others stay, and keep every status in its place', () => {
    const { kinds, statuses, ai } = countFacets(actions, { ...all, kind: 'incident', status: 'closed' });
    expect(kinds.map(({ count }) => count)).toEqual([0, 1, 0, 0]);
    expect(statuses.map(({ key, count }) => `${key} ${count}`)).toEqual([
      'doing 1',
      'closed 1',
      'canceled 0',
      ' 0',
    ]);
    expect(ai).toBe(0);
  });
});

describe('the order', () => {
  it.each<[string, 'ascending' | 'descending', readonly number[]]>([
    // Invalid times come last in either order
    ['createdAt', 'descending', [4, 1, 2, 3]],
    ['createdAt', 'ascending', [2, 1, 4, 3]],
    ['closedAt', 'ascending', [2, 1, 3, 4]],
    ['status', 'ascending', [1, 2, 3, 4]],
    ['status', 'descending', [3, 2, 1, 4]],
    // Numbers within text sort as numbers: 9 comes before 10
    ['channel', 'ascending', [3, 4, 2, 1]],
    ['ai', 'ascending', [1, 2, 3, 4]],
    [fieldColumn('severity'), 'descending', [1, 2, 3, 4]],
    ['no such column', 'ascending', [1, 2, 3, 4]],
  ])('by %s, %s', (columnId, order, sorted) => {
    expect(ids(sortActions(actions, { columnId, order }, 'en'))).toEqual(sorted);
  });
});
