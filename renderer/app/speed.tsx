import type { TFunction } from 'i18next';
import { useState, type ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { Trans, useTranslation } from 'react-i18next';
import type { Health } from '../../shared/domain/health.ts';
import { formatSpeed, formatDuration } from '../../shared/lib/readable-amounts.ts';
import { useCallMutation } from '../queries/use-call.ts';
import { useCommand, useProgress, useCalmProgress, useServices } from '../stores/services.ts';
import { Button as CloseButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ShortTime } from '../ui/time-text.tsx';
import styles from './status-strip.module.css';

/** Whether uploads are paused, how fast they are, and the limit. */
export function Transfer({ health }: { readonly health: Health }): ReactNode {
  const { t } = useTranslation();
  const isOnHold = health.pausedCircuits.length > 0;
  return (
    <>
      {health.isPaused ? <strong>❚❚ {t('frame.pausedAll')}</strong> : null}
      {!health.isPaused && health.line?.limit === 'pause' ? <ScheduledPause line={health.line} /> : null}
      <Speed line={health.line} isOnHold={isOnHold} />
      {health.line === undefined || health.isPaused || isOnHold ? null : <Limits line={health.line} />}
    </>
  );
}

type Line = NonNullable<Health['line']>;

/** Until when the line is limited, and the way to lift that for what cannot wait. */
function Limits({ line: { limit, until, isLifted, isManaged } }: { readonly line: Line }): ReactNode {
  const { t } = useTranslation();
  const { notices } = useServices();
  const lift = useCallMutation('uploads.liftLimits', { onFailed: notices.failed });
  const isOffered = isManaged !== true && (isLifted === true || limit !== 'full');
  const turn = (): void => lift.mutate({ isLifted: isLifted !== true });
  useCommand('uploads.liftLimits', turn, isOffered);
  const isNamed = isLifted === true || (typeof limit === 'number' && until !== undefined);
  return (
    <>
      {isNamed ? (
        <span className={isLifted === true ? undefined : styles['spare']}>
          <Trans
            i18nKey={isLifted === true ? 'frame.lifted' : 'frame.limitedUntil'}
            components={{ time: <ShortTime value={until} /> }}
          />
        </span>
      ) : null}
      {isOffered ? (
        <Button
          className={styles['stripButton'] ?? ''}
          data-kind="quiet"
          aria-label={t(isLifted === true ? 'frame.restoreLimits' : 'frame.liftLimits')}
          onPress={turn}
        >
          {t(isLifted === true ? 'frame.restore' : 'frame.lift')}
        </Button>
      ) : null}
    </>
  );
}

function ScheduledPause({ line: { until, isOnBattery, isMetered } }: { readonly line: Line }): ReactNode {
  if (isOnBattery === true || isMetered === true)
    return (
      <strong>
        ❚❚ <Trans i18nKey={isMetered === true ? 'frame.pausedOnMetered' : 'frame.pausedOnBattery'} />
      </strong>
    );
  return (
    <strong>
      ❚❚{' '}
      {until === undefined ? (
        <Trans i18nKey="frame.pausedByScheduleAlways" />
      ) : (
        <Trans i18nKey="frame.pausedBySchedule" components={{ time: <ShortTime value={until} /> }} />
      )}
    </strong>
  );
}

/** Whether service or storage is unavailable or slow. */
export const isTroubled = ({ pausedCircuits, answers: { slowSince, unanswered } }: Health): boolean =>
  pausedCircuits.length > 0 || (slowSince ?? unanswered) !== undefined;

/** What is left to send; zero counts are omitted. */
export function Pending({ health }: { readonly health: Health }): ReactNode {
  const { t } = useTranslation();
  const active = useProgress((progress) => progress.sentByClip.size);
  // When there is trouble, the connection line has the number of waiting clips
  const waiting = isTroubled(health) ? 0 : Math.max(0, health.queue.waiting - active);
  const parts = [
    ...(active === 0 ? [] : [t('frame.active', { count: active })]),
    ...(waiting === 0 ? [] : [t('frame.waiting', { count: waiting })]),
  ];
  if (parts.length === 0) return null;
  return (
    <span>
      {parts.join(' · ')}
      <TimeLeft />
    </span>
  );
}

function TimeLeft(): ReactNode {
  const { t } = useTranslation();
  const time = useCalmProgress(({ bytesPerSecond, bytesTotal, bytesDone }) =>
    bytesPerSecond > 0 && bytesTotal > bytesDone
      ? formatDuration(((bytesTotal - bytesDone) / bytesPerSecond) * 1000)
      : '',
  );
  return time === '' ? null : ` · ${t('frame.timeLeft', { time })}`;
}

/** When the last clip was uploaded. */
export function LastSuccess({ at }: { readonly at: string | undefined }): ReactNode {
  const { t } = useTranslation();
  if (at === undefined) return <span>{t('frame.noSuccess')}</span>;
  return (
    <span>
      <Trans i18nKey="frame.lastSuccess" components={{ time: <ShortTime value={at} isZoneKnown /> }} />
    </span>
  );
}

/** Current speed and limit; only this text is rendered again while bytes move. A press opens the graph. */
function Speed({
  line,
  isOnHold,
}: {
  readonly line: Line | undefined;
  readonly isOnHold: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const speed = useCalmProgress((progress) => formatSpeed(progress.bytesPerSecond));
  const limit = typeof line?.limit === 'number' ? line.limit : null;
  // A limit is irrelevant while nothing can be sent
  if (speed === nothing && (limit === null || isOnHold)) return null;
  return (
    <>
      <Button className={styles['stripButton'] ?? ''} data-kind="quiet" onPress={() => setOpen(true)}>
        ▲ {speedText(speed, limit, t)}
      </Button>
      <Dialog
        title={t('frame.speedGraph')}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        actions={<CloseButton onPress={() => setOpen(false)}>{t('common.close')}</CloseButton>}
      >
        <SpeedGraph />
      </Dialog>
    </>
  );
}

/** Without any transfer, only the limit is shown. */
function speedText(speed: string, limit: number | null, t: TFunction): string {
  if (limit === null) return t('frame.speed', { speed });
  const of = { speed, limit: formatSpeed(limit) };
  return t(speed === nothing ? 'frame.speedLimit' : 'frame.speedOfLimit', of);
}

const SECONDS = 300;
/** Height of the graph, in its own units. */
const PLOT_HEIGHT = 64;

/** The speed of the last five minutes as a graph, with a summary for screen readers. */
function SpeedGraph(): ReactNode {
  const { t } = useTranslation();
  const history = useCalmProgress((progress) => progress.history);
  const average = history.reduce((sum, speed) => sum + speed, 0) / Math.max(1, history.length);
  return (
    <figure>
      <svg
        className={styles['plot']}
        viewBox={`0 0 ${SECONDS} ${PLOT_HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden
      >
        <path d={curveOf(history)} />
      </svg>
      <figcaption>
        {t('frame.speedText', {
          now: formatSpeed(history.at(-1) ?? 0),
          average: formatSpeed(average),
          highest: formatSpeed(Math.max(0, ...history)),
        })}
      </figcaption>
    </figure>
  );
}

/**
 * Path with one point per second, the latest at the end, scaled to the highest speed and closed to the baseline at both
 * ends.
 */
export function curveOf(history: readonly number[]): string {
  const highest = Math.max(1, ...history);
  const from = SECONDS - history.length;
  const points = history.map((speed, index) => {
    const y = PLOT_HEIGHT * (1 - speed / highest);
    return `L${from + index} ${Math.round(y * 10) / 10}`;
  });
  return points.length === 0 ? '' : `M${from} ${PLOT_HEIGHT}${points.join('')}V${PLOT_HEIGHT}`;
}

const nothing = formatSpeed(0);
