import { useEffect, useMemo, useState } from 'react';
import type { Failure } from '../../../shared/domain/failure.ts';
import { SERVICE_REFRESH_MS, useRead } from '../../queries/use-call.ts';
import { usePreference, useServices } from '../../stores/services.ts';
import type { ChangePeriodsSearch, PeriodsSearch } from './periods-search.ts';
import { orderPeriods, rangeOfDays, zoneOf, type ListedPeriod } from './periods.ts';

/** The list of periods as it stands. */
export interface PeriodList {
  readonly listed: readonly ListedPeriod[];
  readonly isLoading: boolean;
  readonly failure: Failure | undefined;
  /** When the list was read, milliseconds; 0 as long as it never was. */
  readonly readAtMs: number;
  /** The range ends before it begins: nothing is asked. */
  readonly isTurned: boolean;
  readonly retry: () => void;
}

/** Reads the periods of the range. What goes on, else what comes next, is chosen when nothing is. */
export function usePeriods({ from, to, period }: PeriodsSearch, change: ChangePeriodsSearch): PeriodList {
  const display = usePreference((preferences) => preferences.times);
  const nowMs = useMinute();
  const range = rangeOfDays(from, to, zoneOf(display));
  const read = useRead(
    'periods.list',
    { range: range ?? {} },
    { isEnabled: range !== undefined, refreshMs: SERVICE_REFRESH_MS },
  );
  const periods = range === undefined ? undefined : read.data?.periods;
  const listed = useMemo(() => orderPeriods(periods ?? [], nowMs), [periods, nowMs]);
  const first = listed[0]?.period.id;
  useEffect(() => {
    if (period === undefined && first !== undefined) change({ period: first });
  }, [period, first, change]);
  return {
    listed,
    isLoading: range !== undefined && read.isPending,
    failure: range === undefined ? undefined : read.error?.failure,
    readAtMs: read.dataUpdatedAt,
    isTurned: range === undefined,
    retry: () => void read.refetch(),
  };
}

const MINUTE_MS = 60_000;

/** The time, anew at each full minute: what is going on changes no faster. */
export function useMinute(): number {
  const { clock } = useServices();
  const [nowMs, setNowMs] = useState(() => clock.now());
  useEffect(() => {
    const timer = setTimeout(() => setNowMs(clock.now()), MINUTE_MS - (clock.now() % MINUTE_MS));
    return () => clearTimeout(timer);
  }, [clock, nowMs]);
  return nowMs;
}
