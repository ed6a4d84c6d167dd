import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button as AriaButton, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { useServices } from '../stores/services.ts';
import { Button } from '../ui/button.tsx';
import overlay from '../ui/overlay.module.css';
import styles from './notice-list.module.css';

/** What needs someone, until it is put aside: toasts go, this stays. */
export function NoticeList(): ReactNode {
  const { t } = useTranslation();
  const { notices } = useServices();
  const { open } = useStore(notices);
  if (open.length === 0) return null;
  return (
    <DialogTrigger>
      <AriaButton className={styles['trigger'] ?? ''}>
        <span aria-hidden>! </span>
        {t('frame.noticeCount', { count: open.length })}
      </AriaButton>
      <Popover className={overlay['popover'] ?? ''} placement="top end">
        <Dialog aria-label={t('frame.notices')} className={styles['dialog'] ?? ''}>
          <h2>{t('frame.notices')}</h2>
          <ul>
            {open.map(({ id, level, text }) => (
              <li key={id} data-level={level}>
                <span>
                  <span aria-hidden>{level === 'failure' ? '✕ ' : '! '}</span>
                  {text}
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
      </Popover>
    </DialogTrigger>
  );
}
