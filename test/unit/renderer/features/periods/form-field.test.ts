import { describe, expect, it } from 'vitest';
import {
  addSeenFields,
  countMissing,
  fieldNames,
  fieldState,
  readSeenFields,
  lookOf,
  statusRank,
  actionTable,
  csvFileName,
} from '../../../../../renderer/features/periods/form-field.ts';
import { action } from './sample-action.ts';
import Papa from 'papaparse';
import { createI18n } from '../../../../../renderer/i18n/create-i18n.ts';
import { csvText } from '../../../../../shared/lib/csv-text.ts';

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

const { t } = await createI18n('en');
const parse = (text: string): readonly (readonly string[])[] =>
  Papa.parse<string[]>(text.replace('\uFEFF', ''), { skipEmptyLines: true }).data;

describe('the actions as a table', () => {
  const one = action({
    id: 7,
    periodActionId: 7,
    actionId: 'a-1',
    periodName: 'Cup, "final"',
    status: 'doing',
    createdAt: '2026-11-21T10:00:00.000Z',
    assignedUsers: ['Ada', 'Béla'],
    aiDispatched: true,
    formFields: [{ name: 'budget', values: ['-120.00 GBP', '5'] }],
    missingFields: ['severity'],
    notes: ['line 1\nline 2'],
  });
  const [names = [], values = []] = parse(csvText(actionTable([one], ['budget', 'severity'], t)));
  const cell = (name: string): string | undefined => values[names.indexOf(name)];

  it('has what is known, times as the service wrote them, and a column for each form field', () => {
    expect(cell('ID in the period')).toBe('7');
    expect(cell('Action ID')).toBe('a-1');
    expect(cell('Period')).toBe('Cup, "final"');
    expect(cell('Created (UTC)')).toBe('2026-11-21T10:00:00.000Z');
    expect(cell('Closed (UTC)')).toBe('');
    expect(cell('Assigned to')).toBe('Ada; Béla');
    expect(cell('AI-dispatched')).toBe('Yes');
    expect(cell('Form: severity')).toBe('');
    expect(cell('Missing form fields')).toBe('severity');
    expect(cell('Notes')).toBe('line 1\nline 2');
  });

  it('holds no formula', () => {
    expect(cell('Form: budget')).toBe("'-120.00 GBP; 5");
  });
});

describe('the name of the file', () => {
  it.each([
    ['Kingsbridge v Northvale (Cup)', 'actions-Kingsbridge-v-Northvale-Cup-2026-11-21.csv'],
    ['../../etc/passwd', 'actions-etc-passwd-2026-11-21.csv'],
    ['Ólafur & Söhne', 'actions-Olafur-Sohne-2026-11-21.csv'],
    ['東京', 'actions-2026-11-21.csv'],
    ['', 'actions-2026-11-21.csv'],
  ])('of "%s" is %s', (name, file) => {
    expect(csvFileName(name, '2026-11-21')).toBe(file);
  });
});

it('a table of a list that could not be read to its end says so in its last row', async () => {
  const { t } = await createI18n('en');
  const rows = actionTable([], [], t, 100);
  expect(rows.at(-1)).toEqual(['Incomplete: 100 actions were loaded, but the service has more.']);
  expect(actionTable([], [], t)).toHaveLength(1);
});
