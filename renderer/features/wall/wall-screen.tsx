import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { DeskSummary, Health } from '../../../shared/domain/health.ts';
import { arrivingOf } from '../../../shared/domain/seen-export.ts';
import { formatBytes, formatDuration } from '../../../shared/lib/readable-amounts.ts';
import { formatCount, formatMinute, zoneName } from '../../format/format.ts';
import { useRead } from '../../queries/use-call.ts';
import { useLocale, usePreference, useNow } from '../../stores/services.ts';
import styles from './wall.module.css';

/** Refresh interval, milliseconds: nobody is standing there waiting. */
const REFRESH_MS = 5000;
/** Age at which data without an update counts as outdated, milliseconds. */
const STALE_MS = 30_000;
/** Number of reasons that fit below the figures. */
const MOST_LINES = 3;

type Level = 'fine' | 'busy' | 'bad';
const glyphs: Readonly<Record<Level, string>> = { fine: '✓', busy: '▲', bad: '✕' };

interface Line {
  readonly text: string;
  /** ISO 8601 UTC. */
  readonly since?: string | undefined;
}

/** The state of the desk for a screen on a wall: readable from five metres, and without any names. */
export function WallScreen(): ReactNode {
  const { t } = useTranslation();
  const locale = useLocale();
  const summary = useRead('health.summary', {}, { refreshMs: REFRESH_MS });
  const health = useRead('health.get', {}, { refreshMs: REFRESH_MS });
  const nowMs = useNow();
  useDark();
  const readMs = Math.min(summary.dataUpdatedAt, health.dataUpdatedAt);
  const { data } = summary;
  if (data === undefined || health.data === undefined)
    return <Unread failure={summary.error?.failure ?? health.error?.failure} />;
  // In both directions: a clock that is set back must not make old data look fresh
  const isLost = Math.abs(nowMs - readMs) > STALE_MS;
  const since = new Date(readMs).toISOString();
  const lines = isLost ? [{ text: t('wall.lost'), since }] : linesOf(data, health.data, t);
  const { clips, paused } = data.waiting;
  const { queue, exports, line } = health.data;
  const arriving = arrivingOf(exports);
  const isSending = clips > 0 || queue.unsynced > 0;
  const level = lines.length > 0 ? 'bad' : isSending || arriving > 0 ? 'busy' : 'fine';
  const isPaused = clips > 0 && (line?.limit === 'pause' || paused === clips);
  const sending = t(isPaused ? 'state.paused' : 'wall.sending');
  const busy = isSending ? sending : t('frame.arriving', { count: arriving });
  const fine = t(data.lastSentAt === undefined ? 'frame.noSuccess' : 'wall.fine');
  const words = { fine, busy, bad: t('state.attention') };
  const failed = data.failed.reduce((sum, { clips }) => sum + clips, 0);
  return (
    <main className={styles['wall']} data-level={level}>
      <h1>
        <span aria-hidden>{glyphs[level]}</span> {words[level]}
      </h1>
      <div className={styles['figures']}>
        <Figure name={t('state.waiting')} value={formatCount(clips, locale)}>
          {clips === 0 ? null : <span className="ltr">{formatBytes(data.waiting.bytes)}</span>}
          <Since value={data.waiting.since} />
        </Figure>
        <Figure name={t('state.failed')} value={formatCount(failed, locale)} isBad={failed > 0}>
          <Since value={first(data.failed.map((each) => each.since))} />
        </Figure>
        <LastSent at={data.lastSentAt} nowMs={nowMs} />
      </div>
      <ul>
        {lines.slice(0, MOST_LINES).map(({ text, since: begun }) => (
          <li key={text}>
            {text} <Since value={begun} />
          </li>
        ))}
        {lines.length > MOST_LINES ? <li>{t('wall.more', { count: lines.length - MOST_LINES })}</li> : null}
      </ul>
      <Leave />
    </main>
  );
}

/** Shown until something could be read. */
function Unread({ failure }: { readonly failure: Failure | undefined }): ReactNode {
  const { t } = useTranslation();
  return (
    <main className={styles['wall']} data-level={failure === undefined ? undefined : 'bad'}>
      <div role="status">
        <h1>{failure === undefined ? t('common.loading') : `✕ ${t('wall.lost')}`}</h1>
        {failure === undefined ? null : <p>{failure.code}</p>}
      </div>
      <Leave />
    </main>
  );
}

function Leave(): ReactNode {
  const { t } = useTranslation();
  return (
    <Link to="/health" className={styles['leave'] ?? ''}>
      {t('wall.leave')}
    </Link>
  );
}

function Figure({
  name,
  value,
  isBad = false,
  children,
}: {
  readonly name: string;
  readonly value: string;
  readonly isBad?: boolean;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <section aria-label={name} data-bad={isBad}>
      <h2>{name}</h2>
      <strong className="ltr">{value}</strong>
      <p>{children}</p>
    </section>
  );
}

function LastSent({ at, nowMs }: { readonly at: string | undefined; readonly nowMs: number }): ReactNode {
  const { t } = useTranslation();
  const locale = useLocale();
  const display = usePreference(({ times }) => times);
  if (at === undefined) return <Figure name={t('wall.lastSent')} value={t('wall.never')} />;
  const zone = zoneName(Date.parse(at), display, locale);
  const age = formatDuration(Math.max(0, nowMs - Date.parse(at)));
  // The time alone is short enough for the large type; the age below tells whether it was today
  const hour = formatMinute(at, Date.parse(at), display, locale);
  return (
    <Figure name={t('wall.lastSentIn', { zone })} value={hour}>
      <span className={styles['since']}>{t('wall.ago', { age })}</span>
    </Figure>
  );
}

function Since({ value }: { readonly value: string | undefined }): ReactNode {
  const { t } = useTranslation();
  const locale = useLocale();
  const display = usePreference(({ times }) => times);
  const nowMs = useNow();
  if (value === undefined) return null;
  const zone = zoneName(Date.parse(value), display, locale);
  const time = `${formatMinute(value, nowMs, display, locale)} ${zone}`;
  return <span className={styles['since']}>{t('wall.since', { time })}</span>;
}

/** Problems that need someone, most serious first. */
function linesOf(summary: DeskSummary, health: Health, t: TFunction): readonly Line[] {
  const away = health.roots.filter(({ isOnline, failure }) => !isOnline || failure !== undefined);
  const proved = first(away.map(({ scannedAt }) => scannedAt));
  return [
    ...health.pausedCircuits.map(({ circuit, failure, since }) => ({
      text: `${t(`wall.stopped.${circuit}`)} (${failure.code})`,
      since,
    })),
    ...(away.length === 0 ? [] : [{ text: t('wall.folders', { count: away.length }), since: proved }]),
    ...(summary.isPaused ? [{ text: t('frame.pausedAll') }] : []),
    ...summary.failed.map(({ code, clips, since }) => ({
      text: t('wall.failedCode', { code, count: clips }),
      since,
    })),
    ...(summary.refused === 0 ? [] : [{ text: t('frame.refused', { count: summary.refused }) }]),
    ...(summary.exports.count === 0
      ? []
      : [{ text: t('frame.exportsWait', { count: summary.exports.count }), since: summary.exports.since }]),
  ];
}

const first = (times: readonly (string | undefined)[]): string | undefined =>
  times.filter((time) => time !== undefined).toSorted()[0];

/** The wall screen is dark, whichever theme this browser uses otherwise. */
function useDark(): void {
  useEffect(() => {
    const { dataset } = document.documentElement;
    const before = dataset['theme'];
    dataset['theme'] = 'dark';
    return () => {
      if (before !== undefined) dataset['theme'] = before;
    };
  }, []);
}
