import i18next, { type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { composeStrings } from '../features/compose/strings.ts';
import { handoverStrings } from '../features/handover/strings.ts';
import { healthStrings } from '../features/health/strings.ts';
import { onboardingStrings } from '../features/onboarding/strings.ts';
import { periodsStrings } from '../features/periods/strings.ts';
import { settingsStrings } from '../features/settings/strings.ts';
import { uploadsStrings } from '../features/uploads/strings.ts';
import { usersStrings } from '../features/users/strings.ts';
import { directionOf } from '../format/format-locale.ts';
import { commonStrings } from './common-strings.ts';

/** English with foreign-looking letters, for finding what is not translated or cut off. */
const PSEUDO_LANGUAGE = 'en-XA';
/** English from right to left, for finding what does not turn. */
const RTL_LANGUAGE = 'ar-XB';

const english: Strings = {
  ...commonStrings,
  uploads: uploadsStrings,
  periods: periodsStrings,
  compose: composeStrings,
  users: usersStrings,
  settings: settingsStrings,
  health: healthStrings,
  handover: handoverStrings,
  onboarding: onboardingStrings,
};

/** The words of the app in one language; English where there is none. */
export async function createI18n(language: string): Promise<i18n> {
  const instance = i18next.createInstance();
  await instance.use(initReactI18next).init({
    lng: language,
    fallbackLng: 'en',
    resources: {
      en: { translation: english },
      [PSEUDO_LANGUAGE]: { translation: pseudoStrings(english) },
      [RTL_LANGUAGE]: { translation: isolatedStrings(english) },
    },
    interpolation: {
      // React writes texts, never HTML: what is made safe here is their direction
      escape: (value) => (directionOf(instance.language) === 'rtl' ? isolatedValue(value) : value),
    },
    returnNull: false,
  });
  return instance;
}

/** Words of the app: a tree of texts. */
interface Strings {
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
