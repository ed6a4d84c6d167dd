import type { i18n } from 'i18next';
import { failureCodes } from '../../shared/domain/failure.ts';
import { policyOf } from '../../shared/domain/failure-policy.ts';
import type { AgentSignal } from '../../shared/ipc/events.ts';
import { knownFields } from '../../shared/lib/known-fields.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { placesFor, readChoice } from '../stores/preferences.ts';
import { readAgain } from '../queries/use-call.ts';
import type { Services } from '../stores/services.ts';
import { DRAFT_KEY, OUTBOX_KEY, type DraftStore, type OutboxStore, type Outgoing } from '../stores/outbox.ts';

type Notice = Extract<AgentSignal, { kind: 'notice' }>;

/** Prefixes of the calls that are read again when the agent reports a change to their subject. */
const callsOf = {
  uploads: ['uploads.', 'proof.', 'health.get'],
  health: ['health.get'],
  settings: ['settings.', 'health.get'],
} as const;

type Subject = keyof typeof callsOf;

interface FollowDeps extends Pick<
  Services,
  'clock' | 'queries' | 'progress' | 'notices' | 'freeze' | 'arrivals'
> {
  readonly bridge: Pick<Bridge, 'onSignal' | 'link' | 'onLink' | 'desktop'>;
}

/** Passes the agent's signals to the stores and lists of this page, until the returned function is called. */
export function followSignals({
  bridge,
  clock,
  queries,
  progress,
  notices,
  freeze,
  arrivals,
}: FollowDeps): () => void {
  const reading = createReadAgain(
    (subjects: ReadonlySet<Subject>) => {
      const { isFrozen } = freeze.getState();
      const prefixes = new Set([...subjects].flatMap((subject): readonly string[] => callsOf[subject]));
      if (isFrozen) prefixes.delete('uploads.');
      readAgain(queries, [...prefixes]);
    },
    () => document.hidden,
  );
  const stopSignals = bridge.onSignal((signal) => {
    switch (signal.kind) {
      case 'progress':
        return progress.take(signal, clock.now());
      case 'notice':
        return announce(signal, { notices, arrivals }, bridge.desktop === undefined);
      case 'changed':
        if (signal.subject === 'uploads' && freeze.getState().isFrozen) freeze.miss();
        return reading.changed(signal.subject);
    }
  });
  document.addEventListener('visibilitychange', reading.shown);
  // Signals may have been lost while disconnected, including before the first connection
  let wasOpen = false;
  const stopLink = bridge.onLink(() => {
    const isOpen = bridge.link().kind === 'open';
    if (isOpen && !wasOpen) readAgain(queries, ['']);
    if (!isOpen) progress.stand();
    wasOpen = isOpen;
  });
  return () => {
    stopSignals();
    stopLink();
    document.removeEventListener('visibilitychange', reading.shown);
    reading.stop();
  };
}

/** Whether the status strip already shows this problem: no toast is shown as well. */
function isInStrip(level: Notice['level'], code: string): boolean {
  const known = failureCodes.find((each) => each === code);
  if (level !== 'warning' || known === undefined) return false;
  const { scope } = policyOf(known);
  return scope === 'service' || scope === 'storage';
}

/** Shows news where this desk wants it; anything that needs attention stays in the list of notices regardless. */
function announce(
  { level, code, message, incidentId, clipId }: Notice,
  { notices, arrivals }: Pick<Services, 'notices' | 'arrivals'>,
  isBrowser: boolean,
): void {
  const places = placesFor(readChoice(localStorage), level, document.hasFocus());
  const about = incidentId === undefined ? undefined : { incidentId, clipId };
  const id = notices.show({ level, text: message, isNews: true, ...knownFields({ about }) });
  if (!places.toast || isInStrip(level, code)) notices.dismissToast(id);
  // The desktop app notifies the system itself, even while its window is closed. In a browser, permission can be
  // withdrawn at any time, and a page served from another machine has no Notification at all
  if (!isBrowser || !places.desktop || !('Notification' in globalThis)) return;
  if (Notification.permission !== 'granted') return;
  const notification = new Notification(message, { tag: message });
  notification.addEventListener('click', () => {
    globalThis.focus();
    if (about !== undefined) arrivals.show({ kind: 'incident', ...about });
  });
}

/** Longest pause between two reads, milliseconds: the agent reports changes up to four times a second. */
export const READ_AGAIN_MS = 1000;
/**
 * Pause after the first read of a burst, milliseconds: short, so that a quick follow-up such as the first scan after a
 * start is not delayed.
 */
const SOON_MS = 250;

/** Batches changes into few reads. */
interface ReadAgain<Subject> {
  readonly changed: (subject: Subject) => void;
  /** The page is visible again: reads whatever changed while it was hidden. */
  readonly shown: () => void;
  readonly stop: () => void;
}

/**
 * Makes the batcher: the first change is read immediately, later ones together, after a pause that doubles up to a
 * second while changes keep coming. Nothing is read while the page is hidden.
 */
export function createReadAgain<Subject>(
  read: (subjects: ReadonlySet<Subject>) => void,
  isHidden: () => boolean,
): ReadAgain<Subject> {
  const waiting = new Set<Subject>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = SOON_MS;

  function readWaiting(): void {
    if (waiting.size === 0 || isHidden()) {
      pauseMs = SOON_MS;
      return;
    }
    const subjects = new Set(waiting);
    waiting.clear();
    timer = setTimeout(() => {
      timer = undefined;
      readWaiting();
    }, pauseMs);
    pauseMs = Math.min(READ_AGAIN_MS, 2 * pauseMs);
    read(subjects);
  }

  function readNow(): void {
    if (timer === undefined) readWaiting();
  }

  return {
    changed(subject) {
      waiting.add(subject);
      readNow();
    },
    shown: readNow,
    stop: () => clearTimeout(timer),
  };
}

/** Lock held by one tab of the browser for as long as it is open. */
const LOCK_NAME = 'outbox';

/** The browser APIs used here. */
interface HoldDeps {
  /** Undefined in browsers without it: each tab then counts as the only one. */
  readonly locks: Pick<LockManager, 'request'> | undefined;
  /** Source of `storage` events: changes made by other tabs. */
  readonly tabs: Pick<Window, 'addEventListener'>;
}

/**
 * Lets one tab send the messages: this one or, once the tab that holds the lock is closed, this one after it. All tabs
 * show the same draft.
 */
export function holdOutbox(
  outbox: OutboxStore,
  draft: Pick<DraftStore, 'look'>,
  { locks, tabs }: HoldDeps,
): void {
  tabs.addEventListener('storage', ({ key }) => {
    if (key === DRAFT_KEY) draft.look();
  });
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

/** Reports the outcome of each message on whatever screen its author is, until the returned function is called. */
export function followOutbox({ outbox, notices }: Services, words: i18n): () => void {
  return outbox.subscribe(({ messages, holder }, before) => {
    // Another tab is sending and reports the outcome
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
