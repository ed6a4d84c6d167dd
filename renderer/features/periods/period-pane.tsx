import { parseDate, type CalendarDate } from '@internationalized/date';
import { X } from 'lucide-react';
import { memo, useCallback, useMemo, useState, type KeyboardEvent, type ReactNode } from 'react';
import {
  DateField,
  DateInput,
  DateSegment,
  FieldError,
  Label,
  ListBox,
  ListBoxItem,
  ListLayout,
  Virtualizer,
} from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { ServiceId } from '../../../shared/domain/ids.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { usePreference } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import fields from '../../ui/fields.module.css';
import { SafeName } from '../../ui/safe-name.tsx';
import { EmptyState, FailurePanel, LoadingState } from '../../ui/states.tsx';
import { PeriodTimes, PhaseMark } from './time-line.tsx';
import {
  type ChangePeriodsSearch,
  type PeriodsSearch,
  idKey,
  periodName,
  type ListedPeriod,
} from './periods.ts';
import styles from './periods.module.css';
import type { PeriodList } from './use-periods.ts';

/** The periods of the range, current ones first. */
export function PeriodPane({
  periods,
  search,
  change,
}: {
  readonly periods: PeriodList;
  readonly search: PeriodsSearch;
  readonly change: ChangePeriodsSearch;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <section aria-label={t('periods.list')} className={styles['periods']}>
      <h2 className="visually-hidden">{t('periods.list')}</h2>
      <div className={styles['paneHead']}>
        <RangeFields from={search.from} to={search.to} isTurned={periods.isTurned} change={change} />
      </div>
      <div className={styles['paneBody']}>
        <PeriodRows periods={periods} search={search} change={change} />
      </div>
    </section>
  );
}

function PeriodRows({
  periods,
  search,
  change,
}: {
  readonly periods: PeriodList;
  readonly search: PeriodsSearch;
  readonly change: ChangePeriodsSearch;
}): ReactNode {
  const { t } = useTranslation();
  const choose = useCallback((id: ServiceId) => change({ period: id, action: undefined }), [change]);
  const { listed, failure, isLoading, isTurned, retry } = periods;
  // The range fields say why
  if (isTurned) return null;
  if (isLoading) return <LoadingState />;
  if (failure !== undefined && listed.length === 0)
    return (
      <div className={styles['failed']}>
        <FailurePanel failure={failure} title={t('periods.listFailed')} onRetry={retry} />
      </div>
    );
  const isRanged = search.from !== undefined || search.to !== undefined;
  if (listed.length === 0)
    return (
      <EmptyState title={t('periods.emptyTitle')}>
        {t(isRanged ? 'periods.emptyRange' : 'periods.emptyText')}
      </EmptyState>
    );
  return <PeriodListBox listed={listed} chosen={search.period} onChoose={choose} />;
}

/** Height of a two-line row at 100 % text size, pixels. */
const ROW_HEIGHT = 48;

/** Makes J and K work like the arrows; the library would search for names starting with them. */
function moveByLetters(event: KeyboardEvent): void {
  const key = { j: 'ArrowDown', k: 'ArrowUp' }[event.key];
  if (key === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  event.target.dispatchEvent(
    new globalThis.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
  );
}

/** The periods, current ones first; only those in view are rendered. Memoised, since there may be thousands. */
const PeriodListBox = memo(function PeriodListBox({
  listed,
  chosen,
  onChoose,
}: {
  readonly listed: readonly ListedPeriod[];
  readonly chosen: ServiceId | undefined;
  readonly onChoose: (id: ServiceId) => void;
}): ReactNode {
  const { t } = useTranslation();
  const scale = usePreference(({ textSize }) => textSize) / 100;
  const items = useMemo(
    () => listed.map((each) => ({ ...each, id: idKey(each.period.id), name: periodName(each.period, t) })),
    [listed, t],
  );
  return (
    <div className={styles['listKeys']} onKeyDownCapture={moveByLetters}>
      <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: ROW_HEIGHT * scale, padding: 0 }}>
        <ListBox
          aria-label={t('periods.list')}
          className={styles['periodList'] ?? ''}
          items={items}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={chosen === undefined ? [] : [idKey(chosen)]}
          onSelectionChange={(keys) => {
            const found = keys === 'all' ? undefined : items.find(({ id }) => keys.has(id));
            if (found !== undefined) onChoose(found.period.id);
          }}
        >
          {({ id, name, period, phase }) => (
            <ListBoxItem id={id} textValue={visibleName(name)} className={styles['period'] ?? ''}>
              <span className={styles['periodName']}>
                <SafeName name={name} cut />
              </span>
              <span className={styles['when']}>
                <PhaseMark phase={phase} />
                <PeriodTimes period={period} />
              </span>
            </ListBoxItem>
          )}
        </ListBox>
      </Virtualizer>
    </div>
  );
});

/** Smallest accepted year: years are typed digit by digit, so fewer than four digits are incomplete. */
const FIRST_YEAR = 1000;

/** First and last day of the listed periods; either can be empty. */
function RangeFields({
  from,
  to,
  isTurned,
  change,
}: {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly isTurned: boolean;
  readonly change: ChangePeriodsSearch;
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
  // Changed from outside, by a link or by the button that clears both
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
