import { X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { useServices } from '../stores/services.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import styles from './app.module.css';

/** What needs someone, until it is put aside: toasts go, this stays. */
export function NoticeList(): ReactNode {
  const { t } = useTranslation();
  const { notices } = useServices();
  const { open } = useStore(notices);
  const [isOpen, setOpen] = useState(false);
  const putAllAside = (): void => {
    for (const { id } of open) notices.putAside(id);
    setOpen(false);
  };
  if (open.length === 0) return null;
  return (
    <>
      <AriaButton className={styles['stripButton'] ?? ''} onPress={() => setOpen(true)}>
        <span aria-hidden>! </span>
        {t('frame.noticeCount', { count: open.length })}
      </AriaButton>
      <Dialog
        title={t('frame.notices')}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        actions={
          <>
            <Button onPress={putAllAside}>{t('frame.putAllAside')}</Button>
            <Button onPress={() => setOpen(false)}>{t('common.close')}</Button>
          </>
        }
      >
        <ul className={styles['notices']}>
          {open.map(({ id, level, text }) => (
            <li key={id} data-level={level}>
              <span>
                <span aria-hidden>{level === 'failure' ? '✕ ' : '! '}</span>
                <bdi>{text}</bdi>
              </span>
              <Button
                kind="quiet"
                icon={X}
                aria-label={t('frame.putAside')}
                onPress={() => notices.putAside(id)}
              />
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}
