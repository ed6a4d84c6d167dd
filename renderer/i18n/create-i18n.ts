import i18next, { type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { composeStrings } from '../features/compose/strings.ts';
import { healthStrings } from '../features/health/strings.ts';
import { onboardingStrings } from '../features/onboarding/strings.ts';
import { periodsStrings } from '../features/periods/strings.ts';
import { settingsStrings } from '../features/settings/strings.ts';
import { uploadsStrings } from '../features/uploads/strings.ts';
import { usersStrings } from '../features/users/strings.ts';
import { commonStrings } from './common-strings.ts';
import { directionOf } from './direction.ts';
import { isolatedStrings, isolatedValue, pseudoStrings, type Strings } from './pseudo.ts';

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
