/** Words of the app: a tree of texts. */
export interface Strings {
  readonly [name: string]: string | Strings;
}

const accents = new Map(
  'aá eé ií oó uú yý AÁ EÉ IÍ OÓ UÚ cç CÇ nñ NÑ sš SŠ zž ZŽ'
    .split(' ')
    .map((pair) => [pair.charAt(0), pair.charAt(1)]),
);

/** Makes each text longer and foreign, but readable: what is cut off or not translated shows at once. */
export function pseudoStrings(strings: Strings): Strings {
  return Object.fromEntries(
    Object.entries(strings).map(([name, value]) => [
      name,
      typeof value === 'string' ? pseudoText(value) : pseudoStrings(value),
    ]),
  );
}

/** Placeholders and tags stay as they are. */
function pseudoText(text: string): string {
  const parts = text.split(/(\{\{[^}]*\}\}|<[^>]*>)/);
  const foreign = parts.map((part) =>
    /^(\{\{|<)/.test(part) ? part : [...part].map((letter) => accents.get(letter) ?? letter).join(''),
  );
  return `[${foreign.join('')}${'~'.repeat(Math.ceil(text.length * 0.3))}]`;
}
