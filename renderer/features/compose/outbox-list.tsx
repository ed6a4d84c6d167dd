import { Pencil, Undo2, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import type { Outgoing } from '../../stores/outbox.ts';
import { useServices } from '../../stores/services.ts';
import { useNow } from '../../stores/use-now.ts';
import { Button, CopyButton } from '../../ui/button.tsx';
import { SafeName } from '../../ui/safe-name.tsx';
import { EmptyState, FailurePanel } from '../../ui/states.tsx';
import { draftOf, isBlank } from './build-message.ts';
import styles from './compose.module.css';

/** What became of the messages of this desk, newest first. */
export function OutboxList(): ReactNode {
  const { t } = useTranslation();
  const { messages, holder } = useStore(useServices().outbox);
  const [newest] = messages;
  return (
    <>
      {holder === 'elsewhere' ? (
        <p role="note" className={`${styles['elsewhere'] ?? ''} warning`}>
          <span aria-hidden>! </span>
          {t('compose.elsewhere')}
        </p>
      ) : null}
      {/* Said once for each message; the seconds that run are not */}
      <p role="status" className="visually-hidden">
        {newest?.kind === 'held' && holder === 'here' ? t('compose.heldNotice') : ''}
      </p>
      {newest === undefined ? (
        <EmptyState title={t('compose.history')}>{t('compose.historyEmpty')}</EmptyState>
      ) : (
        <>
          <h2>{t('compose.history')}</h2>
          <ul className={styles['outbox']}>
            {messages.map((outgoing) => (
              <li key={outgoing.id}>
                <OutboxItem outgoing={outgoing} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function OutboxItem({ outgoing }: { readonly outgoing: Outgoing }): ReactNode {
  const { t } = useTranslation();
  const { message } = outgoing;
  const where = `${t(`compose.${message.kind}`)} ${message.channelId}`;
  return (
    <article className={styles['item']}>
      <p className="dim">
        <span className="ltr">{where}</span> · <SafeName name={outgoing.senderName} />
      </p>
      <p className={styles['content']} dir="auto">
        {message.content ?? t('compose.previewImage')}
      </p>
      <Fate outgoing={outgoing} />
    </article>
  );
}

function Fate({ outgoing }: { readonly outgoing: Outgoing }): ReactNode {
  const { t } = useTranslation();
  const { outbox } = useServices();
  const isHere = useHeldHere();
  switch (outgoing.kind) {
    case 'held':
      return <Held outgoing={outgoing} />;
    case 'sending':
      return <p>▲ {t('compose.sending')}</p>;
    case 'sent':
      return outgoing.posted.id === undefined ? (
        <p>✓ {t('compose.sentNoId')}</p>
      ) : (
        <div className="buttons">
          <span>
            ✓ {t('compose.sent')} <code className="ltr">{outgoing.posted.id}</code>
          </span>
          <CopyButton text={String(outgoing.posted.id)} label={t('compose.copyId')} />
        </div>
      );
    case 'failed':
    case 'unsure': {
      const { failure, id } = outgoing;
      return (
        <>
          <p className={styles['trouble']}>
            {outgoing.kind === 'failed'
              ? `✕ ${t('compose.failed')}`
              : `! ${t('compose.unsure')}. ${t('compose.unsureText')}`}
          </p>
          <FailurePanel failure={failure} />
          {isHere ? (
            <div className="buttons">
              <EditAgain outgoing={outgoing} />
              <Button kind="quiet" icon={X} onPress={() => outbox.forget(id)}>
                {t('compose.forget')}
              </Button>
            </div>
          ) : null}
        </>
      );
    }
  }
}

function Held({ outgoing }: { readonly outgoing: Extract<Outgoing, { kind: 'held' }> }): ReactNode {
  const { t } = useTranslation();
  const { takeBack } = useRewrite();
  const isHere = useHeldHere();
  const nowMs = useNow();
  const left = Math.max(0, Math.ceil((outgoing.sendAtMs - nowMs) / 1000));
  return (
    <div className="buttons">
      <span>○ {t('compose.held', { count: left })}</span>
      {isHere ? (
        <Button icon={Undo2} onPress={() => takeBack(outgoing)}>
          {t('compose.takeBack')}
        </Button>
      ) : null}
    </div>
  );
}

/** Only the tab that sends can take back, rewrite and forget. */
function useHeldHere(): boolean {
  return useStore(useServices().outbox, ({ holder }) => holder === 'here');
}

function EditAgain({ outgoing }: { readonly outgoing: Outgoing }): ReactNode {
  const { t } = useTranslation();
  const { editAgain } = useRewrite();
  return (
    <Button icon={Pencil} onPress={() => editAgain(outgoing)}>
      {t('compose.edit')}
    </Button>
  );
}

/** Ways back from the list into the form. What is being written there is never lost by it. */
interface Rewrite {
  /** Only as long as the message is held. */
  readonly takeBack: (outgoing: Outgoing) => void;
  readonly editAgain: (outgoing: Outgoing) => void;
}

/** See `Rewrite`. */
function useRewrite(): Rewrite {
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
