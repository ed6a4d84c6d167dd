import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Period } from '../../../shared/domain/action.ts';
import { useLocale, usePreference } from '../../stores/services.ts';
import { SafeName } from '../../ui/safe-name.tsx';
import styles from './actions.module.css';
import { formatDay, formatHour, BriefTime, PeriodTimes, PhaseMark } from './period-times.tsx';
import { lastMarker, phaseOf, planTimeLine, zoneOf, type TimeSpans } from './periods.ts';
import { useMinute } from './use-periods.ts';

/** The chosen period: when it is, its markers, and where now is on its day. */
export function TimeLine({
  name,
  period,
}: {
  readonly name: string;
  /** Undefined when it is not among those that are listed. */
  readonly period: Period | undefined;
}): ReactNode {
  const { t } = useTranslation();
  const nowMs = useMinute();
  return (
    <section aria-label={t('periods.timeLine')} className={styles['line']}>
      <div className={styles['lineHead']}>
        <h2>
          <SafeName name={name} />
        </h2>
        {period === undefined ? null : (
          <>
            <PhaseMark phase={phaseOf(period, nowMs)} />
            <span className="dim">
              <PeriodTimes period={period} />
            </span>
          </>
        )}
      </div>
      {period === undefined ? null : <Course period={period} nowMs={nowMs} />}
    </section>
  );
}

function Course({ period, nowMs }: { readonly period: Period; readonly nowMs: number }): ReactNode {
  const display = usePreference((preferences) => preferences.times);
  const plan = planTimeLine(period, nowMs, zoneOf(display));
  return (
    <>
      {plan === undefined ? null : <Track plan={plan} nowMs={nowMs} />}
      <Markers period={period} nowMs={nowMs} isOneDay={plan?.isOneDay ?? false} />
    </>
  );
}

const at = (share: number): { readonly insetInlineStart: string } => ({
  insetInlineStart: `${share * 100}%`,
});

/** The picture of it; the same stands in words above and below. */
function Track({ plan, nowMs }: { readonly plan: TimeSpans; readonly nowMs: number }): ReactNode {
  const display = usePreference((preferences) => preferences.times);
  const locale = useLocale();
  const { from, to, ticks, markers, now, isOneDay } = plan;
  const label = (atMs: number): string =>
    isOneDay ? formatHour(atMs, display, locale) : formatDay(atMs, nowMs, display, locale);
  return (
    <div className={styles['lineTrack']} aria-hidden>
      <div className={styles['rail']} />
      <div className={styles['period']} style={{ ...at(from), inlineSize: `${(to - from) * 100}%` }} />
      {ticks.map(({ atMs, share }) => (
        <span key={atMs} className={styles['tick']} style={at(share)}>
          <span className="ltr">{label(atMs)}</span>
        </span>
      ))}
      {markers.map(({ atMs, share }, index) => (
        // Two markers may stand at the same moment
        // oxlint-disable-next-line react/no-array-index-key
        <span key={`${atMs} ${index}`} className={styles['marker']} style={at(share)} />
      ))}
      {now === undefined ? null : <span className={styles['now']} style={at(now.share)} />}
    </div>
  );
}

function Markers({
  period,
  nowMs,
  isOneDay,
}: {
  readonly period: Period;
  readonly nowMs: number;
  readonly isOneDay: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const last = phaseOf(period, nowMs) === 'now' ? lastMarker(period, nowMs) : undefined;
  if (period.markers.length === 0) return <p className="dim">{t('periods.noMarkers')}</p>;
  return (
    <ol aria-label={t('periods.markers')} className={styles['markers']}>
      {period.markers.map(({ name, at: time }, index) => (
        // The order of the service is all that tells equal ones apart
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index} data-last={index === last || undefined}>
          <span aria-hidden>{index === last ? '●' : '▾'}</span>{' '}
          <SafeName name={name ?? t('periods.markerUnnamed')} />{' '}
          <BriefTime value={time} hourOnly={isOneDay} />
          {index === last ? <span> · {t('periods.now')}</span> : null}
        </li>
      ))}
    </ol>
  );
}
