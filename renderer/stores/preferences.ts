import { z } from 'zod';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { keep, readKept, type TextStorage } from './kept.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What of the screen's address a name stands for. */
const savedViewSchema = z.object({
  name: z.string().min(1).max(60),
  search: z.record(z.string(), z.union([z.string(), z.boolean()])),
});
/** See `savedViewSchema`. */
export type SavedView = z.infer<typeof savedViewSchema>;

/** How one person at this desk wants to see things; kept in the browser, never sent. */
const preferencesSchema = z.object({
  theme: z.enum(['system', 'dark', 'light']).catch('system'),
  density: z.enum(['compact', 'normal', 'comfortable']).catch('normal'),
  times: z.enum(['utc', 'local']).catch('local'),
  language: z.string().max(35).catch('en'),
  /** Widths that columns were given, pixels, by grid and column: `uploads.title`. */
  widths: z.record(z.string(), z.number().min(24).max(2000)).catch({}),
  /** Columns that were hidden, named in the same way. */
  hidden: z.array(z.string()).catch([]),
  /** Width of the details beside a list, pixels. */
  detailsPx: z.number().min(240).max(900).optional().catch(undefined),
  /** What stood in the address of each screen, as JSON. */
  places: z.record(z.string(), z.string().max(20_000).refine(isJson)).catch({}),
  /** Size of text, percent. */
  textSize: z.union([z.literal(100), z.literal(110), z.literal(125), z.literal(150)]).catch(100),
  /** Filters and order of the screen Uploads under a name. */
  views: z.array(savedViewSchema).max(100).catch([]),
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
