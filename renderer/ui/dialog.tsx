import { useEffect, useRef, useSyncExternalStore, type ReactNode, type RefObject } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import styles from './overlay.module.css';

/** A question or a form over the screen; Escape closes it. `actions` stand at its end, the main one last. */
export function Dialog({
  title,
  isOpen,
  onClose,
  actions,
  isWide = false,
  isAlert = false,
  children,
}: {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly actions: ReactNode;
  readonly isWide?: boolean;
  /** Something that cannot be taken back is asked. */
  readonly isAlert?: boolean;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
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
  );
}

/** True while a dialog has the page for itself. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;
}

/** Like `isDialogOpen`, but renders the component again when it changes. */
export function useDialogOpen(): boolean {
  return useSyncExternalStore(watchDialogs, isDialogOpen);
}

function watchDialogs(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  // Dialogs stand beside the app, as children of the body
  observer.observe(document.body, { childList: true });
  return () => observer.disconnect();
}

/**
 * Gives the keyboard to an element each time that `shown` has changed and `isDue`: a dialog that followed another one
 * has nothing to give it back to, and a part of the screen that was replaced has taken it along.
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
