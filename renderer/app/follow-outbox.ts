import type { i18n } from 'i18next';
import type { Outgoing } from '../stores/outbox.ts';
import type { Services } from '../stores/services.ts';

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
