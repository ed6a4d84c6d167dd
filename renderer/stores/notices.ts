import { z } from 'zod';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Failure } from '../../shared/domain/failure.ts';
import type { PageClock } from '../bridge/bridge.ts';
import type { WantedIncident } from './arrivals.ts';
import { keep, readKept, type TextStorage } from './preferences.ts';

/** Something that just happened. `undo` reverts it while the notice is shown. */
export interface Notice {
  readonly id: number;
  readonly at: string;
  readonly level: 'info' | 'warning' | 'failure';
  readonly text: string;
  readonly undo?: () => void;
  /** The incident or clip concerned, if it can be shown. */
  readonly about?: WantedIncident;
  /** Nobody on this page caused it. */
  readonly isNews?: boolean;
}

/** Toasts on screen, and notices that stay listed until they are dismissed. */
export interface NoticeState {
  readonly toasts: readonly Notice[];
  readonly open: readonly Notice[];
}
export type NoticeStore = StoreApi<NoticeState> & {
  readonly show: (notice: Omit<Notice, 'id' | 'at'>) => number;
  /** Shows that something failed, and what to do. */
  readonly failed: (failure: Pick<Failure, 'message' | 'advice'>) => void;
  /**
   * Says why something that was just tried is not done; nothing stays in the list, since there is nothing to act on.
   */
  readonly hint: (text: string) => void;
  readonly dismissToast: (id: number) => void;
  readonly putAside: (id: number) => void;
};

/**
 * Another toast replaces the oldest news, or the oldest that cannot be undone; whatever needs attention stays in the
 * list of notices.
 */
const MOST_TOASTS = 2;
/** Limit of listed notices; the lists of uploads show everything beyond it. */
const MOST_OPEN = 50;

const STORAGE_KEY = 'notices';

const keptSchema = z
  .array(
    z.object({
      id: z.int(),
      at: z.iso.datetime(),
      level: z.enum(['warning', 'failure']),
      text: z.string(),
      about: z.object({ incidentId: z.string(), clipId: z.string().optional() }).exactOptional(),
    }),
  )
  .max(MOST_OPEN);

/**
 * Good news never replaces a reply to the user's own action, which would be gone before it is read; the lists show such
 * news anyway. Problems are always shown.
 */
function withToast(toasts: readonly Notice[], notice: Notice): readonly Notice[] {
  if (toasts.length < MOST_TOASTS) return [...toasts, notice];
  const oldestNews = toasts.find(({ isNews }) => isNews === true);
  if (oldestNews === undefined && notice.isNews === true && notice.level === 'info') return toasts;
  const leaving = oldestNews ?? toasts.find(({ undo }) => undo === undefined) ?? toasts[0];
  return [...toasts.filter((toast) => toast !== leaving), notice];
}

/** Makes the store. Failures and warnings are also kept in `open`, and in `storage` across reloads. */
export function createNoticeStore({ now }: Pick<PageClock, 'now'>, storage: TextStorage): NoticeStore {
  const kept: readonly Notice[] = readKept(storage, STORAGE_KEY, keptSchema, []);
  const store = createStore<NoticeState>()(() => ({ toasts: [], open: kept }));
  store.subscribe(({ open }, before) => {
    if (open !== before.open) keep(storage, STORAGE_KEY, open);
  });
  let lastId = Math.max(0, ...kept.map(({ id }) => id));
  const without = (notices: readonly Notice[], id: number) => notices.filter((each) => each.id !== id);
  function show(fields: Omit<Notice, 'id' | 'at'>): number {
    lastId += 1;
    const notice: Notice = { id: lastId, at: new Date(now()).toISOString(), ...fields };
    store.setState(({ toasts, open }) => {
      return {
        toasts: withToast(toasts, notice),
        open: notice.level === 'info' ? open : [notice, ...open].slice(0, MOST_OPEN),
      };
    });
    return notice.id;
  }
  const putAside = (id: number): void => store.setState(({ open }) => ({ open: without(open, id) }));
  return {
    ...store,
    show,
    failed: ({ message, advice }) => void show({ level: 'failure', text: `${message} ${advice}` }),
    hint: (text) => putAside(show({ level: 'warning', text })),
    dismissToast: (id) => store.setState(({ toasts }) => ({ toasts: without(toasts, id) })),
    putAside,
  };
}
