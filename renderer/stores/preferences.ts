import { z } from 'zod';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { keep, readKept, type TextStorage } from './kept.ts';

/** How one person at this desk wants to see things; kept in the browser, never sent. */
const preferencesSchema = z.object({
  theme: z.enum(['system', 'dark', 'light']).catch('system'),
  density: z.enum(['compact', 'normal', 'comfortable']).catch('normal'),
  times: z.enum(['utc', 'local']).catch('utc'),
  language: z.string().max(35).catch('en'),
});
/** See `preferencesSchema`. */
export type Preferences = z.infer<typeof preferencesSchema>;

const STORAGE_KEY = 'preferences';

/** The preferences and their one verb. */
export interface PreferencesState extends Preferences {
  set(change: Partial<Preferences>): void;
}
export type PreferencesStore = StoreApi<PreferencesState>;

/** Reads what was kept, and keeps every change; storage that refuses is no reason to fail. */
export function createPreferencesStore(storage: TextStorage): PreferencesStore {
  return createStore<PreferencesState>()((set, get) => ({
    ...readKept(storage, STORAGE_KEY, preferencesSchema, {}),
    set(change) {
      set(change);
      keep(storage, STORAGE_KEY, preferencesSchema.parse(get()));
    },
  }));
}
