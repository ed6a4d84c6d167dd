import type { AgentSignal } from '../../shared/ipc/events.ts';
import { placesFor, readChoice } from '../features/settings/notification-choice.ts';
import type { Services } from '../stores/services.ts';
import { createReadAgain } from './read-again.ts';

type Notice = Extract<AgentSignal, { kind: 'notice' }>;

/** Calls that are read again when the agent says that their subject changed. */
const readAgain = {
  uploads: ['uploads.', 'health.get'],
  health: ['health.get'],
  settings: ['settings.', 'health.get'],
} as const;

type Subject = keyof typeof readAgain;

/** Takes the agent's signals to the stores and lists of this page, until the answered function is called. */
export function followSignals({ bridge, clock, queries, progress, notices, freeze }: Services): () => void {
  const reading = createReadAgain(
    (subjects: ReadonlySet<Subject>) => {
      const { isFrozen } = freeze.getState();
      const prefixes = new Set([...subjects].flatMap((subject): readonly string[] => readAgain[subject]));
      if (isFrozen) prefixes.delete('uploads.');
      void queries.invalidateQueries({
        predicate: ({ queryKey }) => [...prefixes].some((prefix) => String(queryKey[0]).startsWith(prefix)),
      });
    },
    () => document.hidden,
  );
  const stopSignals = bridge.onSignal((signal) => {
    switch (signal.kind) {
      case 'progress':
        return progress.take(signal, clock.now());
      case 'notice':
        return announce(signal, notices, bridge.desktop === undefined);
      case 'changed':
        if (signal.subject === 'uploads' && freeze.getState().isFrozen) freeze.miss();
        return reading.changed(signal.subject);
    }
  });
  document.addEventListener('visibilitychange', reading.shown);
  // Signals may have been lost while there was no way to the agent
  let wasOpen = false;
  const stopLink = bridge.onLink(() => {
    const isOpen = bridge.link().kind === 'open';
    if (isOpen && !wasOpen) void queries.invalidateQueries();
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

/** News come up where this desk wants them; what needs someone stays in the list of notices in any case. */
function announce({ level, message }: Notice, notices: Services['notices'], isBrowser: boolean): void {
  const places = placesFor(readChoice(localStorage), level, document.hasFocus());
  const id = notices.show({ level, text: message });
  if (!places.toast) notices.dismissToast(id);
  // The desktop app tells the system itself, also while its window is closed. In a browser it can be taken back at
  // any time, and a page from afar has none at all
  if (!isBrowser || !places.desktop || !('Notification' in globalThis)) return;
  if (Notification.permission === 'granted') new Notification(message, { tag: message });
}
