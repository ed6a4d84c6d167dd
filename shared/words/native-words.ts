import i18next from 'i18next';
import { catalogueOptions, directionOf } from './languages.ts';
import { nativeStrings, type NativeKey } from './native-strings.ts';

/** A native text in the language that is spoken now; `count` chooses its plural form. */
export type Say = (key: NativeKey, values?: Readonly<Record<string, string | number>>) => string;

/** Words of menus, tray, notifications and dialogs. */
export interface NativeWords {
  readonly say: Say;
  /** From now on texts are in this language; English where it has none. Answers whether it is another than before. */
  speak(language: string): boolean;
}

/** Makes the native words; they begin in English and follow the page's language. */
export function createNativeWords(): NativeWords {
  const words = i18next.createInstance();
  // Every word is in memory, so nothing is waited for
  void words.init({
    lng: 'en',
    initAsync: false,
    ...catalogueOptions(nativeStrings, () => directionOf(words.language) === 'rtl'),
  });
  return {
    say: (key, values = {}) => words.t(key, { ...values }),
    speak(language) {
      if (language === words.language) return false;
      void words.changeLanguage(language);
      return true;
    },
  };
}
