import { ImageIcon, Send } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { useCommand, useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { SafeName } from '../../ui/safe-name.tsx';
import { Screen } from '../../ui/screen.tsx';
import { buildMessage, draftProblems } from './build-message.ts';
import styles from './compose.module.css';
import { ImageFields, MessageFields, SenderField } from './message-fields.tsx';
import { OutboxList } from './outbox-list.tsx';

/** Writing a message, seeing what a phone makes of it, and what became of the earlier ones. */
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
  // Problems are told when someone wants to send, not while the first word is typed
  const [isChecked, setChecked] = useState(false);
  const problems = draftProblems(draft);
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
      <ImageFields draft={draft} problem={shown.get('imageUrl')} />
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

/** What a locked phone shows of the draft: a short push has neither channel nor sender (interface.md endpoint 9). */
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
