import { useTranslation } from 'react-i18next';
import type { Outgoing } from '../../stores/outbox.ts';
import { useServices } from '../../stores/services.ts';
import { draftOf, isBlank } from './build-message.ts';

/** Ways back from the list into the form. What is being written there is never lost by it. */
export interface Rewrite {
  /** Only as long as the message is held. */
  readonly takeBack: (outgoing: Outgoing) => void;
  readonly editAgain: (outgoing: Outgoing) => void;
}

/** See `Rewrite`. */
export function useRewrite(): Rewrite {
  const { t } = useTranslation();
  const { outbox, draft, notices, commands } = useServices();
  const write = ({ message, senderName }: Outgoing): void => {
    const { recent, set } = draft.getState();
    set(draftOf(message, senderName, recent));
    commands.run('compose.text');
  };
  return {
    takeBack(outgoing) {
      const isFree = isBlank(draft.getState());
      if (outbox.takeBack(outgoing.id, !isFree) === undefined) return;
      const text = isFree ? '' : ` ${t('compose.keptInList')}`;
      notices.show({ level: 'info', text: t('compose.takenBack') + text });
      if (isFree) write(outgoing);
    },
    editAgain(outgoing) {
      const before = draft.getState();
      write(outgoing);
      if (isBlank(before)) return outbox.forget(outgoing.id);
      const undo = (): void => before.set(before);
      notices.show({ level: 'info', text: t('compose.replaced'), undo });
    },
  };
}
