import type { i18n } from 'i18next';
import { OUTBOX_KEY, type OutboxStore, type Outgoing } from '../stores/outbox.ts';
import type { Services } from '../stores/services.ts';

/** The lock that one tab of the browser has for as long as it is open. */
const LOCK_NAME = 'outbox';

/** The browser's parts that are used here. */
export interface HoldDeps {
  /** Missing where the browser has none: then each tab counts as the only one. */
  readonly locks: Pick<LockManager, 'request'> | undefined;
  /** Tells of changes that other tabs make of the storage. */
  readonly tabs: Pick<Window, 'addEventListener'>;
}

/** Has one tab send the messages: this one, or, as soon as the one before is closed, this one after it. */
export function holdOutbox(outbox: OutboxStore, { locks, tabs }: HoldDeps): void {
  if (locks === undefined) return outbox.hold();
  tabs.addEventListener('storage', ({ key }) => {
    if (key === OUTBOX_KEY && outbox.getState().holder === 'elsewhere') outbox.look();
  });
  const take = (): Promise<never> => {
    outbox.hold();
    // Held until the tab is closed
    return new Promise(() => undefined);
  };
  void locks.request(LOCK_NAME, { ifAvailable: true }, (lock) => {
    if (lock !== null) return take();
    outbox.look();
    void locks.request(LOCK_NAME, take);
    return undefined;
  });
}

/** Says what became of a message wherever its writer is by then, until the answered function is called. */
export function followOutbox({ outbox, notices }: Services, words: i18n): () => void {
  return outbox.subscribe(({ messages, holder }, before) => {
    // Another tab says it where it sends
    if (holder !== 'here' || before.holder !== 'here') return;
    const onTheirWay = new Set(before.messages.filter(({ kind }) => kind === 'sending').map(({ id }) => id));
    for (const outgoing of messages) if (onTheirWay.has(outgoing.id)) tell(outgoing);
  });

  function tell(outgoing: Outgoing): void {
    switch (outgoing.kind) {
      case 'sent':
        return void notices.show({ level: 'info', text: words.t('compose.sentNotice') });
      case 'failed': {
        const { message } = outgoing.failure;
        return void notices.show({ level: 'failure', text: words.t('compose.failedNotice', { message }) });
      }
      case 'unsure':
        return void notices.show({ level: 'warning', text: words.t('compose.unsureNotice') });
      default:
    }
  }
}
