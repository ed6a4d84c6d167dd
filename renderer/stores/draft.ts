import { z } from 'zod';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { imageTypes } from '../../shared/domain/chat-message.ts';
import { keep, readKept, type TextStorage } from './preferences.ts';

const STORAGE_KEY = 'draft';
/** Channels that were written to are remembered, the last one first. */
const MOST_RECENT = 12;

const channelSchema = z.object({ kind: z.enum(['channel', 'direct']), id: z.string(), label: z.string() });

/** A message that is being written; it survives a restart of page and agent. */
const draftSchema = z.object({
  kind: z.enum(['channel', 'direct']).catch('channel'),
  channelId: z.string().catch(''),
  channelLabel: z.string().catch(''),
  content: z.string().catch(''),
  userId: z.string().catch(''),
  userName: z.string().catch(''),
  parentId: z.string().catch(''),
  tersePush: z.boolean().catch(false),
  imageUrl: z.string().catch(''),
  imageType: z.enum(imageTypes).catch('png'),
  recent: z.array(channelSchema).catch([]),
});
/** See `draftSchema`. */
export type Draft = z.infer<typeof draftSchema>;

export interface DraftState extends Draft {
  set(change: Partial<Draft>): void;
  /** The message is on its way: its words go, the channel and the sender stay. */
  clear(): void;
}
export type DraftStore = StoreApi<DraftState>;

/** Makes the store over what was kept. */
export function createDraftStore(storage: TextStorage): DraftStore {
  const store = createStore<DraftState>()((set, get) => ({
    ...readKept(storage, STORAGE_KEY, draftSchema, {}),
    set,
    clear() {
      const { kind, channelId, channelLabel, recent } = get();
      const used = { kind, id: channelId, label: channelLabel };
      const others = recent.filter((each) => each.kind !== kind || each.id !== channelId);
      set({ content: '', parentId: '', imageUrl: '', recent: [used, ...others].slice(0, MOST_RECENT) });
    },
  }));
  store.subscribe((state) => void keep(storage, STORAGE_KEY, draftSchema.parse(state)));
  return store;
}
