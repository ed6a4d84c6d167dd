import { expect, it } from 'vitest';
import { acceleratorOf } from '../../../../renderer/commands/accelerator.ts';
import { catalogue } from '../../../../renderer/commands/catalogue.ts';

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
