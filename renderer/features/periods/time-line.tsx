import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Period } from '../../../shared/domain/action.ts';
import { useLocale, usePreference, useServices } from '../../stores/services.ts';
import { SafeName } from '../../ui/safe-name.tsx';
import styles from './actions.module.css';
import { lastMarker, phaseOf, planTimeLine, zoneOf, type TimeSpans, timeOf, type Phase } from './periods.ts';
import { useMinute } from './use-periods.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { fullTime } from '../../ui/time-text.tsx';
import periodStyles from './periods.module.css';
import { formatClock, isSameYear, zoneName, type TimeDisplay } from '../../format/format.ts';

/** Length of hours and minutes in "17:41:09", characters. */
const HOUR_AND_MINUTE = 5;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Caches formats: creating one is slow, and there are only a few different ones. */
function dayFormat(display: TimeDisplay, locale: string, hasYear: boolean): Intl.DateTimeFormat {
  const key = `${display} ${locale} ${hasYear}`;
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat(locale, {
      day: 'numeric',
      month: 'short',
      ...(hasYear ? { year: 'numeric' } : {}),
      ...(display === 'utc' ? { timeZone: 'UTC' } : {}),
    });
  formats.set(key, format);
  return format;
}

/** Hours and minutes, "17:41". */
function formatHour(timeMs: number, display: TimeDisplay, locale: string): string {
  return formatClock(timeMs, display, locale).slice(0, HOUR_AND_MINUTE);
}

/** The day, with the year if it is not the current one: "21 Nov". */
function formatDay(timeMs: number, nowMs: number, display: TimeDisplay, locale: string): string {
  return dayFormat(display, locale, !isSameYear(timeMs, nowMs, display)).format(timeMs);
}

/** The times of a period to the minute, with the day given once: "21 Nov 10:15 – 15:15 UTC". Empty without times. */
export function formatSpan(
  { startAt, endAt }: Period,
  nowMs: number,
  display: TimeDisplay,
  locale: string,
): string {
  if (startAt === undefined && endAt === undefined) return '';
  const day = (text: string | undefined): string =>
    Number.isNaN(timeOf(text)) ? '' : formatDay(timeOf(text), nowMs, display, locale);
  const show = (text: string | undefined, shownDay: string): string =>
    Number.isNaN(timeOf(text))
      ? visibleName(text ?? '')
      : `${shownDay} ${formatHour(timeOf(text), display, locale)}`.trim();
  const end = show(endAt, day(endAt) === day(startAt) ? '' : day(endAt));
  const zoned = [startAt, endAt].find((text) => !Number.isNaN(timeOf(text)));
  const zone = zoned === undefined ? '' : ` ${zoneName(timeOf(zoned), display, locale)}`;
  return `${show(startAt, day(startAt))} – ${end}`.trim() + zone;
}

/** The times of a period; complete, with seconds and years, on hover. */
export function PeriodTimes({ period }: { readonly period: Period }): ReactNode {
  const { t } = useTranslation();
  const { clock } = useServices();
  const display = usePreference((preferences) => preferences.times);
  const locale = useLocale();
  const span = formatSpan(period, clock.now(), display, locale);
  if (span === '') return <span className="dim">{t('periods.noTimes')}</span>;
  const whole = [period.startAt, period.endAt].map((text) =>
    text === undefined ? '' : fullTime(text, display, locale),
  );
  return (
    <span className="ltr" title={visibleName(whole.join(' – '))}>
      {/* The line breaks only before the end */}
      {span.replaceAll(/(?<!–) /g, '\u00a0')}
    </span>
  );
}

/** A time to the minute, with its day unless that is shown nearby. */
function BriefTime({
  value,
  hourOnly,
}: {
  readonly value: string | undefined;
  readonly hourOnly: boolean;
}): ReactNode {
  const { clock } = useServices();
  const display = usePreference((preferences) => preferences.times);
  const locale = useLocale();
  if (value === undefined) return null;
  const timeMs = timeOf(value);
  if (Number.isNaN(timeMs)) return <span className="ltr">{visibleName(value)}</span>;
  return (
    <time dateTime={value} title={fullTime(value, display, locale)} className="ltr">
      {hourOnly ? '' : `${formatDay(timeMs, clock.now(), display, locale)} `}
      {formatHour(timeMs, display, locale)}
    </time>
  );
}

const looks = {
  now: { glyph: '●', word: 'periods.phaseNow' },
  coming: { glyph: '▷', word: 'periods.phaseComing' },
  past: { glyph: '◌', word: 'periods.phasePast' },
  undated: { glyph: '?', word: 'periods.phaseUndated' },
} as const satisfies Readonly<Record<Phase, unknown>>;

/** The phase of a period: glyph, word and colour. */
export function PhaseMark({ phase }: { readonly phase: Phase }): ReactNode {
  const { t } = useTranslation();
  return (
    <span className={periodStyles['mark']} data-phase={phase}>
      <span aria-hidden>{looks[phase].glyph}</span> {t(looks[phase].word)}
    </span>
  );
}

/** The selected period: its times, its markers, and the current time on its day. */
export function TimeLine({
  name,
  period,
}: {
  readonly name: string;
  /** Undefined when it is not among the listed periods. */
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
      {period === undefined ? null : <PeriodTimeLine period={period} nowMs={nowMs} />}
    </section>
  );
}

function PeriodTimeLine({ period, nowMs }: { readonly period: Period; readonly nowMs: number }): ReactNode {
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

/** The line itself; the text above and below says the same. */
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
        // Two markers may be at the same moment
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
        // Equal markers differ only in their order
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
