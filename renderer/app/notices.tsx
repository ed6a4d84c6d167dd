import { X } from 'lucide-react';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { flushSync } from 'react-dom';
import { Trans, useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { useDesktopMutation, useDesktopRead } from '../queries/use-call.ts';
import type { WantedIncident } from '../stores/arrivals.ts';
import type { Notice } from '../stores/notices.ts';
import { useCommand, useServices } from '../stores/services.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, useFocusAfter } from '../ui/dialog.tsx';
import { ShortTime } from '../ui/time-text.tsx';
import styles from './app.module.css';
import stripStyles from './status-strip.module.css';

/** How long a toast is shown, milliseconds; longer when there is something to undo or a problem to read. */
const SHORT_MS = 5000;
const LONG_MS = 10_000;

/** Toasts. They disappear automatically unless hovered or focused; nothing is lost with them. */
export function ToastRegion(): ReactNode {
  const { t } = useTranslation();
  const { notices } = useServices();
  const { toasts } = useStore(notices);
  const last = toasts.findLast(({ undo }) => undo !== undefined);
  useCommand(
    'app.undo',
    () => {
      last?.undo?.();
      if (last !== undefined) notices.dismissToast(last.id);
    },
    last !== undefined,
  );
  return (
    <section
      aria-label={t('frame.notices')}
      className={styles['toastRegion']}
      // Dialogs leave room for toasts, so that none of their buttons is covered
      data-toasts={toasts.length}
      // Toasts are announced even over an open dialog
      data-react-aria-top-layer
    >
      <div role="log" aria-live="polite" className={styles['toasts']}>
        {toasts.map((notice) => (
          <Toast key={notice.id} notice={notice} onGone={() => notices.dismissToast(notice.id)} />
        ))}
      </div>
    </section>
  );
}

const glyphs: Readonly<Record<Notice['level'], string>> = { info: '✓', warning: '!', failure: '✕' };

function Toast({ notice, onGone }: { readonly notice: Notice; readonly onGone: () => void }): ReactNode {
  const { t } = useTranslation();
  const [isHeld, setHeld] = useState(false);
  const { arrivals } = useServices();
  const { undo, level, text, about } = notice;
  const leave = useEffectEvent(onGone);
  const standsMs = level === 'info' && undo === undefined ? SHORT_MS : LONG_MS;
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(() => leave(), standsMs);
    return () => clearTimeout(timer);
  }, [isHeld, standsMs]);
  return (
    <div
      className={styles['toast']}
      data-level={level}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span aria-hidden>{glyphs[level]}</span>
      <span className={styles['toastText']} dir="auto">
        {text}
      </span>
      {undo === undefined ? null : (
        <Button
          onPress={() => {
            undo();
            onGone();
          }}
        >
          {t('common.undo')}
        </Button>
      )}
      {about === undefined ? null : (
        <Button
          aria-label={t('frame.showOf', { text })}
          onPress={() => {
            arrivals.show({ kind: 'incident', ...about });
            onGone();
          }}
        >
          {t('frame.show')}
        </Button>
      )}
      <Button kind="quiet" icon={X} aria-label={t('common.close')} onPress={onGone} />
    </div>
  );
}

/** Notices that need attention. Unlike toasts, they stay until dismissed. */
export function NoticeList(): ReactNode {
  const { t } = useTranslation();
  const { notices, arrivals } = useServices();
  const { open } = useStore(notices);
  const [isOpen, setOpen] = useState(false);
  const dismissAll = (): void => {
    for (const { id } of open) notices.putAside(id);
    setOpen(false);
  };
  const show = (about: WantedIncident): void => {
    // An open dialog would delay the navigation
    flushSync(() => setOpen(false));
    arrivals.show({ kind: 'incident', ...about });
  };
  const none = useFocusAfter<HTMLSpanElement>(open.length > 0, open.length === 0);
  if (open.length === 0)
    return (
      <span ref={none} tabIndex={-1} className="visually-hidden">
        {t('frame.noNotices')}
      </span>
    );
  return (
    <>
      <AriaButton className={stripStyles['stripButton'] ?? ''} onPress={() => setOpen(true)}>
        <span aria-hidden>! </span>
        <Trans
          i18nKey="frame.noticeCount"
          count={open.length}
          components={{ word: <span className={stripStyles['spare']} /> }}
        />
      </AriaButton>
      <Dialog
        title={t('frame.notices')}
        isWide
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        actions={
          <>
            <Button onPress={dismissAll}>{t('frame.dismissAll')}</Button>
            <Button onPress={() => setOpen(false)}>{t('common.close')}</Button>
          </>
        }
      >
        <ul className={styles['notices']}>
          {open.map(({ id, at, level, text, about }) => (
            <li key={id} data-level={level}>
              <span>
                <span aria-hidden>{level === 'failure' ? '✕ ' : '! '}</span>
                <bdi>{text}</bdi>
              </span>
              <span className="dim">
                <ShortTime value={at} />
              </span>
              {about === undefined ? null : (
                <Button aria-label={t('frame.showOf', { text })} onPress={() => show(about)}>
                  {t('frame.show')}
                </Button>
              )}
              <Button
                kind="quiet"
                icon={X}
                aria-label={t('frame.putAside', { text })}
                onPress={() => notices.putAside(id)}
              />
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}

/**
 * A downloaded update: it is installed at the next start, or with this button. The desktop asks about running uploads.
 */
export function UpdateMark(): ReactNode {
  const { t } = useTranslation();
  const { notices } = useServices();
  const { data } = useDesktopRead('update.state', {});
  const install = useDesktopMutation('update.install', {
    onFailed: notices.failed,
  });
  return (
    <span role="status">
      {data?.kind !== 'ready' ? null : (
        <>
          {t('frame.updateReady', { version: data.version })}{' '}
          <AriaButton
            className={stripStyles['stripButton'] ?? ''}
            data-kind="update"
            isDisabled={install.isPending}
            onPress={() => install.mutate({})}
          >
            {t('frame.updateInstall')}
          </AriaButton>
        </>
      )}
    </span>
  );
}
