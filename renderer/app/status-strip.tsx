import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { formatDuration } from '../../shared/lib/duration.ts';
import type { FailureCode } from '../../shared/domain/failure.ts';
import { needsPerson } from '../../shared/domain/needs-person.ts';
import type { Health } from '../../shared/domain/health.ts';
import { formatClock, zoneName } from '../format/times.ts';
import { useRead } from '../queries/use-call.ts';
import { useLink, useLocale, usePreference, useServices } from '../stores/services.ts';
import { NoticeList } from './notice-list.tsx';
import { Transfer } from './strip-transfer.tsx';
import styles from './status-strip.module.css';
import { UpdateMark } from './update-mark.tsx';
import { useNow } from '../stores/use-now.ts';

/** Difference of the clocks from which a person is told, milliseconds (decisions row 27). */
const WARN_SKEW_MS = 60_000;
/** Nobody answers; all else was refused by someone who does. */
const unreachable: ReadonlySet<FailureCode> = new Set(['NETWORK', 'API_TIMEOUT']);
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

function Connection({ health }: { readonly health: Health | undefined }): ReactNode {
  const { t } = useTranslation();
  const link = useLink();
  const locale = useLocale();
  const times = usePreference((preferences) => preferences.times);
  const clock = (timeMs: number): string =>
    `${formatClock(timeMs, times, locale)} ${zoneName(timeMs, times, locale)}`;
  const text = ((): string => {
    if (link.kind === 'refused') return `✕ ${t('frame.sessionRefused')}`;
    if (link.kind === 'lost') return `✕ ${t('frame.agentLost', { time: clock(link.sinceMs) })}`;
    if (link.kind === 'connecting' || health === undefined) return `○ ${t('frame.connecting')}`;
    const [closed] = health.closedLanes;
    if (closed !== undefined) {
      const since = clock(Date.parse(closed.since));
      const said = unreachable.has(closed.failure.code) ? 'frame.offline' : 'frame.held';
      const waits = needsPerson.has(closed.failure.code) ? 'frame.safeTillMended' : 'frame.safe';
      const safe = t(waits, { count: health.queue.waiting });
      return `! ${t(said, { time: since })} · ${safe} · \u2068${closed.failure.message}\u2069`;
    }
    const latency = link.latencyMs === undefined ? undefined : Math.max(1, Math.round(link.latencyMs));
    return `● ${latency === undefined ? t('frame.online') : t('frame.onlineLatency', { latency })}`;
  })();
  // Announced only when its words change, and latency is no news
  return (
    <span
      role="status"
      aria-live={link.kind === 'open' && health?.closedLanes.length === 0 ? 'off' : 'polite'}
    >
      {text}
    </span>
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
