import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Period } from '../../../shared/domain/period.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { useLocale, usePreference, useServices } from '../../stores/services.ts';
import { fullTime } from '../../ui/time-text.tsx';
import { formatDay, formatHour, formatSpan } from './brief-times.ts';
import styles from './periods.module.css';
import { timeOf, type Phase } from './periods.ts';

/** When a period is; whole, with seconds and years, where the pointer rests. */
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
      {span}
    </span>
  );
}

/** A moment of a period to the minute, with its day unless that stands nearby. */
export function BriefTime({
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

/** How a period stands to now: glyph, word and colour. */
export function PhaseMark({ phase }: { readonly phase: Phase }): ReactNode {
  const { t } = useTranslation();
  return (
    <span className={styles['mark']} data-phase={phase}>
      <span aria-hidden>{looks[phase].glyph}</span> {t(looks[phase].word)}
    </span>
  );
}
