import { ArrowUpToLine, MinusCircle, Pause, Play, RotateCcw, Undo2, X } from 'lucide-react';
import type { TFunction } from 'i18next';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureError } from '../../../shared/domain/failure.ts';
import { MAX_PAGE_ROWS, type UploadTarget, type WideTarget } from '../../../shared/domain/upload-view.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { CallInput } from '../../../shared/ipc/contract.ts';
import { useAsk } from '../../queries/use-call.ts';
import { useCommand, useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { isPending, offersOf, type Chosen, type LeaveOut, type Offers } from './upload-offers.ts';

/** Commands for clips and for whole incidents. */
export function UploadButtons({
  onChanged,
  ...chosen
}: Chosen & {
  /** Called after a command: the selection has changed, so counts on buttons would be outdated. */
  readonly onChanged?: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const commands = useUploadCommands();
  const offers = offersOf(chosen);
  const { retry, leaveOut } = offers;
  const isOneClip = chosen.clips?.length === 1 && (chosen.incidents ?? []).length === 0;
  const finish = (command: () => void) => (): void => {
    command();
    onChanged?.();
  };
  const tryAgain = finish(() => retry && commands.retry(retry.targets));
  const turnOut = finish(() => leaveOut && commands.leaveOut(leaveOut.inputs));
  useCommand('uploads.retry', tryAgain, retry !== undefined);
  useCommand('uploads.leaveOut', turnOut, leaveOut?.isLeftOut === true);
  return (
    <>
      {retry === undefined ? null : (
        <Button icon={RotateCcw} command="uploads.retry" onPress={tryAgain}>
          {isOneClip || retry.clips === undefined || retry.clips === 0
            ? t('uploads.retry')
            : t('uploads.retryClips', { count: retry.clips })}
        </Button>
      )}
      {leaveOut === undefined ? null : (
        <Button icon={leaveOut.isLeftOut ? MinusCircle : Undo2} onPress={turnOut}>
          {leaveOutWords(leaveOut, isOneClip, t)}
        </Button>
      )}
      <PendingButtons {...offers} chosen={chosen} onCancelled={onChanged} />
    </>
  );
}

/** Commands for clips that are still to be sent. */
function PendingButtons({
  targets,
  running,
  isPaused,
  isOpen,
  chosen,
  onCancelled,
}: Pick<Offers, 'targets' | 'running' | 'isPaused' | 'isOpen'> & {
  readonly chosen: Chosen;
  readonly onCancelled: (() => void) | undefined;
}): ReactNode {
  const { t } = useTranslation();
  const commands = useUploadCommands();
  const [isAsking, setAsking] = useState(false);
  const turn = (): void => (isPaused ? commands.resume(targets) : commands.pause(running));
  const toFront = (): void => commands.moveToFront(targets);
  useCommand('uploads.pause', turn, isOpen);
  useCommand('uploads.front', toFront, isOpen);
  useCommand('uploads.cancel', () => setAsking(true), isOpen);
  const cancel = (): void => {
    commands.cancel(targets);
    onCancelled?.();
  };
  return (
    <>
      {isOpen ? (
        <>
          <Button icon={isPaused ? Play : Pause} command="uploads.pause" onPress={turn}>
            {isPaused ? t('uploads.resume') : t('uploads.pause')}
          </Button>
          <Button icon={ArrowUpToLine} command="uploads.front" onPress={toFront}>
            {t('uploads.front')}
          </Button>
          <Button kind="danger" icon={X} onPress={() => setAsking(true)}>
            {t('uploads.cancel')}
          </Button>
        </>
      ) : null}
      <AskCancel chosen={chosen} isOpen={isAsking} close={() => setAsking(false)} confirm={cancel} />
    </>
  );
}

function leaveOutWords({ isLeftOut, clips }: LeaveOut, isOneClip: boolean, t: TFunction): string {
  if (isOneClip) return t(isLeftOut ? 'uploads.leaveOut' : 'uploads.takeBack');
  if (clips === undefined) return t('uploads.leaveOutRest');
  return t(isLeftOut ? 'uploads.leaveOutClips' : 'uploads.takeBackClips', { count: clips });
}

/** Asks before cancelling, which discards what was already sent. */
function AskCancel({
  chosen,
  isOpen,
  close,
  confirm,
}: {
  readonly chosen: Chosen;
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly confirm: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const { clips = [], incidents = [] } = chosen;
  const names = [...incidents.map(({ title }) => title), ...clips.map(({ file }) => file)];
  const [name] = names;
  const pending = incidents.reduce((sum, each) => sum + each.pending, clips.filter(isPending).length);
  return (
    <Dialog
      title={
        name === undefined || names.length > 1
          ? t('uploads.cancelTitle')
          : t('uploads.cancelTitleOf', { name: visibleName(name) })
      }
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
      <p>{t('uploads.cancelClips', { count: pending })}</p>
      <p>{t('uploads.cancelText')}</p>
    </Dialog>
  );
}

/** Commands for uploads. Each reports its result in a notice; the lists update automatically. */
interface UploadCommands {
  readonly retry: (targets: readonly WideTarget[]) => void;
  readonly pause: (targets: readonly WideTarget[]) => void;
  readonly resume: (targets: readonly WideTarget[]) => void;
  readonly cancel: (targets: readonly UploadTarget[]) => void;
  readonly moveToFront: (targets: readonly UploadTarget[]) => void;
  readonly leaveOut: (inputs: LeaveOut['inputs']) => void;
}

/** The commands, with their notices; several targets are one command, with one notice. */
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

  const resume = (targets: readonly WideTarget[], except: readonly string[] = []): void =>
    run(async () => {
      for (const target of targets) await ask('uploads.resume', { target });
      if (except.length > 0) await ask('uploads.pause', { target: { kind: 'clips', clipIds: except } });
      const { isPaused } = await ask('health.summary', {});
      const areAllMeant = targets.some(({ kind }) => kind === 'all');
      say(t(isPaused && !areAllMeant ? 'uploads.allStillPaused' : 'uploads.resumed'));
    });
  /**
   * Clips of these incidents that are already paused, and stay so if the pause is undone; undefined if there are too
   * many.
   */
  const pausedIn = async (targets: readonly WideTarget[]): Promise<readonly string[] | undefined> => {
    const found: string[] = [];
    for (const target of targets) {
      if (target.kind !== 'incident') continue;
      const { incidentId } = target;
      const query = { incidentId, state: 'paused', limit: MAX_PAGE_ROWS } as const;
      const { total, rows } = await ask('uploads.listClips', query);
      found.push(...rows.map(({ id }) => id));
      if (total > rows.length || found.length > MAX_PAGE_ROWS) return undefined;
    }
    return found;
  };
  const leaveOut = (inputs: LeaveOut['inputs']): void =>
    run(async () => {
      let count = 0;
      const undo: CallInput<'uploads.leaveOut'>[] = [];
      for (const input of inputs) {
        const { changed, leftOutAt } = await ask('uploads.leaveOut', input);
        count += changed;
        const isLeftOut = !input.isLeftOut;
        const { clipIds, incidentId } = input;
        if (clipIds !== undefined) undo.push({ clipIds, isLeftOut });
        // After taking back a whole incident, nobody knows which of its clips were left out, and when
        else if (incidentId !== undefined && (input.isLeftOut || input.leftOutAt !== undefined))
          undo.push({ incidentId, isLeftOut, ...(input.isLeftOut && { leftOutAt }) });
      }
      const text = t(inputs[0]?.isLeftOut === true ? 'uploads.leftOut' : 'uploads.takenBack', { count });
      say(text, undo.length < inputs.length ? undefined : () => leaveOut(undo));
    });
  return {
    resume,
    leaveOut,
    pause: (targets) =>
      run(async () => {
        const before = await pausedIn(targets);
        const count = await sum(targets, (target) => ask('uploads.pause', { target }));
        const isAll = targets.some(({ kind }) => kind === 'all');
        const undo = before === undefined ? undefined : () => resume(targets, before);
        say(isAll ? t('uploads.pausedAll') : t('uploads.paused', { count }), undo);
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
