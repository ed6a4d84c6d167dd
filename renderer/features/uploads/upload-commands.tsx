import { ArrowUpToLine, FolderOpen, MinusCircle, Pause, Play, RotateCcw, Undo2, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureError, type Failure } from '../../../shared/domain/failure.ts';
import { mayPass } from '../../../shared/domain/failure-policy.ts';
import type {
  ClipDetail,
  ClipRowView,
  UploadTarget,
  WideTarget,
} from '../../../shared/domain/upload-view.ts';
import { useAsk, useDesktopMutation } from '../../queries/use-call.ts';
import { useCommand, useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { failureDetails } from '../../ui/states.tsx';

/** Commands for a clip as it stands, each with its key: what helps is offered, what cannot help is not. */
export function ClipCommands({ clip }: { readonly clip: ClipDetail }): ReactNode {
  const { t } = useTranslation();
  const { bridge, notices } = useServices();
  const { row } = clip;
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
        targets={[{ kind: 'clips', clipIds: [row.id] }]}
        retry={retryOf(row)}
        isPaused={row.state === 'paused'}
        isOpen={isPending(row)}
        leaveOut={leaveOutOf([row])}
      />
      {reveal === undefined ? null : (
        <Button icon={FolderOpen} command="uploads.reveal" onPress={reveal}>
          {t('uploads.reveal')}
        </Button>
      )}
    </div>
  );
}

/** Whether trying a clip again as it is may succeed. */
export function canSucceed(failure: Failure | undefined): boolean {
  return failure === undefined || mayPass(failure.code);
}

/** Whether something of the clip is still to be sent. */
export function isPending({ state }: ClipRowView): boolean {
  return state !== 'uploaded' && state !== 'failed' && state !== 'leftOut';
}

function retryOf({ state, failure }: ClipRowView): RetryOffer {
  if (state === 'leftOut') return 'byKey';
  if (state !== 'failed') return 'no';
  return canSucceed(failure) ? 'offered' : 'byKey';
}

/** Clips that are left out from now on, or no longer. */
interface LeaveOut {
  readonly clipIds: readonly string[];
  readonly isLeftOut: boolean;
}

/** What failed may be left out, what was left out taken back; the first of both that is among the clips. */
export function leaveOutOf(clips: readonly ClipRowView[]): LeaveOut | undefined {
  const idsOf = (rows: readonly ClipRowView[]) => rows.map(({ id }) => id);
  const failed = clips.filter(({ state }) => state === 'failed');
  if (failed.length > 0) return { clipIds: idsOf(failed), isLeftOut: true };
  const leftOut = clips.filter(({ state }) => state === 'leftOut');
  return leftOut.length > 0 ? { clipIds: idsOf(leftOut), isLeftOut: false } : undefined;
}

/** `byKey`: it will not help as things are, but whoever changed them outside may ask for it. */
type RetryOffer = 'offered' | 'byKey' | 'no';

/** Commands for clips as well as for whole incidents. */
export function UploadButtons({
  targets,
  retry,
  isPaused,
  isOpen,
  leaveOut,
}: {
  readonly targets: readonly UploadTarget[];
  readonly retry: RetryOffer;
  readonly isPaused: boolean;
  /** Something of it is still to be sent. */
  readonly isOpen: boolean;
  readonly leaveOut: LeaveOut | undefined;
}): ReactNode {
  const { t } = useTranslation();
  const commands = useUploadCommands();
  const [isAsking, setAsking] = useState(false);
  const turn = (): void => (isPaused ? commands.resume(targets) : commands.pause(targets));
  useCommand('uploads.retry', () => commands.retry(targets), retry !== 'no');
  useCommand('uploads.pause', turn, isOpen);
  useCommand('uploads.front', () => commands.moveToFront(targets), isOpen);
  useCommand('uploads.cancel', () => setAsking(true), isOpen);
  const turnOut = (): void => void (leaveOut && commands.leaveOut(leaveOut));
  useCommand('uploads.leaveOut', turnOut, leaveOut?.isLeftOut === true);
  return (
    <>
      {retry === 'offered' ? (
        <Button icon={RotateCcw} command="uploads.retry" onPress={() => commands.retry(targets)}>
          {t('uploads.retry')}
        </Button>
      ) : null}
      {leaveOut === undefined ? null : (
        <Button icon={leaveOut.isLeftOut ? MinusCircle : Undo2} onPress={turnOut}>
          {t(leaveOut.isLeftOut ? 'uploads.leaveOut' : 'uploads.takeBack', {
            count: leaveOut.clipIds.length,
          })}
        </Button>
      )}
      {isOpen ? (
        <>
          <Button icon={isPaused ? Play : Pause} command="uploads.pause" onPress={turn}>
            {isPaused ? t('uploads.resume') : t('uploads.pause')}
          </Button>
          <Button icon={ArrowUpToLine} command="uploads.front" onPress={() => commands.moveToFront(targets)}>
            {t('uploads.front')}
          </Button>
          <Button kind="danger" icon={X} onPress={() => setAsking(true)}>
            {t('uploads.cancel')}
          </Button>
        </>
      ) : null}
      <AskCancel isOpen={isAsking} close={() => setAsking(false)} confirm={() => commands.cancel(targets)} />
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
  readonly retry: (targets: readonly WideTarget[]) => void;
  readonly pause: (targets: readonly WideTarget[]) => void;
  readonly resume: (targets: readonly WideTarget[]) => void;
  readonly cancel: (targets: readonly UploadTarget[]) => void;
  readonly moveToFront: (targets: readonly UploadTarget[]) => void;
  readonly leaveOut: (chosen: LeaveOut) => void;
}

/** The commands, with the text of their notices; several targets are one command, with one notice. */
export function useUploadCommands(): UploadCommands {
  const { t } = useTranslation();
  const { notices } = useServices();
  const ask = useAsk();
  const say = (text: string, undo?: () => void): void =>
    void notices.show({ level: 'info', text, ...(undo === undefined ? {} : { undo }) });

  async function sum<Target>(
    targets: readonly Target[],
    change: (target: Target) => Promise<{ readonly changed: number }>,
  ): Promise<number> {
    let changed = 0;
    for (const target of targets) changed += (await change(target)).changed;
    return changed;
  }

  function run(work: () => Promise<void>): void {
    work().catch((error: unknown) => {
      if (!(error instanceof FailureError)) throw error;
      notices.failed(error.failure);
    });
  }

  const resume = (targets: readonly WideTarget[]): void =>
    run(async () => {
      for (const target of targets) await ask('uploads.resume', { target });
      say(t('uploads.resumed'));
    });
  const leaveOut = (chosen: LeaveOut): void =>
    run(async () => {
      const { changed } = await ask('uploads.leaveOut', chosen);
      const { isLeftOut } = chosen;
      const text = t(isLeftOut ? 'uploads.leftOut' : 'uploads.takenBack', { count: changed });
      say(text, () => leaveOut({ ...chosen, isLeftOut: !isLeftOut }));
    });
  return {
    resume,
    leaveOut,
    pause: (targets) =>
      run(async () => {
        const count = await sum(targets, (target) => ask('uploads.pause', { target }));
        const isAll = targets.some(({ kind }) => kind === 'all');
        say(isAll ? t('uploads.pausedAll') : t('uploads.paused', { count }), () => resume(targets));
      }),
    retry: (targets) =>
      run(async () => {
        const sum = { retried: 0, skipped: 0, incidents: 0 };
        for (const target of targets) {
          const { retried, skipped, incidents } = await ask('uploads.retry', { target });
          sum.retried += retried;
          sum.skipped += skipped;
          sum.incidents += incidents;
        }
        const { retried, skipped, incidents } = sum;
        const clips = retried > 0 || incidents === 0 ? [t('uploads.retried', { count: retried })] : [];
        const records = incidents > 0 ? [t('uploads.retriedIncidents', { count: incidents })] : [];
        const left = skipped > 0 ? [t('uploads.skipped', { count: skipped })] : [];
        say([...clips, ...records, ...left].join(' '));
      }),
    cancel: (targets) =>
      run(async () => {
        const count = await sum(targets, (target) => ask('uploads.cancel', { target }));
        say(t('uploads.cancelled', { count }));
      }),
    moveToFront: (targets) =>
      run(async () => {
        const count = await sum(targets, (target) => ask('uploads.moveToFront', { target }));
        say(t('uploads.moved', { count }));
      }),
  };
}
