/** English with foreign-looking letters, for finding text that is not translated or cut off. */
const PSEUDO_LANGUAGE = 'en-XA';
/** English from right to left, for finding what is not mirrored. */
const RTL_LANGUAGE = 'ar-XB';

/** Texts of the app, as a tree. */
export interface Strings {
  readonly [name: string]: string | Strings;
}

/** Options of i18next for a catalogue: every language that the app has, with English as the fallback. */
export function catalogueOptions(english: Strings, isRightToLeft: () => boolean) {
  return {
    fallbackLng: 'en',
    resources: {
      en: { translation: english },
      [PSEUDO_LANGUAGE]: onDemand(() => pseudoStrings(english)),
      [RTL_LANGUAGE]: onDemand(() => isolatedStrings(english)),
    },
    interpolation: {
      // Neither React nor the system reads HTML in a text: only the direction of a value is made safe here
      escape: (value: string) => (isRightToLeft() ? isolatedValue(value) : value),
    },
    returnNull: false as const,
  };
}

/** Texts that are rarely needed, created at the first use. */
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

/** Keeps left-to-right text as it is on a right-to-left page, with its full stop at its end. */
const isolated = (text: string): string => (/^[\p{L} ]*$/u.test(text) ? text : `\u2066${text}\u2069`);

/**
 * Keeps the direction of a value inside a text, so that "1.5 MB/s" does not become "MB/s 1.5" in right-to-left text.
 */
export const isolatedValue = (value: string): string => `\u2068${value}\u2069`;

/** Unchanged English, for a right-to-left page. */
export function isolatedStrings(strings: Strings): Strings {
  return mapStrings(strings, isolated);
}

/**
 * Makes each text longer and foreign-looking but readable: text that is cut off or not translated shows immediately.
 */
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
