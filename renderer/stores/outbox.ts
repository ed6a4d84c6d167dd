import { z } from 'zod';
import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  newMessageSchema,
  postedMessageSchema,
  type NewMessage,
  type PostedMessage,
  imageTypes,
} from '../../shared/domain/chat-message.ts';
import { failureSchema, type Failure } from '../../shared/domain/failure.ts';
import type { Result } from '../../shared/lib/result.ts';
import { keep, readKept, type TextStorage } from './preferences.ts';

/** How long a message can be undone before it is sent, milliseconds: afterwards the service cannot undo it. */
export const UNDO_MS = 5000;
/** Messages of this desk that are kept, newest first. */
const MOST_REMEMBERED = 50;
/** Storage key of the outbox. */
export const OUTBOX_KEY = 'outbox';

const base = { id: z.string(), message: newMessageSchema, senderName: z.string(), at: z.number() };

/**
 * A message on its way. `held` can be undone until `sendAtMs`; `unsure` was in flight when the page was closed or the
 * answer was lost: it may have been posted, so it is never sent again automatically.
 */
const outgoingSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('held'), ...base, sendAtMs: z.number() }),
  z.object({ kind: z.literal('sending'), ...base }),
  z.object({ kind: z.literal('sent'), ...base, posted: postedMessageSchema }),
  z.object({ kind: z.literal('failed'), ...base, failure: failureSchema }),
  z.object({ kind: z.literal('unsure'), ...base, failure: failureSchema.optional() }),
]);
/** See `outgoingSchema`. */
export type Outgoing = z.infer<typeof outgoingSchema>;

/**
 * Which tab of the browser sends: all tabs share one storage, so one of them holds the outbox and the others only
 * display it. `asking` lasts a moment while a page starts.
 */
export type OutboxHolder = 'asking' | 'here' | 'elsewhere';

export interface OutboxState {
  readonly messages: readonly Outgoing[];
  readonly holder: OutboxHolder;
}
export type OutboxStore = StoreApi<OutboxState> & {
  /** Makes this page the sender. Messages left held or in flight by an earlier page are not sent; the list says so. */
  readonly hold: () => void;
  /** Shows the messages saved by the page that holds the outbox; called again whenever it saves. */
  readonly look: () => void;
  /**
   * Accepts a message and sends it after `UNDO_MS`. Returns its local ID; undefined when the outbox is not held here.
   */
  readonly add: (message: NewMessage, senderName: string) => string | undefined;
  /** Takes back a held message; undefined when it is too late. With `keep`, it stays in the list as not sent. */
  readonly takeBack: (id: string, keep?: boolean) => NewMessage | undefined;
  readonly forget: (id: string) => void;
  readonly stop: () => void;
};

interface OutboxDeps {
  readonly storage: TextStorage;
  readonly now: () => number;
  readonly makeId: () => string;
  readonly post: (message: NewMessage) => Promise<Result<PostedMessage, Failure>>;
}

/** Makes the outbox from the stored messages. It sends nothing until it is held. */
export function createOutbox({ storage, now, makeId, post }: OutboxDeps): OutboxStore {
  const store = createStore<OutboxState>()(() => ({ messages: recall(storage), holder: 'asking' }));
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  store.subscribe(({ messages, holder }) => {
    if (holder === 'here') keep(storage, OUTBOX_KEY, messages);
  });
  const find = (id: string) => store.getState().messages.find((each) => each.id === id);
  const replace = (next: Outgoing): void =>
    store.setState(({ messages }) => ({
      messages: messages.map((each) => (each.id === next.id ? next : each)),
    }));

  async function send(id: string): Promise<void> {
    timers.delete(id);
    const held = find(id);
    if (held?.kind !== 'held') return;
    const { message, senderName, at } = held;
    const common = { id, message, senderName, at };
    replace({ kind: 'sending', ...common });
    const answer = await post(message);
    if (answer.ok) replace({ kind: 'sent', ...common, posted: answer.value });
    else
      replace({
        kind: answer.error.mayHaveHappened === true ? 'unsure' : 'failed',
        ...common,
        failure: answer.error,
      });
  }

  return {
    ...store,
    hold: () => store.setState({ messages: recall(storage).map(leftBehind), holder: 'here' }),
    look() {
      if (store.getState().holder === 'here') return;
      store.setState({ messages: recall(storage), holder: 'elsewhere' });
    },
    add(message, senderName) {
      if (store.getState().holder !== 'here') return undefined;
      const id = makeId();
      const sendAtMs = now() + UNDO_MS;
      const held: Outgoing = { kind: 'held', id, message, senderName, at: now(), sendAtMs };
      store.setState(({ messages }) => ({ messages: cut([held, ...messages]) }));
      timers.set(
        id,
        setTimeout(() => void send(id), UNDO_MS),
      );
      return id;
    },
    takeBack(id, keep = false) {
      const held = find(id);
      if (held?.kind !== 'held' || !timers.has(id)) return undefined;
      clearTimeout(timers.get(id));
      timers.delete(id);
      const { message, senderName, at } = held;
      if (keep) replace({ kind: 'failed', id, message, senderName, at, failure: takenBack });
      else store.setState(({ messages }) => ({ messages: messages.filter((each) => each.id !== id) }));
      return message;
    },
    forget: (id) =>
      store.setState(({ messages }) => ({
        messages: messages.filter((each) => each.id !== id || isOnItsWay(each)),
      })),
    stop() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

const isOnItsWay = ({ kind }: Outgoing): boolean => kind === 'held' || kind === 'sending';

/** The messages that are kept: the newest, and older ones that are not sent yet. */
const cut = (messages: readonly Outgoing[]): readonly Outgoing[] =>
  messages.filter((each, index) => index < MOST_REMEMBERED || isOnItsWay(each));

const takenBack: Failure = {
  code: 'CANCELLED',
  message: 'The message was not sent: you undid it.',
  advice: 'Nothing was posted. Send it again if you still want to.',
  retryable: false,
};

const notSent: Failure = {
  code: 'CANCELLED',
  message: 'The page was closed before the message was sent.',
  advice: 'Nothing was posted. Send it again if you still want to.',
  retryable: false,
};

const recall = (storage: TextStorage): readonly Outgoing[] =>
  readKept(storage, OUTBOX_KEY, z.array(outgoingSchema), []);

/** The state of a message whose page is gone: a held one was not sent, one in flight may have been posted. */
function leftBehind(outgoing: Outgoing): Outgoing {
  const { id, message, senderName, at, kind } = outgoing;
  if (kind === 'held') return { kind: 'failed', id, message, senderName, at, failure: notSent };
  return kind === 'sending' ? { kind: 'unsure', id, message, senderName, at } : outgoing;
}

/** Storage key of the draft. */
export const DRAFT_KEY = 'draft';
/** Limit of remembered channels, most recent first. */
const MOST_RECENT = 12;

const channelSchema = z.object({ kind: z.enum(['channel', 'direct']), id: z.string(), label: z.string() });

/** A message being written; it survives restarts of the page and the agent. */
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

interface DraftState extends Draft {
  set(change: Partial<Draft>): void;
  /** Called when the message is on its way: clears the text, keeps channel and sender. */
  clear(): void;
}
export type DraftStore = StoreApi<DraftState> & {
  /** Shows the draft saved by another tab: a browser has one draft, and once it is sent no tab shows it. */
  readonly look: () => void;
};

/** Makes the store from the saved draft. */
export function createDraftStore(storage: TextStorage): DraftStore {
  const recallDraft = (): Draft => readKept(storage, DRAFT_KEY, draftSchema, {});
  const store = createStore<DraftState>()((set, get) => ({
    ...recallDraft(),
    set,
    clear() {
      const { kind, channelId, channelLabel, recent } = get();
      const used = { kind, id: channelId, label: channelLabel };
      const others = recent.filter((each) => each.kind !== kind || each.id !== channelId);
      set({ content: '', parentId: '', imageUrl: '', recent: [used, ...others].slice(0, MOST_RECENT) });
    },
  }));
  store.subscribe((state) => void keep(storage, DRAFT_KEY, draftSchema.parse(state)));
  return { ...store, look: () => store.setState(recallDraft()) };
}
