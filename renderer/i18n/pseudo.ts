/** Words of the app: a tree of texts. */
export interface Strings {
  readonly [name: string]: string | Strings;
}

const accents = new Map(
  'aá eé ií oó uú yý AÁ EÉ IÍ OÓ UÚ cç CÇ nñ NÑ sš SŠ zž ZŽ'
    .split(' ')
    .map((pair) => [pair.charAt(0), pair.charAt(1)]),
);

/** Words from left to right stay so on a page from right to left, with their full stop at their end. */
const isolated = (text: string): string => (/^[\p{L} ]*$/u.test(text) ? text : `\u2066${text}\u2069`);

/** English as it is, for a page from right to left. */
export function isolatedStrings(strings: Strings): Strings {
  return mapStrings(strings, isolated);
}

/** A value inside of a text keeps its own direction: "1.5 MB/s" is no "MB/s 1.5" where the text runs the other way. */
export const isolatedValue = (value: string): string => `\u2068${value}\u2069`;

/** Makes each text longer and foreign, but readable: what is cut off or not translated shows at once. */
export function pseudoStrings(strings: Strings): Strings {
  return mapStrings(strings, pseudoText);
}

function mapStrings(strings: Strings, change: (text: string) => string): Strings {
  return Object.fromEntries(
    Object.entries(strings).map(([name, value]) => [
      name,
      typeof value === 'string' ? change(value) : mapStrings(value, change),
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
