import { z } from 'zod';
import type { AgentSignal } from '../../shared/ipc/events.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

/** Where things of one browser are kept: its local storage, or anything like it. */
export type TextStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** What was kept under a key; a storage that refuses, is empty or holds something else counts as `without`. */
export function readKept<Schema extends z.ZodType>(
  storage: TextStorage,
  key: string,
  schema: Schema,
  without: object,
): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(storage.getItem(key) ?? JSON.stringify(without)));
  } catch {
    return schema.parse(without);
  }
}

/** Keeps a value; false when the storage is full or refuses: then it lasts until the page is closed. */
export function keep(storage: TextStorage, key: string, value: unknown): boolean {
  try {
    storage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

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

/** How a list was left: who comes back from another screen finds it so. */
export interface LeftList {
  readonly topPx: number;
  readonly cursor: { readonly index: number; readonly id: string | undefined };
}

/** The preferences and their one verb. */
export interface PreferencesState extends Preferences {
  set(change: Partial<Preferences>): void;
  /** By what is listed, until the page is closed. */
  readonly leftLists: Map<string, LeftList>;
}
export type PreferencesStore = StoreApi<PreferencesState>;

/**
 * Reads what was kept, keeps every change, and follows those that other `tabs` keep; storage that refuses is no reason to
 * fail.
 */
export function createPreferencesStore(
  storage: TextStorage,
  tabs?: Pick<Window, 'addEventListener'>,
): PreferencesStore {
  const read = (): Preferences => readKept(storage, STORAGE_KEY, preferencesSchema, {});
  const store = createStore<PreferencesState>()((set, get) => ({
    ...read(),
    leftLists: new Map(),
    set(change) {
      set(change);
      keep(storage, STORAGE_KEY, preferencesSchema.parse(get()));
    },
  }));
  tabs?.addEventListener('storage', ({ key }) => {
    if (key === STORAGE_KEY) store.setState(read());
  });
  return store;
}

/**
 * What of a screen stands in the address: filters, order, what is chosen. What cannot be read there counts as not
 * given, so each field of the schema needs a `catch`. `change` replaces the entry, so that Back leaves the screen.
 */
export function useScreenSearch<Schema extends z.ZodObject>(
  schema: Schema,
): readonly [z.output<Schema>, (change: Partial<z.input<Schema>>) => void] {
  const navigate = useNavigate();
  const search: unknown = useSearch({ strict: false });
  const change = useCallback(
    (fields: Partial<z.input<Schema>>) => {
      void navigate({
        to: '.',
        replace: true,
        search: (before: Record<string, unknown>) => ({ ...before, ...fields }),
      });
    },
    [navigate],
  );
  const read = useMemo(() => schema.parse(search), [schema, search]);
  return [read, change];
}

/** What stood in the address of a screen when it was left, as it is kept. */
export function readPlace(kept: string | undefined): Record<string, unknown> {
  const place: unknown = kept === undefined ? {} : JSON.parse(kept);
  return typeof place === 'object' && place !== null ? { ...place } : {};
}

/** Which news come up at this desk; kept in the browser, never sent. What needs someone stays in the list of notices anyway. */
const choiceSchema = z.object({
  /** News that come up over the page. */
  toasts: z.enum(['all', 'problems', 'none']).catch('all'),
  /** Problems also come up over other programs while the page is not in front. */
  desktop: z.boolean().catch(false),
});
/** See `choiceSchema`. */
export type NotificationChoice = z.infer<typeof choiceSchema>;
type Level = Extract<AgentSignal, { kind: 'notice' }>['level'];

const CHOICE_KEY = 'notifications';

/** Reads what was chosen; a storage that refuses or holds something else counts as nothing chosen. */
export function readChoice(storage: TextStorage): NotificationChoice {
  return readKept(storage, CHOICE_KEY, choiceSchema, {});
}

/** Keeps what was chosen; false when the storage refuses. */
export function keepChoice(storage: TextStorage, choice: NotificationChoice): boolean {
  return keep(storage, CHOICE_KEY, choice);
}

/** Where news of a level come up. A page that nobody looks at tells problems on the desktop, when that was chosen. */
export function placesFor(
  { toasts, desktop }: NotificationChoice,
  level: Level,
  isInFront: boolean,
): { readonly toast: boolean; readonly desktop: boolean } {
  const isProblem = level !== 'info';
  return {
    toast: toasts === 'all' || (toasts === 'problems' && isProblem),
    desktop: desktop && isProblem && !isInFront,
  };
}
