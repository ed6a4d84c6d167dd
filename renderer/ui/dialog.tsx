import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode, type RefObject } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import styles from './overlay.module.css';

/** A modal question or form; Escape closes it. `actions` are at the bottom, with the main one last. */
export function Dialog({
  title,
  isOpen,
  onClose,
  actions,
  isWide = false,
  isAlert = false,
  isDirty = false,
  children,
}: {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly actions: ReactNode;
  readonly isWide?: boolean;
  /** The question is about something that cannot be undone. */
  readonly isAlert?: boolean;
  /** Something was edited: Escape and a press outside ask before closing. */
  readonly isDirty?: boolean;
  readonly children: ReactNode;
}): ReactNode {
  const [isLeaving, setLeaving] = useState(false);
  return (
    <>
      <ModalOverlay
        isOpen={isOpen}
        onOpenChange={(open) => {
          if (open) return;
          if (isDirty) setLeaving(true);
          else onClose();
        }}
        isDismissable={!isAlert}
        className={styles['shade'] ?? ''}
      >
        <Modal className={styles['modal'] ?? ''} data-wide={isWide || undefined}>
          <AriaDialog role={isAlert ? 'alertdialog' : 'dialog'} className={styles['dialog'] ?? ''}>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            {children}
            <div className="buttons forward">{actions}</div>
          </AriaDialog>
        </Modal>
      </ModalOverlay>
      {isLeaving ? <AskDiscard stay={() => setLeaving(false)} discard={onClose} /> : null}
    </>
  );
}

function AskDiscard({
  stay,
  discard,
}: {
  readonly stay: () => void;
  readonly discard: () => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <Dialog
      title={t('common.discardTitle')}
      isOpen
      onClose={stay}
      isAlert
      actions={
        <>
          <Button kind="danger" onPress={discard}>
            {t('common.discard')}
          </Button>
          <Button kind="primary" autoFocus onPress={stay}>
            {t('common.keepEditing')}
          </Button>
        </>
      }
    >
      <p>{t('common.discardText')}</p>
    </Dialog>
  );
}

/** Whether a modal dialog is open. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;
}

/** Like `isDialogOpen`, but renders the component again when it changes. */
export function useDialogOpen(): boolean {
  return useSyncExternalStore(watchDialogs, isDialogOpen);
}

function watchDialogs(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  // Dialogs are rendered beside the app, as children of the body
  observer.observe(document.body, { childList: true });
  return () => observer.disconnect();
}

/**
 * Focuses an element each time that `shown` has changed and `isDue`: a dialog that replaced another one has nothing to
 * return the focus to, and a part of the screen that was replaced has taken the focus with it.
 */
export function useFocusAfter<T extends HTMLElement>(shown: unknown, isDue: boolean): RefObject<T | null> {
  const target = useRef<T>(null);
  const before = useRef(shown);
  useEffect(() => {
    if (before.current === shown) return;
    before.current = shown;
    if (isDue) target.current?.focus();
  }, [shown, isDue]);
  return target;
}

/**
 * Restores focus within an element when `shown` has changed and the focused element was removed: to the grid there, or
 * to the first control.
 */
export function useFocusKept<T extends HTMLElement>(shown: unknown): RefObject<T | null> {
  const target = useRef<T>(null);
  const before = useRef(shown);
  useEffect(() => {
    if (before.current === shown) return;
    before.current = shown;
    if (document.activeElement !== document.body) return;
    const within = (selector: string) => target.current?.querySelector<HTMLElement>(selector);
    (within('[role$="grid"]') ?? within('[tabindex="0"], input'))?.focus();
  }, [shown]);
  return target;
}
