/** A key with the modifiers that must be held: "Mod" is Ctrl, on a Mac Command. */
export interface Chord {
  readonly key: string;
  readonly mod: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

/** What a chord is compared with: the parts of a keyboard event that matter. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Reads "Mod+Shift+K". The last part is the key. */
export function parseChord(text: string): Chord {
  const parts = text.split('+');
  const key = parts.at(-1) ?? '';
  const has = (name: string): boolean => parts.slice(0, -1).includes(name);
  return { key, mod: has('Mod'), alt: has('Alt'), shift: has('Shift') };
}

/** True when the press is that chord. Letters by their character, so that each keyboard layout keeps its own. */
export function matchesChord(chord: Chord, press: KeyPress, isMac: boolean): boolean {
  const mod = isMac ? press.metaKey : press.ctrlKey;
  const other = isMac ? press.ctrlKey : press.metaKey;
  if (mod !== chord.mod || other || press.altKey !== chord.alt) return false;
  const isLetter = /^[A-Z]$/.test(chord.key);
  // "?" and "/" are where the layout has them, with Shift or without
  if ((isLetter || chord.key.length > 1) && press.shiftKey !== chord.shift) return false;
  if (isLetter) return press.key.toUpperCase() === chord.key || press.code === `Key${chord.key}`;
  return press.key === chord.key;
}

/** The chord as it stands on the keys of this system. */
export function showChord(text: string, isMac: boolean): string {
  if (!isMac) return text.replace('Mod', 'Ctrl');
  return text
    .replace('Mod', '⌘')
    .replace('Alt', '⌥')
    .replace('Shift', '⇧')
    .replaceAll(/(?<=.)\+/g, '');
}

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
