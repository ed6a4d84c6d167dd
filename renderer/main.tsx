// Must come first: the other modules create their schemas while they load
import './bridge/interpreted-schemas.ts';
// Next, the script that has already run before this one
import { bridge, firstRows } from './first-answers.ts';
import '@fontsource-variable/inter/wght.css';
import './styles/tokens.css';
import './styles/base.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { followDesktop, publishMenu } from './app/follow-desktop.ts';
import { followOutbox, holdOutbox, followSignals } from './app/follow-signals.ts';
import { pageClock } from './bridge/bridge.ts';
import { createCommandRegistry } from './commands/command-registry.ts';
import { valueOf } from './queries/use-call.ts';
import { createLocaleOf } from './format/format.ts';
import { createI18n } from './i18n/create-i18n.ts';
import { createArrivalsStore } from './stores/arrivals.ts';
import { createDraftStore, createOutbox } from './stores/outbox.ts';
import { createFreezeStore, type Services, ServicesContext } from './stores/services.ts';
import { createNoticeStore } from './stores/notices.ts';
import { createPreferencesStore } from './stores/preferences.ts';
import { createProgressStore } from './stores/progress.ts';
import type { i18n } from 'i18next';
import { useEffect, useState, type ReactNode } from 'react';
import { I18nProvider } from 'react-aria-components';
import { I18nextProvider } from 'react-i18next';
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
import { UploadsScreen } from './features/uploads/uploads-screen.tsx';
import { directionOf } from '../shared/words/languages.ts';
import { Frame } from './app/frame.tsx';

/** The whole app, with its services. */
function App({ services, words }: { readonly services: Services; readonly words: i18n }): ReactNode {
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

/** Applies theme, density, language and direction to the document, where the style sheets find them. */
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

/** Screens that the first one shown does not need, in the order of the rail; each is a separate file. */
const lazyScreens = {
  periods: lazyRouteComponent(() => import('./features/periods/periods-screen.tsx'), 'PeriodsScreen'),
  compose: lazyRouteComponent(() => import('./features/compose/compose-screen.tsx'), 'ComposeScreen'),
  users: lazyRouteComponent(() => import('./features/users/users-screen.tsx'), 'UsersScreen'),
  settings: lazyRouteComponent(() => import('./features/settings/settings-screen.tsx'), 'SettingsScreen'),
  health: lazyRouteComponent(() => import('./features/health/health-screen.tsx'), 'HealthScreen'),
  handover: lazyRouteComponent(() => import('./features/handover/handover-screen.tsx'), 'HandoverScreen'),
};

/** Loads the screens that are not loaded yet, one after the other, while the page is idle. */
async function preloadScreens(idle: () => Promise<void>): Promise<void> {
  for (const screen of Object.values(lazyScreens)) {
    await idle();
    await screen.preload?.();
  }
}

const rootRoute = createRootRoute();

const framedRoute = createRoute({ getParentRoute: () => rootRoute, id: 'framed', component: Frame });

const screen = (path: string, component: RouteComponent) =>
  createRoute({ getParentRoute: () => framedRoute, path, component, validateSearch: keepSearch });

/** Passes the parameters on: each screen parses its own with its own schema (`useScreenSearch`). */
function keepSearch(search: Record<string, unknown>): Record<string, unknown> {
  return search;
}

/** Fills the window, without the frame: nobody operates a wall display. */
const wallRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/wall',
  component: lazyRouteComponent(() => import('./features/wall/wall-screen.tsx'), 'WallScreen'),
});

const indexRoute = createRoute({
  getParentRoute: () => framedRoute,
  path: '/',
  beforeLoad: () => {
    // The router expects a thrown redirect
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

/** Maps addresses to screens; filters and selections are part of the address, so that it can be kept and shared. */
function createAppRouter() {
  return createRouter({ routeTree, history: createHashHistory(), defaultPreload: false });
}

/** Delay before other screens are loaded, milliseconds: the first screen has its rows by then. */
const PRELOAD_AFTER_MS = 1500;

/**
 * Longest wait for the first rows, milliseconds: they have usually arrived by now, and the app is rendered regardless.
 */
const LONGEST_WAIT_MS = 20;

/** Puts the first rows in the cache where the screen looks for them. Never rejects. */
function keepRows({ queryKey, answer }: NonNullable<typeof firstRows>): Promise<void> {
  return services.queries.prefetchQuery({ queryKey, queryFn: async () => valueOf(await answer) });
}

allowEmptyHtml();

const preferences = createPreferencesStore(localStorage, window);
const localeOf = createLocaleOf(navigator.languages);
const isMac = navigator.platform.startsWith('Mac');
const services: Services = {
  bridge,
  clock: pageClock,
  // Failures are shown with their reason and a button, so nothing is retried; the agent's own data does not go stale
  queries: new QueryClient({
    defaultOptions: {
      queries: { retry: false, staleTime: Infinity, refetchOnWindowFocus: false, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  }),
  preferences,
  progress: createProgressStore(),
  notices: createNoticeStore(pageClock, sessionStorage),
  freeze: createFreezeStore(),
  draft: createDraftStore(localStorage),
  outbox: createOutbox({
    storage: localStorage,
    now: pageClock.now,
    makeId: () => crypto.randomUUID(),
    post: (message) => bridge.caller.call('messages.post', { message }),
  }),
  arrivals: createArrivalsStore(),
  commands: createCommandRegistry(isMac),
  localeOf,
  isMac,
};
// Before any await: the agent may already be sending signals
followSignals(services);
const words = await createI18n(preferences.getState().language, localeOf);
followDesktop(services, words);
followOutbox(services, words);
holdOutbox(services.outbox, services.draft, { locks: navigator.locks, tabs: window });
publishMenu(services, words);
const late = new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS));
await Promise.race([firstRows && keepRows(firstRows), late]);
const root = document.querySelector('#root');
if (root !== null) createRoot(root).render(<App services={services} words={words} />);
// Loaded afterwards, so that switching screens is instant, even when the agent is gone by then
setTimeout(() => {
  void preloadScreens(() => new Promise((resolve) => requestIdleCallback(() => resolve())));
}, PRELOAD_AFTER_MS);

/** The part of the browser's Trusted Types used here; TypeScript's DOM types do not include it yet. */
interface TrustedTypes {
  createPolicy(name: 'default', rules: { createHTML(html: string): string }): unknown;
}

declare global {
  interface Window {
    readonly trustedTypes?: TrustedTypes;
  }
}

/** Libraries empty elements with `innerHTML = ''`; any other HTML is refused, as the page's policy requires. */
function allowEmptyHtml(): void {
  window.trustedTypes?.createPolicy('default', {
    createHTML(html) {
      if (html === '') return html;
      throw new TypeError('This page writes no HTML');
    },
  });
}
