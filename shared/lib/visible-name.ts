/**
 * Invisible characters: controls, line and paragraph separators, whatever is ignored when a text is shown (direction
 * marks, zero-width characters, blank letters, variation selectors, tags), the blank Braille pattern, the replacement
 * character, and lone surrogates.
 */
const hidden = /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufffd\ud800-\udfff]/gu;
/** Emoji, in which selectors and joiners are allowed. */
const emoji = /(\p{RGI_Emoji})/v;

/** A name with its control and direction characters made visible (`␊`, `<U+202E>`): safe in a log line or message. */
export function visibleName(name: string): string {
  if (name.search(hidden) < 0) return name;
  const parts = name.split(emoji);
  return parts.map((part, index) => (index % 2 === 1 ? part : part.replace(hidden, signOf))).join('');
}

function signOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  // The control pictures block mirrors the C0 controls.
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** Whether a name has characters that `visibleName` would show differently. */
export function hasHiddenCharacters(name: string): boolean {
  return visibleName(name) !== name;
}

/**
 * A message about a file, safe to show, that names the file: in a list the row does, elsewhere only the message can.
 */
export function messageWithFile(message: string, file: string): string {
  const [text, name] = [visibleName(message), visibleName(file)];
  return text.includes(name) ? text : `${text} (${name})`;
}
