import { describe, expect, it } from 'vitest';
import {
  addSeenFields,
  countMissing,
  fieldNames,
  fieldState,
  readSeenFields,
  lookOf,
  statusRank,
} from '../../../../../renderer/features/periods/form-field.ts';
import { action } from './sample-action.ts';

const filled = action({
  id: 1,
  formFields: [
    { name: 'location', values: ['Tunnel', '', 'Pitch side'] },
    { name: 'budget', values: [''] },
  ],
  missingFields: ['severity'],
});

describe('a form field of an action', () => {
  it('tells what is missing from what was left empty and from what nobody asked for', () => {
    expect(fieldState(filled, 'location')).toEqual({ kind: 'values', text: 'Tunnel, Pitch side' });
    expect(fieldState(filled, 'budget')).toEqual({ kind: 'empty' });
    expect(fieldState(filled, 'severity')).toEqual({ kind: 'missing' });
    expect(fieldState(filled, 'priority')).toEqual({ kind: 'untold' });
  });

  it('has a column when it was asked for or came by itself', () => {
    expect(fieldNames([filled], ['severity', 'location'])).toEqual(['severity', 'location', 'budget']);
    expect(countMissing([filled, action({ id: 2 })], 'severity')).toBe(1);
  });
});

describe('the names that are offered', () => {
  const storage = (kept: string | null) => ({ getItem: () => kept, setItem: () => undefined });

  it('are those that some action has, each once', () => {
    const seen = addSeenFields(['location'], [filled, filled]);
    expect(seen).toEqual(['location', 'budget']);
    expect(addSeenFields(seen, [filled])).toBe(seen);
  });

  it('are none when what was kept cannot be read', () => {
    expect(readSeenFields(storage('["location"]'))).toEqual(['location']);
    expect(readSeenFields(storage('{"a":1}'))).toEqual([]);
    expect(readSeenFields(storage('[""]'))).toEqual([]);
    expect(readSeenFields(storage('not json'))).toEqual([]);
    expect(readSeenFields(storage(null))).toEqual([]);
  });
});

describe('the look of a status', () => {
  it.each([
    ['open', 'waiting'],
    ['doing', 'active'],
    ['in_progress', 'active'],
    ['in-progress', 'active'],
    ['on hold', 'warning'],
    ['closed', 'done'],
    ['canceled', 'canceled'],
    ['cancelled', 'canceled'],
    ['escorted to the gate', 'neutral'],
    ['', 'neutral'],
  ])('of "%s" is %s', (key, tone) => {
    expect(lookOf(key).tone).toBe(tone);
  });

  it.each([
    ['open', 'assigned'],
    ['assigned', 'doing'],
    ['doing', 'closed'],
    ['closed', 'canceled'],
    ['canceled', 'unheard of'],
  ])('puts "%s" before "%s"', (one, other) => {
    expect(statusRank(one)).toBeLessThan(statusRank(other));
  });
});
