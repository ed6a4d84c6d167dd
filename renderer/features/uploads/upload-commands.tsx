import { ArrowUpToLine, FolderOpen, Pause, Play, RotateCcw, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { ClipDetail, UploadTarget, WideTarget } from '../../../shared/domain/upload-view.ts';
import { useOrder } from '../../queries/use-call.ts';
import { useDesktopOrder } from '../../queries/use-desktop.ts';
import { useCommand, useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { failureText } from '../../ui/states.tsx';

/** What can be ordered of a clip as it stands, each with its key. */
export function ClipOrders({ clip }: { readonly clip: ClipDetail }): ReactNode {
  const { t } = useTranslation();
  const { bridge, notices } = useServices();
  const orders = useUploadOrders();
  const [isAsking, setAsking] = useState(false);
  const { row } = clip;
  const target: UploadTarget = { kind: 'clips', clipIds: [row.id] };
  const isPaused = row.state === 'paused';
  const isOpen = row.state !== 'uploaded' && row.state !== 'failed';
  const turn = (): void => (isPaused ? orders.resume(target) : orders.pause(target));
  const showInFolder = useDesktopOrder('revealClip', { onFailed: orders.onFailed });
  const reveal = bridge.desktop === undefined ? undefined : () => showInFolder.mutate({ clipId: row.id });
  const copyError = (): void => {
    if (row.failure === undefined) return;
    void navigator.clipboard
      .writeText(failureText(row.failure))
      .then(() => notices.show({ level: 'info', text: t('common.copied') }));
  };
  useCommand('uploads.retry', () => orders.retry(target), row.state === 'failed');
  useCommand('uploads.pause', turn, isOpen);
  useCommand('uploads.front', () => orders.moveToFront(target), isOpen);
  useCommand('uploads.cancel', () => setAsking(true), isOpen);
  useCommand('uploads.copyError', copyError, row.failure !== undefined);
  useCommand('uploads.reveal', () => reveal?.(), reveal !== undefined);
  return (
    <div className="buttons">
      {row.state === 'failed' ? (
        <Button icon={RotateCcw} command="uploads.retry" onPress={() => orders.retry(target)}>
          {t('uploads.retry')}
        </Button>
      ) : null}
      {isOpen ? (
        <>
          <Button icon={isPaused ? Play : Pause} command="uploads.pause" onPress={turn}>
            {isPaused ? t('uploads.resume') : t('uploads.pause')}
          </Button>
          <Button icon={ArrowUpToLine} command="uploads.front" onPress={() => orders.moveToFront(target)}>
            {t('uploads.front')}
          </Button>
          <Button kind="danger" icon={X} onPress={() => setAsking(true)}>
            {t('uploads.cancel')}
          </Button>
        </>
      ) : null}
      {reveal === undefined ? null : (
        <Button icon={FolderOpen} command="uploads.reveal" onPress={reveal}>
          {t('uploads.reveal')}
        </Button>
      )}
      <AskCancel isOpen={isAsking} close={() => setAsking(false)} target={target} orders={orders} />
    </div>
  );
}

/** Cancelling throws away what was sent: it is asked first. */
export function AskCancel({
  isOpen,
  close,
  target,
  orders,
}: {
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly target: UploadTarget;
  readonly orders: UploadOrders;
}): ReactNode {
  const { t } = useTranslation();
  const confirm = (): void => {
    orders.cancel(target);
    close();
  };
  return (
    <Dialog
      title={t('uploads.cancelTitle')}
      isOpen={isOpen}
      onClose={close}
      isAlert
      actions={
        <>
          <Button onPress={close} autoFocus>
            {t('uploads.keep')}
          </Button>
          <Button kind="danger" onPress={confirm}>
            {t('uploads.cancel')}
          </Button>
        </>
      }
    >
      <p>{t('uploads.cancelText')}</p>
    </Dialog>
  );
}

/** What a person can order about uploads. What came of it is said in a notice; the lists follow by themselves. */
interface UploadOrders {
  readonly retry: (target: WideTarget) => void;
  readonly pause: (target: WideTarget) => void;
  readonly resume: (target: WideTarget) => void;
  readonly cancel: (target: UploadTarget) => void;
  readonly moveToFront: (target: UploadTarget) => void;
  /** Says why an order about uploads was refused. */
  readonly onFailed: (failure: Failure) => void;
}

/** The orders, with their words. */
export function useUploadOrders(): UploadOrders {
  const { t } = useTranslation();
  const { notices } = useServices();
  const say = (text: string, undo?: () => void): void =>
    void notices.show({ level: 'info', text, ...(undo === undefined ? {} : { undo }) });
  const onFailed = ({ message, advice }: Failure): void =>
    void notices.show({ level: 'failure', text: `${message} ${advice}` });
  const resume = useOrder('uploads.resume', { onDone: () => say(t('uploads.resumed')), onFailed });
  const pause = useOrder('uploads.pause', {
    onDone: ({ changed }, { target }) =>
      say(target.kind === 'all' ? t('uploads.pausedAll') : t('uploads.paused', { count: changed }), () =>
        resume.mutate({ target }),
      ),
    onFailed,
  });
  const retry = useOrder('uploads.retry', {
    onDone: ({ retried, skipped }) => {
      const left = skipped === 0 ? '' : ` ${t('uploads.skipped', { count: skipped })}`;
      say(t('uploads.retried', { count: retried }) + left);
    },
    onFailed,
  });
  const cancel = useOrder('uploads.cancel', {
    onDone: ({ changed }) => say(t('uploads.cancelled', { count: changed })),
    onFailed,
  });
  const front = useOrder('uploads.moveToFront', {
    onDone: ({ changed }) => say(t('uploads.moved', { count: changed })),
    onFailed,
  });
  return {
    retry: (target) => retry.mutate({ target }),
    pause: (target) => pause.mutate({ target }),
    resume: (target) => resume.mutate({ target }),
    cancel: (target) => cancel.mutate({ target }),
    moveToFront: (target) => front.mutate({ target }),
    onFailed,
  };
}
