// First of all: the schemas of the other modules are made while they are loaded
import './bridge/interpreted-schemas.ts';
import '@fontsource-variable/inter/wght.css';
import './styles/tokens.css';
import './styles/base.css';
import { QueryClient } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { App, preloadScreens } from './app/app.tsx';
import { followDesktop, publishMenu } from './app/follow-desktop.ts';
import { followOutbox, holdOutbox, followSignals } from './app/follow-signals.ts';
import { createConsoleBridge } from './bridge/console-bridge.ts';
import { createDesktopBridge } from './bridge/desktop-bridge.ts';
import { pageClock } from './bridge/bridge.ts';
import { createCommandRegistry } from './commands/command-registry.ts';
import { createLocaleOf } from './format/format.ts';
import { createI18n } from './i18n/create-i18n.ts';
import { createArrivalsStore } from './stores/arrivals.ts';
import { createDraftStore, createOutbox } from './stores/outbox.ts';
import { createFreezeStore, type Services } from './stores/services.ts';
import { createNoticeStore } from './stores/notices.ts';
import { createPreferencesStore } from './stores/preferences.ts';
import { createProgressStore } from './stores/progress.ts';

/** The first screen has its rows by then, milliseconds. */
const PRELOAD_AFTER_MS = 1500;

allowEmptyHtml();

const preferences = createPreferencesStore(localStorage);
// Before there is a way to the outside: nothing that comes by it is lost for want of words
const words = await createI18n(preferences.getState().language);
const isMac = navigator.platform.startsWith('Mac');
const bridge =
  window.desktop === undefined
    ? createConsoleBridge(pageClock)
    : createDesktopBridge(window.desktop, pageClock);
const services: Services = {
  bridge,
  clock: pageClock,
  // What failed is shown with its reason and a button; the agent's own data do not age by themselves
  queries: new QueryClient({
    defaultOptions: {
      queries: { retry: false, staleTime: Infinity, refetchOnWindowFocus: false, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  }),
  preferences,
  progress: createProgressStore(),
  notices: createNoticeStore(),
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
  localeOf: createLocaleOf(navigator.languages),
  isMac,
};
followSignals(services);
followDesktop(services, words);
followOutbox(services, words);
holdOutbox(services.outbox, { locks: navigator.locks, tabs: window });
publishMenu(services, words);
const root = document.querySelector('#root');
if (root !== null) createRoot(root).render(<App services={services} words={words} />);
// After them, so that going to another screen waits for nothing, even when the agent is gone by then
setTimeout(() => {
  void preloadScreens(() => new Promise((resolve) => requestIdleCallback(() => resolve())));
}, PRELOAD_AFTER_MS);

/** The part of the browser's Trusted Types that is used here; the types of the language do not know it yet. */
interface TrustedTypes {
  createPolicy(name: 'default', rules: { createHTML(html: string): string }): unknown;
}

declare global {
  interface Window {
    readonly trustedTypes?: TrustedTypes;
  }
}

/** Libraries empty an element by `innerHTML = ''`; any other HTML is refused as the policy of the page says. */
function allowEmptyHtml(): void {
  window.trustedTypes?.createPolicy('default', {
    createHTML(html) {
      if (html === '') return html;
      throw new TypeError('This page writes no HTML');
    },
  });
}
