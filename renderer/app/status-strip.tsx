import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { useTranslation, Trans } from 'react-i18next';
import { useStore } from 'zustand';
import type { Health } from '../../shared/domain/health.ts';
import { arrivingOf } from '../../shared/domain/seen-export.ts';
import { formatDuration } from '../../shared/lib/readable-amounts.ts';
import { formatClock, zoneName, type TimeDisplay } from '../format/format.ts';
import { useRead } from '../queries/use-call.ts';
import { useLink, useLocale, useServices, usePreference, useNow } from '../stores/services.ts';
import { Connection } from './connection.tsx';
import { isTroubled, LastSuccess, Pending, Transfer } from './speed.tsx';
import styles from './status-strip.module.css';
import { NoticeList, UpdateMark } from './notices.tsx';
import { useFocusAfter } from '../ui/dialog.tsx';
import { ShortTime } from '../ui/time-text.tsx';

/** Clock difference above which the strip shows a warning, milliseconds (service.md gap 27). */
const WARN_SKEW_MS = 60_000;
/** Interval for reading what no signal announces (the service's response times, settling files), milliseconds. */
const REFRESH_MS = 10_000;

/** What waits for a person, and exports that have not fully arrived yet. */
function Attention({ health: { exports, queue, leaving } }: { readonly health: Health }): ReactNode {
  const { t } = useTranslation();
  const exportsWait = exports.held + exports.missing + exports.unrecognised;
  const arriving = arrivingOf(exports);
  return (
    <>
      {exportsWait === 0 ? null : (
        <strong>
          !{' '}
          <Link to="/uploads" search={{ state: 'held' }}>
            {t('frame.exportsWait', { count: exportsWait })}
          </Link>
        </strong>
      )}
      {queue.failed === 0 ? null : (
        <strong>
          ✕{' '}
          <Link to="/uploads" search={{ state: 'failed' }}>
            {t('frame.failed', { count: queue.failed })}
          </Link>
        </strong>
      )}
      {queue.refused === 0 ? null : (
        <strong>
          ✕{' '}
          <Link to="/uploads" search={{ state: 'failed' }}>
            {t('frame.refused', { count: queue.refused })}
          </Link>
        </strong>
      )}
      {leaving === undefined ? null : <Leaving {...leaving} />}
      {arriving === 0 ? null : <Arriving count={arriving} />}
    </>
  );
}

/** Incidents that the recorder will delete before they are due: they are sent first, and Health has the figures. */
function Leaving({ incidents, firstGoneAt }: NonNullable<Health['leaving']>): ReactNode {
  return (
    <strong>
      !{' '}
      <Link to="/health">
        <Trans
          i18nKey="frame.leaving"
          count={incidents}
          components={{ time: <ShortTime value={firstGoneAt} isZoneKnown /> }}
        />
      </Link>
    </strong>
  );
}

/** Exports that are read; with more than these on their way, no time is shown. */
const LOOKED_AT = 50;

/** Exports on their way; while all of them are only settling, also how long the next one still takes. */
function Arriving({ count }: { readonly count: number }): ReactNode {
  const { t } = useTranslation();
  const nowMs = useNow();
  const { data } = useRead('uploads.listExports', { offset: 0, limit: LOOKED_AT });
  const ends = data?.rows.flatMap(({ state, settlesAt }) =>
    state === 'settling' && settlesAt !== undefined ? [Date.parse(settlesAt)] : [],
  );
  const leftMs = Math.min(...(ends ?? [])) - nowMs;
  if (ends?.length !== count || !(leftMs > 0)) return <span>{t('frame.arriving', { count })}</span>;
  return <span>{t('frame.recorder', { count, time: formatDuration(leftMs) })}</span>;
}

/** Always visible: connection, speed, what is left, and problems with the time they began. */
export function StatusStrip(): ReactNode {
  const { t } = useTranslation();
  const { data: health, error } = useRead('health.get', {}, { refreshMs: REFRESH_MS });
  const link = useLink();
  return (
    <footer
      aria-label={t('frame.status')}
      className={styles['strip']}
      data-trouble={
        (health !== undefined && isTroubled(health)) ||
        (link.kind !== 'open' && link.kind !== 'connecting') ||
        error !== null ||
        undefined
      }
    >
      <Connection health={health} failure={error?.failure} />
      {health === undefined ? null : <Attention health={health} />}
      {health === undefined ? null : <Transfer health={health} />}
      {health === undefined ? null : <OtherStatus health={health} />}
      <span className={styles['end']}>
        <UpdateMark />
        <NoticeList />
        <Frozen />
        {health === undefined ? null : <FoldersAndSkew health={health} />}
        <Clocks />
      </span>
    </footer>
  );
}

/** While lists are frozen: how many changes they miss, and a button to resume. */
export function Frozen(): ReactNode {
  const { t } = useTranslation();
  const { freeze, commands } = useServices();
  const { isFrozen, missed } = useStore(freeze);
  const [presses, setPresses] = useState(0);
  // The button is gone by then, so focus moves here
  const after = useFocusAfter<HTMLSpanElement>(presses, true);
  if (!isFrozen)
    return presses === 0 ? null : (
      <span ref={after} tabIndex={-1} className="visually-hidden">
        {t('frame.live')}
      </span>
    );
  const resume = (): void => {
    if (commands.run('view.freeze')) setPresses(presses + 1);
  };
  return (
    <>
      <strong>{t('frame.frozen', { count: missed })}</strong>
      <AriaButton
        className={styles['stripButton'] ?? ''}
        aria-label={t('frame.resumeUpdates')}
        onPress={resume}
      >
        {t('frame.resume')}
      </AriaButton>
    </>
  );
}

/** Less important items, shown where the line has room. */
function OtherStatus({ health }: { readonly health: Health }): ReactNode {
  const { t } = useTranslation();
  return (
    <span className={styles['lesser']}>
      <Pending health={health} />
      <LastSuccess at={health.queue.lastUploadedAt} />
      {health.roots.length > 0 && health.roots.every(({ isOnline }) => isOnline) ? (
        <span>{t('frame.folders', { count: health.roots.length })}</span>
      ) : null}
    </span>
  );
}

function FoldersAndSkew({ health }: { readonly health: Health }): ReactNode {
  const { t } = useTranslation();
  const total = health.roots.length;
  const offline = health.roots.filter(({ isOnline }) => !isOnline).length;
  const skewMs = Math.abs(health.clockSkewMs);
  return (
    <>
      {skewMs <= WARN_SKEW_MS ? null : (
        <strong>! {t('frame.skew', { difference: formatDuration(skewMs) })}</strong>
      )}
      {offline === 0 ? null : (
        <strong>
          !{' '}
          <Link to="/health">
            {total === 1 ? t('frame.folderOffline') : t('frame.foldersOffline', { count: offline, total })}
          </Link>
        </strong>
      )}
    </>
  );
}

/** Local time with its zone, and UTC, in the order chosen for all times. */
function Clocks(): ReactNode {
  const locale = useLocale();
  const nowMs = useNow();
  const times = usePreference((preferences) => preferences.times);
  const show = (as: TimeDisplay): string =>
    `${formatClock(nowMs, as, locale)} ${zoneName(nowMs, as, locale)}`;
  const [first, second] = times === 'utc' ? [show('utc'), show('local')] : [show('local'), show('utc')];
  return (
    <span className="ltr">
      {first}
      {first === second ? null : <span className={styles['otherClock']}>{` · ${second}`}</span>}
    </span>
  );
}
