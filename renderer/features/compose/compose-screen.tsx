import { ImageIcon, Pencil, Send, Undo2, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import type { Outgoing } from '../../stores/outbox.ts';
import { useCommand, useServices, useNow } from '../../stores/services.ts';
import { Button, CopyButton } from '../../ui/button.tsx';
import { SafeName } from '../../ui/safe-name.tsx';
import { Screen } from '../../ui/screen.tsx';
import { EmptyState, FailurePanel } from '../../ui/states.tsx';
import { ShortTime } from '../../ui/time-text.tsx';
import {
  buildMessage,
  draftOf,
  draftProblems,
  isBlank,
  ImageFields,
  MessageFields,
  SenderField,
  useImageLook,
} from './message-fields.tsx';
import styles from './compose.module.css';

/** Writing a message, a preview of it on a phone, and the status of earlier messages. */
export function ComposeScreen(): ReactNode {
  const { t } = useTranslation();
  return (
    <Screen
      title={t('compose.title')}
      work="page"
      inspector={<OutboxList />}
      inspectorLabel={t('compose.history')}
    >
      <div className={styles['columns']}>
        <MessageForm />
        <PhonePreview />
      </div>
    </Screen>
  );
}

function MessageForm(): ReactNode {
  const { t } = useTranslation();
  const { draft: store, outbox } = useServices();
  const draft = useStore(store);
  const holder = useStore(outbox, (state) => state.holder);
  // Problems are shown on an attempt to send, not while the first word is typed
  const [isChecked, setChecked] = useState(false);
  const image = useImageLook(draft);
  const problems = draftProblems(draft, image.data);
  const shown = new Map(isChecked ? problems : []);
  const sender = draft.userName || draft.userId || t('compose.systemUser');
  const send = (): void => {
    setChecked(problems.length > 0);
    if (problems.length > 0 || outbox.add(buildMessage(draft), sender) === undefined) return;
    store.getState().clear();
  };
  useCommand('compose.send', send, holder === 'here');
  return (
    <form
      aria-label={t('compose.form')}
      className={`${styles['form'] ?? ''} stack`}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <MessageFields draft={draft} problems={shown} />
      <SenderField draft={draft} />
      <ImageFields draft={draft} problem={shown.get('imageUrl')} look={image} />
      <div className={styles['send']}>
        <strong className={styles['sender']}>
          <Trans i18nKey="compose.sendingAs" components={{ name: <SafeName name={sender} /> }} />
        </strong>
        {holder === 'elsewhere' ? (
          <span className="warning">
            <span aria-hidden>! </span>
            {t('compose.sendElsewhere')}
          </span>
        ) : null}
        <Button
          kind="primary"
          icon={Send}
          type="submit"
          command="compose.send"
          isDisabled={holder !== 'here'}
        >
          {t('compose.send')}
        </Button>
      </div>
    </form>
  );
}

/** What a locked phone shows of the draft: a short push names neither channel nor sender (service.md endpoint 9). */
function PhonePreview(): ReactNode {
  const { t } = useTranslation();
  const draft = useStore(useServices().draft);
  const isShort = draft.kind === 'channel' && draft.tersePush;
  const channel = draft.channelLabel || draft.channelId || t(`compose.${draft.kind}`);
  const sender = draft.userName || draft.userId || t('compose.systemUser');
  return (
    <section aria-label={t('compose.preview')} className={styles['preview']}>
      <h2>{t('compose.preview')}</h2>
      <div className={styles['phone']}>
        <div className={styles['push']}>
          <p className={styles['pushHead']}>
            <span>{isShort ? '' : <SafeName name={channel} />}</span>
            <span>{t('compose.previewNow')}</span>
          </p>
          {isShort ? null : (
            <p className={styles['pushSender']}>
              <SafeName name={sender} />
            </p>
          )}
          <p className={styles['pushText']} dir="auto">
            {draft.content || t('compose.previewEmpty')}
          </p>
          {draft.imageUrl.trim() === '' ? null : (
            <p className="dim">
              <ImageIcon size={13} aria-hidden /> {t('compose.previewImage')}
            </p>
          )}
        </div>
      </div>
    </section>
  );
}

/** The messages of this desk with their status, newest first. */
function OutboxList(): ReactNode {
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
      {/* Announced once per message; the countdown is not */}
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
        <span className="ltr">{where}</span> · <SafeName name={outgoing.senderName} /> ·{' '}
        <ShortTime value={new Date(outgoing.at).toISOString()} />
      </p>
      <p className={styles['content']} dir="auto">
        {message.content ?? t('compose.previewImage')}
      </p>
      <OutgoingStatus outgoing={outgoing} />
    </article>
  );
}

function OutgoingStatus({ outgoing }: { readonly outgoing: Outgoing }): ReactNode {
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
          <p className={styles['problem']}>
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
  useCommand('app.undo', () => takeBack(outgoing), isHere);
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

/** Whether this tab is the one that sends: only that one can take back, edit and remove messages. */
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

/** Ways to move a message from the list back into the form, without losing what is being written there. */
interface Rewrite {
  /** Only while the message is held. */
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
