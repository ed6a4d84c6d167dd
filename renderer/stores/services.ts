import { createContext, useContext, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import type { QueryClient } from '@tanstack/react-query';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Bridge, Link, PageClock } from '../bridge/bridge.ts';
import type { CommandId, CommandRegistry } from '../commands/command-registry.ts';
import type { ArrivalsStore } from './arrivals.ts';
import type { DraftStore, OutboxStore } from './outbox.ts';
import type { NoticeStore } from './notices.ts';
import type { PreferencesState, PreferencesStore } from './preferences.ts';
import type { ProgressState, ProgressStore } from './progress.ts';

/** Everything the pages depend on, built once in main.tsx. */
export interface Services {
  readonly bridge: Bridge;
  readonly clock: PageClock;
  readonly queries: QueryClient;
  readonly preferences: PreferencesStore;
  readonly progress: ProgressStore;
  readonly notices: NoticeStore;
  readonly freeze: FreezeStore;
  readonly draft: DraftStore;
  readonly outbox: OutboxStore;
  readonly arrivals: ArrivalsStore;
  readonly commands: CommandRegistry;
  /** The locale for dates and numbers on a page in this language. */
  readonly localeOf: (language: string) => string;
  readonly isMac: boolean;
}

/** Provided by main.tsx and by tests. */
export const ServicesContext = createContext<Services | undefined>(undefined);

/** The services of this page. */
export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === undefined) throw new Error('There are no services around this component');
  return services;
}

/** A value from the preferences. The component renders again when it changes. */
export function usePreference<T>(select: (preferences: PreferencesState) => T): T {
  return useStore(useServices().preferences, select);
}

/** The locale for dates and numbers: the language of the page with the region of this system. */
export function useLocale(): string {
  const language = usePreference((preferences) => preferences.language);
  return useServices().localeOf(language);
}

/** A value from the progress; select no more than is shown. */
export function useProgress<T>(select: (progress: ProgressState) => T): T {
  return useStore(useServices().progress, select);
}

/** The state of the connection to the agent. */
export function useLink(): Link {
  const { bridge } = useServices();
  return useSyncExternalStore(bridge.onLink, bridge.link);
}

/** Registers an action for a command while the component is mounted. */
export function useCommand(id: CommandId, run: () => void, isEnabled = true): void {
  const { commands } = useServices();
  const latest = useEffectEvent(run);
  useEffect(() => commands.register({ id, isEnabled, run: () => latest() }), [commands, id, isEnabled]);
}

/** Frozen lists do not change while someone reads them; `missed` counts the changes not shown. */
interface FreezeState {
  readonly isFrozen: boolean;
  readonly missed: number;
}
type FreezeStore = StoreApi<FreezeState> & { readonly toggle: () => void; readonly miss: () => void };

/** Makes the store, not frozen. */
export function createFreezeStore(): FreezeStore {
  const store = createStore<FreezeState>()(() => ({ isFrozen: false, missed: 0 }));
  return {
    ...store,
    toggle: () => store.setState(({ isFrozen }) => ({ isFrozen: !isFrozen, missed: 0 })),
    miss: () => store.setState(({ missed }) => ({ missed: missed + 1 })),
  };
}

/** The current time, updated every second. */
export function useNow(): number {
  const { clock } = useServices();
  const [nowMs, setNowMs] = useState(() => clock.now());
  useEachSecond(() => setNowMs(clock.now()));
  return nowMs;
}

/**
 * A value from the progress, sampled at each full second: nobody reads numbers faster, and each change costs a frame.
 * The clocks change in the same frame.
 */
export function useCalmProgress<T>(select: (progress: ProgressState) => T): T {
  const { progress } = useServices();
  const [shown, setShown] = useState(() => select(progress.getState()));
  useEachSecond(() => {
    const next = select(progress.getState());
    setShown(() => next);
  });
  return shown;
}

function useEachSecond(act: () => void): void {
  const { clock } = useServices();
  const onSecond = useEffectEvent(act);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const wait = (): void => {
      timer = setTimeout(
        () => {
          onSecond();
          wait();
        },
        1000 - (clock.now() % 1000),
      );
    };
    wait();
    return () => clearTimeout(timer);
  }, [clock]);
}
