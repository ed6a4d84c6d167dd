import { createStore, type StoreApi } from 'zustand/vanilla';

/** Frozen lists stay as they are while someone reads them; `missed` counts the changes that wait. */
export interface FreezeState {
  readonly isFrozen: boolean;
  readonly missed: number;
}
export type FreezeStore = StoreApi<FreezeState> & { readonly toggle: () => void; readonly miss: () => void };

/** Makes the store, live. */
export function createFreezeStore(): FreezeStore {
  const store = createStore<FreezeState>()(() => ({ isFrozen: false, missed: 0 }));
  return {
    ...store,
    toggle: () => store.setState(({ isFrozen }) => ({ isFrozen: !isFrozen, missed: 0 })),
    miss: () => store.setState(({ missed }) => ({ missed: missed + 1 })),
  };
}
