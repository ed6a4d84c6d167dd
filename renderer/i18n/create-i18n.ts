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
import { wallStrings } from '../features/wall/strings.ts';
import { catalogueOptions, directionOf, type Strings } from '../../shared/words/languages.ts';
import { commonStrings } from './common-strings.ts';

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
  wall: wallStrings,
};

/** The words of the app in one language; English where there is none. */
export async function createI18n(language: string): Promise<i18n> {
  const instance = i18next.createInstance();
  const options = catalogueOptions(english, () => directionOf(instance.language) === 'rtl');
  await instance.use(initReactI18next).init({ lng: language, ...options });
  return instance;
}
