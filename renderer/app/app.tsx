import type { i18n } from 'i18next';
import { useEffect, useState, type ReactNode } from 'react';
import { I18nProvider } from 'react-aria-components';
import { I18nextProvider } from 'react-i18next';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  RouterProvider,
  type RouteComponent,
} from '@tanstack/react-router';
import { useStore } from 'zustand';
import { UploadsScreen } from '../features/uploads/uploads-screen.tsx';
import { directionOf } from '../../shared/words/languages.ts';
import { ServicesContext, type Services } from '../stores/services.ts';
import { Frame } from './frame.tsx';

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
  const { theme, density, language, textSize } = useStore(preferences);
  useEffect(() => {
    const root = document.documentElement;
    root.dataset['density'] = density;
    root.style.setProperty('--text-scale', String(textSize / 100));
    root.lang = language;
    root.dir = directionOf(language);
    if (words.language !== language) void words.changeLanguage(language);
  }, [density, language, textSize, words]);
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

/** Screens of which the first one shown needs nothing, in the order of the rail: each is a file of its own. */
const lazyScreens = {
  periods: lazyRouteComponent(() => import('../features/periods/periods-screen.tsx'), 'PeriodsScreen'),
  compose: lazyRouteComponent(() => import('../features/compose/compose-screen.tsx'), 'ComposeScreen'),
  users: lazyRouteComponent(() => import('../features/users/users-screen.tsx'), 'UsersScreen'),
  settings: lazyRouteComponent(() => import('../features/settings/settings-screen.tsx'), 'SettingsScreen'),
  health: lazyRouteComponent(() => import('../features/health/health-screen.tsx'), 'HealthScreen'),
  handover: lazyRouteComponent(() => import('../features/handover/handover-screen.tsx'), 'HandoverScreen'),
};

/** Reads the screens that are not there yet, one after the other, while the page has nothing else to do. */
export async function preloadScreens(idle: () => Promise<void>): Promise<void> {
  for (const screen of Object.values(lazyScreens)) {
    await idle();
    await screen.preload?.();
  }
}

const rootRoute = createRootRoute();

const framedRoute = createRoute({ getParentRoute: () => rootRoute, id: 'framed', component: Frame });

const screen = (path: string, component: RouteComponent) =>
  createRoute({ getParentRoute: () => framedRoute, path, component, validateSearch: keepSearch });

/** Each screen reads its own part of the address with its own schema (`useScreenSearch`). */
function keepSearch(search: Record<string, unknown>): Record<string, unknown> {
  return search;
}

/** Fills the window by itself: nobody stands before a wall. */
const wallRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/wall',
  component: lazyRouteComponent(() => import('../features/wall/wall-screen.tsx'), 'WallScreen'),
});

const indexRoute = createRoute({
  getParentRoute: () => framedRoute,
  path: '/',
  beforeLoad: () => {
    // This is how the router learns of it
    throw redirect({ to: '/uploads' });
  },
});

const routeTree = rootRoute.addChildren([
  wallRoute,
  framedRoute.addChildren([
    indexRoute,
    screen('/uploads', UploadsScreen),
    screen('/periods', lazyScreens.periods),
    screen('/compose', lazyScreens.compose),
    screen('/users', lazyScreens.users),
    screen('/settings', lazyScreens.settings),
    screen('/health', lazyScreens.health),
    screen('/handover', lazyScreens.handover),
  ]),
]);

/** The screens by address; filters and choices stand in it too, so that it can be kept and shared. */
function createAppRouter() {
  return createRouter({ routeTree, history: createHashHistory(), defaultPreload: false });
}
