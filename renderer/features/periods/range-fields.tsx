import { parseDate, type CalendarDate } from '@internationalized/date';
import { X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { DateField, DateInput, DateSegment, FieldError, Label } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { usePreference } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import fields from '../../ui/fields.module.css';
import type { ChangeSearch } from './periods-search.ts';
import styles from './periods.module.css';

/** A year is typed digit by digit: what stands there before the fourth one is not meant yet. */
const FIRST_YEAR = 1000;

/** First and last day of the periods that are listed; either can be left open. */
export function RangeFields({
  from,
  to,
  isTurned,
  change,
}: {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly isTurned: boolean;
  readonly change: ChangeSearch;
}): ReactNode {
  const { t } = useTranslation();
  const isUtc = usePreference((preferences) => preferences.times) === 'utc';
  return (
    <div className={styles['range']}>
      <DayField
        label={t(isUtc ? 'periods.rangeFrom' : 'periods.rangeFromLocal')}
        value={from}
        onChange={(day) => change({ from: day })}
      />
      <DayField
        label={t(isUtc ? 'periods.rangeTo' : 'periods.rangeToLocal')}
        value={to}
        onChange={(day) => change({ to: day })}
        error={isTurned ? t('periods.rangeTurned') : undefined}
      />
      {from === undefined && to === undefined ? null : (
        <Button kind="quiet" icon={X} onPress={() => change({ from: undefined, to: undefined })}>
          {t('periods.rangeClear')}
        </Button>
      )}
    </div>
  );
}

function DayField({
  label,
  value,
  error,
  onChange,
}: {
  readonly label: string;
  /** "2026-11-20". */
  readonly value: string | undefined;
  readonly error?: string | undefined;
  readonly onChange: (day: string | undefined) => void;
}): ReactNode {
  const [given, setGiven] = useState(value);
  const [shown, setShown] = useState<CalendarDate | null>(() => dayOf(value));
  // Set from elsewhere, by a link or by the button that empties both
  if (given !== value) {
    setGiven(value);
    if (shown?.toString() !== value) setShown(dayOf(value));
  }
  const take = (next: CalendarDate | null): void => {
    setShown(next);
    if (next === null) onChange(undefined);
    else if (next.year >= FIRST_YEAR) onChange(next.toString());
  };
  return (
    <DateField<CalendarDate>
      className={fields['field'] ?? ''}
      value={shown}
      onChange={take}
      granularity="day"
      shouldForceLeadingZeros
      isInvalid={error !== undefined}
    >
      <Label className={fields['label'] ?? ''}>{label}</Label>
      <DateInput className={`${fields['input'] ?? ''} segments ltr`}>
        {(segment) => <DateSegment segment={segment} className="segment" />}
      </DateInput>
      <FieldError className={fields['error'] ?? ''}>{error}</FieldError>
    </DateField>
  );
}

function dayOf(value: string | undefined): CalendarDate | null {
  return value === undefined ? null : parseDate(value);
}
