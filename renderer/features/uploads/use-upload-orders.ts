import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { UploadTarget, WideTarget } from '../../../shared/domain/upload-view.ts';
import { useOrder } from '../../queries/use-call.ts';
import { useServices } from '../../stores/services.ts';

/** What a person can order about uploads. What came of it is said in a notice; the lists follow by themselves. */
export interface UploadOrders {
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
