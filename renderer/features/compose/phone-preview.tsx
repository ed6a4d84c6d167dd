import { ImageIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { useServices } from '../../stores/services.ts';
import { SafeName } from '../../ui/safe-name.tsx';
import styles from './compose.module.css';

/** What a locked phone shows of the draft: a short push has neither channel nor sender (service.md endpoint 9). */
export function PhonePreview(): ReactNode {
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
