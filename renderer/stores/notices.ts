import { z } from 'zod';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Failure } from '../../shared/domain/failure.ts';
import type { PageClock } from '../bridge/bridge.ts';
import type { WantedIncident } from './arrivals.ts';
import { keep, readKept, type TextStorage } from './preferences.ts';

/** Something that just happened. `undo` takes it back as long as the notice stands. */
export interface Notice {
  readonly id: number;
  readonly at: string;
  readonly level: 'info' | 'warning' | 'failure';
  readonly text: string;
  readonly undo?: () => void;
  /** What it is about, if that can be shown. */
  readonly about?: WantedIncident;
  /** Nobody on this page asked for it. */
  readonly isNews?: boolean;
}

/** What is shown now; what needs action stays in a list of its own until it is put aside. */
export interface NoticeState {
  readonly toasts: readonly Notice[];
  readonly open: readonly Notice[];
}
export type NoticeStore = StoreApi<NoticeState> & {
  readonly show: (notice: Omit<Notice, 'id' | 'at'>) => number;
  /** What was tried did not succeed, and what to do. */
  readonly failed: (failure: Pick<Failure, 'message' | 'advice'>) => void;
  /** Says why something that was just tried is not done; there is nothing left to act on afterwards. */
  readonly hint: (text: string) => void;
  readonly dismissToast: (id: number) => void;
  readonly putAside: (id: number) => void;
};

/** One more pushes out the oldest news, or the oldest that cannot be undone; what needs attention stays among the notices. */
const MOST_TOASTS = 2;
/** Notices that need action beyond this many: the lists show them all anyway. */
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
 * Good news take no place from what answers a person: that would be gone before it is read, and the lists show them
 * anyway. What needs someone comes up in any case.
 */
function withToast(toasts: readonly Notice[], notice: Notice): readonly Notice[] {
  if (toasts.length < MOST_TOASTS) return [...toasts, notice];
  const oldestNews = toasts.find(({ isNews }) => isNews === true);
  if (oldestNews === undefined && notice.isNews === true && notice.level === 'info') return toasts;
  const leaving = oldestNews ?? toasts.find(({ undo }) => undo === undefined) ?? toasts[0];
  return [...toasts.filter((toast) => toast !== leaving), notice];
}

/** Makes the store. Failures and warnings also stay in `open`, and in the storage when the page is loaded again. */
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
