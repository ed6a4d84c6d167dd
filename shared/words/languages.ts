/** English with foreign-looking letters, for finding what is not translated or cut off. */
const PSEUDO_LANGUAGE = 'en-XA';
/** English from right to left, for finding what does not turn. */
const RTL_LANGUAGE = 'ar-XB';

/** Words of the app: a tree of texts. */
export interface Strings {
  readonly [name: string]: string | Strings;
}

/** Options of i18next for a catalogue: every language that the app has, English where one has no word. */
export function catalogueOptions(english: Strings, isRightToLeft: () => boolean) {
  return {
    fallbackLng: 'en',
    resources: {
      en: { translation: english },
      [PSEUDO_LANGUAGE]: onDemand(() => pseudoStrings(english)),
      [RTL_LANGUAGE]: onDemand(() => isolatedStrings(english)),
    },
    interpolation: {
      // Neither React nor the system reads HTML in a text: what is made safe here is the direction of a value
      escape: (value: string) => (isRightToLeft() ? isolatedValue(value) : value),
    },
    returnNull: false as const,
  };
}

/** Words that hardly anybody asks for: they are made when somebody does. */
function onDemand(make: () => Strings): { readonly translation: Strings } {
  let made: Strings | undefined;
  return {
    get translation() {
      return (made ??= make());
    },
  };
}

/** Direction in which a language is written. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return /^(ar|fa|he|ur)(-|$)/.test(language) ? 'rtl' : 'ltr';
}

const accents = new Map(
  'aá eé ií oó uú yý AÁ EÉ IÍ OÓ UÚ cç CÇ nñ NÑ sš SŠ zž ZŽ'
    .split(' ')
    .map((pair) => [pair.charAt(0), pair.charAt(1)]),
);

/** Words from left to right stay so on a page from right to left, with their full stop at their end. */
const isolated = (text: string): string => (/^[\p{L} ]*$/u.test(text) ? text : `\u2066${text}\u2069`);

/** A value inside of a text keeps its own direction: "1.5 MB/s" is no "MB/s 1.5" where the text runs the other way. */
export const isolatedValue = (value: string): string => `\u2068${value}\u2069`;

/** English as it is, for a page from right to left. */
export function isolatedStrings(strings: Strings): Strings {
  return mapStrings(strings, isolated);
}

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
