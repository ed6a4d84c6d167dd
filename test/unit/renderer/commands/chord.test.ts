import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../../renderer/commands/command-registry.ts';
import {
  acceleratorOf,
  matchesChord,
  parseChord,
  showChord,
  type KeyPress,
} from '../../../../renderer/commands/chord.ts';

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});
const matches = (chord: string, pressed: KeyPress, isMac = false) =>
  matchesChord(parseChord(chord), pressed, isMac);

describe('a chord', () => {
  it.each([
    ['Mod+K', press('k', { ctrlKey: true }), true],
    ['Mod+K', press('k'), false],
    ['Mod+K', press('k', { ctrlKey: true, shiftKey: true }), false],
    ['Mod+K', press('k', { ctrlKey: true, altKey: true }), false],
    ['Mod+1', press('1', { ctrlKey: true }), true],
    ['R', press('r'), true],
    ['R', press('R', { shiftKey: true }), false],
    ['Shift+R', press('R', { shiftKey: true }), true],
    ['Alt+L', press('l', { altKey: true }), true],
    ['Alt+L', press('¬', { altKey: true, code: 'KeyL' }), true],
    ['?', press('?', { shiftKey: true }), true],
    ['?', press('?'), true],
    ['/', press('/'), true],
    ['/', press('/', { shiftKey: true }), true],
    ['F5', press('F5'), true],
    ['Mod+Enter', press('Enter', { ctrlKey: true }), true],
    ['Mod+Enter', press('Enter'), false],
  ])('%s fits %o: %s', (chord, pressed, expected) => {
    expect(matches(chord, pressed)).toBe(expected);
  });

  it('has Command for Ctrl on a Mac, and not both', () => {
    expect(matches('Mod+K', press('k', { metaKey: true }), true)).toBe(true);
    expect(matches('Mod+K', press('k', { ctrlKey: true }), true)).toBe(false);
    expect(matches('Mod+K', press('k', { ctrlKey: true, metaKey: true }), true)).toBe(false);
  });

  it('is shown as it stands on the keys', () => {
    expect(showChord('Mod+Shift+K', false)).toBe('Ctrl+Shift+K');
    expect(showChord('Mod+Shift+K', true)).toBe('⌘⇧K');
    expect(showChord('Alt+L', true)).toBe('⌥L');
  });
});

it.each([
  ['Mod+1', 'CommandOrControl+1'],
  ['Mod+Enter', 'CommandOrControl+Enter'],
  ['Mod+Shift+K', 'CommandOrControl+Shift+K'],
  ['Alt+L', 'Alt+L'],
  ['F5', 'F5'],
])('%s stands in a native menu as %s', (chord, accelerator) => {
  expect(acceleratorOf(chord)).toBe(accelerator);
});

it.each(['R', 'Shift+R', '?', '/'])('%s is typed too, so no menu takes it', (chord) => {
  expect(acceleratorOf(chord)).toBeUndefined();
});

it('no two commands have the same one', () => {
  const all = catalogue.flatMap(({ keys }) => keys.map((key: string) => acceleratorOf(key)));
  const known = all.filter((each) => each !== undefined);
  expect(new Set(known).size).toBe(known.length);
});
