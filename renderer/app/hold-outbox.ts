import { OUTBOX_KEY, type OutboxStore } from '../stores/outbox.ts';

/** The lock that one tab of the browser has for as long as it is open. */
const LOCK_NAME = 'outbox';

/** The browser's parts that are used here. */
export interface OutboxSurroundings {
  /** Missing where the browser has none: then each tab counts as the only one. */
  readonly locks: Pick<LockManager, 'request'> | undefined;
  /** Tells of changes that other tabs make of the storage. */
  readonly tabs: Pick<Window, 'addEventListener'>;
}

/** Has one tab send the messages: this one, or, as soon as the one before is closed, this one after it. */
export function holdOutbox(outbox: OutboxStore, { locks, tabs }: OutboxSurroundings): void {
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
