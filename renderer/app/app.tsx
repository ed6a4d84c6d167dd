import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import type { i18n } from 'i18next';
import { useEffect, useState, type ReactNode } from 'react';
import { I18nProvider } from 'react-aria-components';
import { I18nextProvider } from 'react-i18next';
import { useStore } from 'zustand';
import { directionOf } from '../i18n/direction.ts';
import { ServicesContext, type Services } from '../stores/services.ts';
import { createAppRouter } from './router.tsx';

/** The whole app over its services. */
export function App({ services, words }: { readonly services: Services; readonly words: i18n }): ReactNode {
  const [router] = useState(createAppRouter);
  useLook(services, words);
  const { language } = useStore(services.preferences);
  return (
    <ServicesContext value={services}>
      <I18nextProvider i18n={words}>
        <I18nProvider locale={directionOf(language) === 'rtl' ? language : services.localeOf(language)}>
          <QueryClientProvider client={services.queries}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </I18nProvider>
      </I18nextProvider>
    </ServicesContext>
  );
}

/** Theme, density, language and direction stand on the document, where the style sheets find them. */
function useLook({ preferences }: Services, words: i18n): void {
  const { theme, density, language } = useStore(preferences);
  useEffect(() => {
    const root = document.documentElement;
    root.dataset['density'] = density;
    root.lang = language;
    root.dir = directionOf(language);
    if (words.language !== language) void words.changeLanguage(language);
  }, [density, language, words]);
  useEffect(() => {
    const light = matchMedia('(prefers-color-scheme: light)');
    const apply = (): void => {
      const isLight = theme === 'light' || (theme === 'system' && light.matches);
      document.documentElement.dataset['theme'] = isLight ? 'light' : 'dark';
    };
    apply();
    light.addEventListener('change', apply);
    return () => light.removeEventListener('change', apply);
  }, [theme]);
}
