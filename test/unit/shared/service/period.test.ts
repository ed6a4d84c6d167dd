import { describe, expect, it } from 'vitest';
import { periodsAnswerSchema } from '../../../../shared/service/period.ts';

const read = (periods: unknown) => periodsAnswerSchema.safeParse({ periods, other: 1 });

describe('the answer with periods', () => {
  it('is translated field by field', () => {
    const wire = {
      id: 7,
      name: 'Final',
      start_date: '2026-05-01T18:00:00.000Z',
      end_date: '2026-05-01T22:00:00.000Z',
      created_at: '2026-04-01T00:00:00.000Z',
      updated_at: '2026-04-02T00:00:00.000Z',
      markers: { name: 'Kick-off', timestamp: '2026-05-01T19:00:00.000Z' },
      colour: 'red',
    };
    expect(read([wire]).data).toEqual([
      {
        id: 7,
        name: 'Final',
        startAt: '2026-05-01T18:00:00.000Z',
        endAt: '2026-05-01T22:00:00.000Z',
        createdAt: '2026-04-01T00:00:00.000Z',
        updatedAt: '2026-04-02T00:00:00.000Z',
        markers: [{ name: 'Kick-off', at: '2026-05-01T19:00:00.000Z' }],
      },
    ]);
  });

  it.each([
    ['2026-05-01T18:00:00', '2026-05-01T18:00:00Z'],
    ['2026-05-01T18:00:00.123456', '2026-05-01T18:00:00.123456Z'],
    ['2026-05-01T18:00:00.000Z', '2026-05-01T18:00:00.000Z'],
    ['2026-05-01 18:00:00', '2026-05-01T18:00:00Z'],
    ['2026-05-01 18:00 UTC', '2026-05-01T18:00Z'],
    ['2026-05-01T18:00:00+00:00', '2026-05-01T18:00:00.000Z'],
    ['2026-05-01T18:00:00-0500', '2026-05-01T23:00:00.000Z'],
    ['2026-05-01T18:00:00+02', '2026-05-01T16:00:00.000Z'],
    ['2026-05-01T18:00:00+99:00', '2026-05-01T18:00:00+99:00'],
    ['2026-05-01', '2026-05-01'],
    ['soon', 'soon'],
  ])('gives the time %s in UTC, which is its zone unless it says otherwise', (time, expected) => {
    const period = { id: 1, start_date: time, markers: { timestamp: time } };
    expect(read([period]).data).toEqual([{ id: 1, startAt: expected, markers: [{ at: expected }] }]);
  });

  it.each([
    [null, []],
    [undefined, []],
    [{}, []],
    [[], []],
    [
      [{ name: 'a' }, { name: null, timestamp: 't' }, {}],
      [{ name: 'a' }, { at: 't' }],
    ],
  ])('takes markers as %o', (markers, expected) => {
    expect(read([{ id: 'p', markers }]).data).toEqual([{ id: 'p', markers: expected }]);
  });

  it('keeps the order, ids as received, and no field that is null', () => {
    expect(
      read([
        { id: '2', name: null },
        { id: 1, start_date: null },
      ]).data,
    ).toEqual([
      { id: '2', markers: [] },
      { id: 1, markers: [] },
    ]);
    expect(read(null).data).toEqual([]);
  });

  it.each([
    [undefined],
    ['x'],
    [{}],
    [[{ name: 'without id' }]],
    [[{ id: 1.5 }]],
    [[{ id: '' }]],
    [[{ id: 1, name: 5 }]],
  ])('is not %o', (periods) => {
    expect(read(periods).success).toBe(false);
  });
});
