import { ArrowUpToLine, FolderOpen, Pause, Play, RotateCcw, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClipDetail, UploadTarget, WideTarget } from '../../../shared/domain/upload-view.ts';
import { useCallMutation } from '../../queries/use-call.ts';
import { useDesktopMutation } from '../../queries/use-desktop.ts';
import { useCommand, useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { failureDetails } from '../../ui/states.tsx';

/** Commands for a clip as it stands, each with its key. */
export function ClipCommands({ clip: { row } }: { readonly clip: ClipDetail }): ReactNode {
  const { t } = useTranslation();
  const { bridge, notices } = useServices();
  const showInFolder = useDesktopMutation('revealClip', { onFailed: notices.failed });
  const reveal = bridge.desktop === undefined ? undefined : () => showInFolder.mutate({ clipId: row.id });
  const copyError = (): void => {
    if (row.failure === undefined) return;
    void navigator.clipboard
      .writeText(failureDetails(row.failure))
      .then(() => notices.show({ level: 'info', text: t('common.copied') }));
  };
  useCommand('uploads.copyError', copyError, row.failure !== undefined);
  useCommand('uploads.reveal', () => reveal?.(), reveal !== undefined);
  return (
    <div className="buttons">
      <UploadButtons
        target={{ kind: 'clips', clipIds: [row.id] }}
        canRetry={row.state === 'failed'}
        isPaused={row.state === 'paused'}
        isOpen={row.state !== 'uploaded' && row.state !== 'failed'}
      />
      {reveal === undefined ? null : (
        <Button icon={FolderOpen} command="uploads.reveal" onPress={reveal}>
          {t('uploads.reveal')}
        </Button>
      )}
    </div>
  );
}

/** Commands for a clip as well as of a whole incident. */
export function UploadButtons({
  target,
  canRetry,
  isPaused,
  isOpen,
}: {
  readonly target: UploadTarget;
  readonly canRetry: boolean;
  readonly isPaused: boolean;
  /** Something of it is still to be sent. */
  readonly isOpen: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const commands = useUploadCommands();
  const [isAsking, setAsking] = useState(false);
  const turn = (): void => (isPaused ? commands.resume(target) : commands.pause(target));
  useCommand('uploads.retry', () => commands.retry(target), canRetry);
  useCommand('uploads.pause', turn, isOpen);
  useCommand('uploads.front', () => commands.moveToFront(target), isOpen);
  useCommand('uploads.cancel', () => setAsking(true), isOpen);
  return (
    <>
      {canRetry ? (
        <Button icon={RotateCcw} command="uploads.retry" onPress={() => commands.retry(target)}>
          {t('uploads.retry')}
        </Button>
      ) : null}
      {isOpen ? (
        <>
          <Button icon={isPaused ? Play : Pause} command="uploads.pause" onPress={turn}>
            {isPaused ? t('uploads.resume') : t('uploads.pause')}
          </Button>
          <Button icon={ArrowUpToLine} command="uploads.front" onPress={() => commands.moveToFront(target)}>
            {t('uploads.front')}
          </Button>
          <Button kind="danger" icon={X} onPress={() => setAsking(true)}>
            {t('uploads.cancel')}
          </Button>
        </>
      ) : null}
      <AskCancel isOpen={isAsking} close={() => setAsking(false)} confirm={() => commands.cancel(target)} />
    </>
  );
}

/** Cancelling throws away what was sent: it is asked first. */
function AskCancel({
  isOpen,
  close,
  confirm,
}: {
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly confirm: () => void;
}): ReactNode {
  const { t } = useTranslation();
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
          <Button
            kind="danger"
            onPress={() => {
              confirm();
              close();
            }}
          >
            {t('uploads.cancel')}
          </Button>
        </>
      }
    >
      <p>{t('uploads.cancelText')}</p>
    </Dialog>
  );
}

/** Commands for uploads. Each reports its result in a notice; the lists update by themselves. */
interface UploadCommands {
  readonly retry: (target: WideTarget) => void;
  readonly pause: (target: WideTarget) => void;
  readonly resume: (target: WideTarget) => void;
  readonly cancel: (target: UploadTarget) => void;
  readonly moveToFront: (target: UploadTarget) => void;
}

/** The commands, with the text of their notices. */
export function useUploadCommands(): UploadCommands {
  const { t } = useTranslation();
  const { notices } = useServices();
  const say = (text: string, undo?: () => void): void =>
    void notices.show({ level: 'info', text, ...(undo === undefined ? {} : { undo }) });
  const onFailed = notices.failed;
  const resume = useCallMutation('uploads.resume', { onDone: () => say(t('uploads.resumed')), onFailed });
  const pause = useCallMutation('uploads.pause', {
    onDone: ({ changed }, { target }) =>
      say(target.kind === 'all' ? t('uploads.pausedAll') : t('uploads.paused', { count: changed }), () =>
        resume.mutate({ target }),
      ),
    onFailed,
  });
  const retry = useCallMutation('uploads.retry', {
    onDone: ({ retried, skipped, incidents }) => {
      const clips = retried > 0 || incidents === 0 ? [t('uploads.retried', { count: retried })] : [];
      const records = incidents > 0 ? [t('uploads.retriedIncidents', { count: incidents })] : [];
      const left = skipped > 0 ? [t('uploads.skipped', { count: skipped })] : [];
      say([...clips, ...records, ...left].join(' '));
    },
    onFailed,
  });
  const cancel = useCallMutation('uploads.cancel', {
    onDone: ({ changed }) => say(t('uploads.cancelled', { count: changed })),
    onFailed,
  });
  const front = useCallMutation('uploads.moveToFront', {
    onDone: ({ changed }) => say(t('uploads.moved', { count: changed })),
    onFailed,
  });
  return {
    retry: (target) => retry.mutate({ target }),
    pause: (target) => pause.mutate({ target }),
    resume: (target) => resume.mutate({ target }),
    cancel: (target) => cancel.mutate({ target }),
    moveToFront: (target) => front.mutate({ target }),
  };
}
