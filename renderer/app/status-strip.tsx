import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { formatDuration } from '../../shared/lib/duration.ts';
import type { Health } from '../../shared/domain/health.ts';
import { formatClock, zoneName } from '../format/times.ts';
import { useRead } from '../queries/use-call.ts';
import { useLink, useLocale, useServices } from '../stores/services.ts';
import { NoticeList } from './notice-list.tsx';
import { Connection } from './strip-connection.tsx';
import { Transfer } from './strip-transfer.tsx';
import styles from './app.module.css';
import { UpdateMark } from './update-mark.tsx';
import { useNow } from '../stores/use-now.ts';

/** Difference of the clocks from which a person is told, milliseconds (decisions row 27). */
const WARN_SKEW_MS = 60_000;
/** What no signal announces (latency, settling files) is read again this often, milliseconds. */
const REFRESH_MS = 10_000;

/** Always there: is it getting out, how fast, how much is left, since when not. */
export function StatusStrip(): ReactNode {
  const { t } = useTranslation();
  const { data: health } = useRead('health.get', {}, { refreshMs: REFRESH_MS });
  const isTroubled = (health?.closedLanes.length ?? 0) > 0;
  const link = useLink();
  return (
    <footer
      aria-label={t('frame.status')}
      className={styles['strip']}
      data-trouble={isTroubled || link.kind === 'lost' || link.kind === 'refused' || undefined}
    >
      <Connection health={health} />
      {health === undefined ? null : <Transfer health={health} />}
      <span className={styles['end']}>
        <UpdateMark />
        <NoticeList />
        <Frozen />
        {health === undefined ? null : <Surroundings health={health} />}
        <Clocks />
      </span>
    </footer>
  );
}

function Frozen(): ReactNode {
  const { t } = useTranslation();
  const { freeze } = useServices();
  const { isFrozen, missed } = useStore(freeze);
  return isFrozen ? <strong>{t('frame.frozen', { count: missed })}</strong> : null;
}

function Surroundings({ health }: { readonly health: Health }): ReactNode {
  const { t } = useTranslation();
  const total = health.roots.length;
  const offline = health.roots.filter(({ isOnline }) => !isOnline).length;
  const skewMs = Math.abs(health.clockSkewMs);
  return (
    <>
      {skewMs <= WARN_SKEW_MS ? null : (
        <strong>! {t('frame.skew', { difference: formatDuration(skewMs) })}</strong>
      )}
      {offline > 0 ? (
        <strong>! {t('frame.foldersOffline', { count: offline, total })}</strong>
      ) : (
        <span>{t('frame.folders', { count: total })}</span>
      )}
    </>
  );
}

function Clocks(): ReactNode {
  const locale = useLocale();
  const nowMs = useNow();
  return (
    <span className="ltr">
      {formatClock(nowMs, 'utc', locale)} UTC · {formatClock(nowMs, 'local', locale)}{' '}
      {zoneName(nowMs, 'local', locale)}
    </span>
  );
}
