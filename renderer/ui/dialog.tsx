import type { ReactNode } from 'react';
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
