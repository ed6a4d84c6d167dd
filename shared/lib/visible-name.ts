/**
 * Characters that hide: controls, direction marks, zero-width characters, the byte order mark, line and
 * paragraph separators, the replacement character, lone surrogates, letters that are blank, variation selectors and tags.
 */
const hidden =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffd\ud800-\udfff\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\u{e0000}-\u{e0fff}]/gu;

/** A name with its control and direction characters made visible (`␊`, `<U+202E>`): safe in a log line or message. */
export function visibleName(name: string): string {
  return name.replace(hidden, (character) => {
    const code = character.codePointAt(0) ?? 0;
    // The control pictures block mirrors the C0 controls.
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return '␡';
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}

/** Whether a name has characters that `visibleName` would show differently. */
export function hasHiddenCharacters(name: string): boolean {
  return visibleName(name) !== name;
}
