import { parseChord } from './chord.ts';

/**
 * A chord in the spelling of native menus. Undefined for keys that are also typed: a native menu has its keys before
 * any text field.
 */
export function acceleratorOf(text: string): string | undefined {
  const { key, mod, alt, shift } = parseChord(text);
  if (!mod && !alt && !/^F\d+$/.test(key)) return undefined;
  return [mod && 'CommandOrControl', alt && 'Alt', shift && 'Shift', key]
    .filter((part) => part !== false)
    .join('+');
}
