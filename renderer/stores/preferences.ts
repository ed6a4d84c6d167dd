import { z } from 'zod';
import type { AgentSignal } from '../../shared/ipc/events.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

/** Storage of one browser: local storage, or anything like it. */
export type TextStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** The value kept under a key; `without` when the storage fails, is empty or holds something else. */
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

/** Stores a value; false when the storage is full or refuses: the value then lasts until the page is closed. */
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

/** A named set of search parameters of the Uploads screen. */
const savedViewSchema = z.object({
  name: z.string().min(1).max(60),
  search: z.record(z.string(), z.union([z.string(), z.boolean()])),
});
/** See `savedViewSchema`. */
export type SavedView = z.infer<typeof savedViewSchema>;

/** How one person at this desk likes things shown; kept in the browser, never sent. */
const preferencesSchema = z.object({
  theme: z.enum(['system', 'dark', 'light']).catch('system'),
  density: z.enum(['compact', 'normal', 'comfortable']).catch('normal'),
  times: z.enum(['utc', 'local']).catch('local'),
  language: z.string().max(35).catch('en'),
  /** Column widths, pixels, by grid and column: `uploads.title`. */
  widths: z.record(z.string(), z.number().min(24).max(2000)).catch({}),
  /** Hidden columns, named in the same way. */
  hidden: z.array(z.string()).catch([]),
  /** Width of the details panel, pixels. */
  detailsPx: z.number().min(240).max(900).optional().catch(undefined),
  /** The search parameters of each screen when last left, as JSON. */
  places: z.record(z.string(), z.string().max(20_000).refine(isJson)).catch({}),
  /** Text size, percent. */
  textSize: z.union([z.literal(100), z.literal(110), z.literal(125), z.literal(150)]).catch(100),
  /** Saved views of the Uploads screen. */
  views: z.array(savedViewSchema).max(100).catch([]),
});
/** See `preferencesSchema`. */
export type Preferences = z.infer<typeof preferencesSchema>;

const STORAGE_KEY = 'preferences';

/** Scroll position and cursor of a list, restored when someone returns from another screen. */
export interface LeftList {
  readonly topPx: number;
  readonly cursor: { readonly index: number; readonly id: string | undefined };
}

/** The preferences and their setter. */
export interface PreferencesState extends Preferences {
  set(change: Partial<Preferences>): void;
  /** By list, until the page is closed. */
  readonly leftLists: Map<string, LeftList>;
}
export type PreferencesStore = StoreApi<PreferencesState>;

/**
 * Reads the stored preferences, stores every change, and follows changes made in other `tabs`. A storage that refuses
 * causes no failure.
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
 * The part of a screen's state kept in the address: filters, order, selection. Unreadable values count as absent, so
 * each field of the schema needs a `catch`. `change` replaces the history entry, so that Back leaves the screen.
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

/** Parses the stored search parameters of a screen. */
export function readPlace(kept: string | undefined): Record<string, unknown> {
  const place: unknown = kept === undefined ? {} : JSON.parse(kept);
  return typeof place === 'object' && place !== null ? { ...place } : {};
}

/**
 * Which news this desk shows; kept in the browser, never sent. Anything that needs attention stays in the list of
 * notices.
 */
const choiceSchema = z.object({
  /** News shown as toasts. */
  toasts: z.enum(['all', 'problems', 'none']).catch('all'),
  /** Also show problems as desktop notifications while the page is not in front. */
  desktop: z.boolean().catch(false),
});
/** See `choiceSchema`. */
export type NotificationChoice = z.infer<typeof choiceSchema>;
type Level = Extract<AgentSignal, { kind: 'notice' }>['level'];

const CHOICE_KEY = 'notifications';

/** Reads the choice; a storage that refuses or holds something else counts as no choice. */
export function readChoice(storage: TextStorage): NotificationChoice {
  return readKept(storage, CHOICE_KEY, choiceSchema, {});
}

/** Stores the choice; false when the storage refuses. */
export function keepChoice(storage: TextStorage, choice: NotificationChoice): boolean {
  return keep(storage, CHOICE_KEY, choice);
}

/**
 * Where news of a level is shown. While the page is not in front, problems also go to the desktop, if that was chosen.
 */
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
