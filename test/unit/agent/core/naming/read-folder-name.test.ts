import { describe, expect, it } from 'vitest';
import { isDateName, readFolderName } from '../../../../../electron/agent/core/naming/read-folder-name.ts';

const told = (name: string) => {
  const { title, time } = readFolderName(name);
  if (time === undefined) return [title];
  const { year, month, day, hour, minute, second } = time.wall;
  const written = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  return [title, time.precision, written.toISOString().slice(0, 19)];
};

describe('readFolderName', () => {
  it.each([
    ['Pitch invasion Gate 4', ['Pitch invasion Gate 4']],
    ['2026-05-01 Pitch invasion', ['Pitch invasion', 'day', '2026-05-01T00:00:00']],
    ['2026-05-01 1930 Pitch invasion', ['Pitch invasion', 'minute', '2026-05-01T19:30:00']],
    ['20260501_193005 - Pitch invasion', ['Pitch invasion', 'second', '2026-05-01T19:30:05']],
    ['Pitch invasion 2026-05-01', ['Pitch invasion', 'day', '2026-05-01T00:00:00']],
    ['Gate 4, 2026-05-01 19:30, north', ['Gate 4 north', 'minute', '2026-05-01T19:30:00']],
    ['28.05.2026_0300', ['', 'minute', '2026-05-28T03:00:00']],
    ['2026-05-01', ['', 'day', '2026-05-01T00:00:00']],
    ['Section 2026-13-45', ['Section 2026-13-45']],
    ['01-05-2026 Fight', ['01-05-2026 Fight']],
    ['Case 120260501 x', ['Case 120260501 x']],
    ['   ', ['']],
  ])('reads %j', (name, expected) => {
    expect(told(name)).toEqual(expected);
  });

  it('does not search names longer than any file system allows', () => {
    const name = `2026-05-01 ${'x'.repeat(300)}`;
    expect(readFolderName(name)).toEqual({ title: name });
  });
});

it.each([
  ['2026-05-01', true],
  ['20260501', true],
  ['28.05.2026_0300', true],
  ['2026', true],
  ['05', true],
  ['Gate 4', false],
  ['2026-05-01 Gate 4', false],
])('says whether %j is only a date: %s', (name, expected) => {
  expect(isDateName(name)).toBe(expected);
});
