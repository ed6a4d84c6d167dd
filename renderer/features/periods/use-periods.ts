import { useEffect, useMemo, useState } from 'react';
import { skipToken, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useStore } from 'zustand';
import type { Failure, FailureError } from '../../../shared/domain/failure.ts';
import { SERVICE_REFRESH_MS, useRead, useAsk } from '../../queries/use-call.ts';
import { usePreference, useServices, useLocale } from '../../stores/services.ts';
import {
  type ChangePeriodsSearch,
  type PeriodsSearch,
  orderPeriods,
  rangeOfDays,
  zoneOf,
  type ListedPeriod,
  idKey,
} from './periods.ts';
import type { Action } from '../../../shared/domain/action.ts';
import type { ServiceId } from '../../../shared/domain/ids.ts';
import type { CallOutput } from '../../../shared/ipc/contract.ts';
import { fieldNames } from './form-field.ts';
import { countFacets, filterActions, indexActions, sortActions, type Facets } from './select-actions.ts';

/** The list of periods and its state. */
export interface PeriodList {
  readonly listed: readonly ListedPeriod[];
  readonly isLoading: boolean;
  readonly failure: Failure | undefined;
  /** When the list was read, milliseconds; 0 if never. */
  readonly readAtMs: number;
  /** The range ends before it starts: nothing is requested. */
  readonly isTurned: boolean;
  readonly retry: () => void;
}

/** Reads the periods of the range. If none is selected, selects the first: a current one, or else the next. */
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

/** The current time, updated every minute, which is often enough for periods. */
export function useMinute(): number {
  const { clock } = useServices();
  const [nowMs, setNowMs] = useState(() => clock.now());
  useEffect(() => {
    const timer = setTimeout(() => setNowMs(clock.now()), MINUTE_MS - (clock.now() % MINUTE_MS));
    return () => clearTimeout(timer);
  }, [clock, nowMs]);
  return nowMs;
}

/** The actions of the selected period as shown on the screen. */
export interface ActionView {
  /** All of them; undefined until the service has answered. */
  readonly actions: readonly Action[] | undefined;
  /** Those that match the filters, in order. */
  readonly rows: readonly Action[];
  readonly facets: Facets;
  /** Names of the form fields that have a column. */
  readonly fields: readonly string[];
  /** Other form fields are being requested; the current data still has the previous ones. */
  readonly isAsking: boolean;
  readonly failure: Failure | undefined;
  /** Why not all of the service's actions are here. */
  readonly incomplete: Failure | undefined;
  /** Milliseconds. */
  readonly readAtMs: number;
  readonly retry: () => void;
}

const nothing: readonly Action[] = [];

/** Reads, filters and sorts the actions according to the search parameters. */
export function useActionView(search: PeriodsSearch): ActionView {
  const locale = useLocale();
  const asked = useStableList(search.fields);
  const read = useActions(search.period, asked);
  const actions = read.data?.actions;
  const { kind, status, ai, search: words, sort, order } = search;
  const filter = useMemo(() => ({ kind, status, ai, search: words }), [kind, status, ai, words]);
  const indexed = useMemo(() => indexActions(actions ?? nothing), [actions]);
  const facets = useMemo(() => countFacets(indexed, filter), [indexed, filter]);
  const rows = useMemo(
    () => sortActions(filterActions(indexed, filter), { columnId: sort, order }, locale),
    [indexed, filter, sort, order, locale],
  );
  const fields = useMemo(() => fieldNames(actions ?? nothing, asked), [actions, asked]);
  return {
    actions,
    rows,
    facets,
    fields,
    isAsking: read.isPlaceholderData,
    failure: read.error?.failure,
    incomplete: read.data?.incomplete,
    readAtMs: read.dataUpdatedAt,
    retry: () => void read.refetch(),
  };
}

/** Returns the same array while its contents are equal: the address is parsed again at each change. */
function useStableList(list: readonly string[]): readonly string[] {
  const key = JSON.stringify(list);
  // oxlint-disable-next-line react/exhaustive-deps -- the key is what the list holds
  return useMemo(() => list, [key]);
}

type Listed = CallOutput<'actions.list'>;

type Key = readonly [
  call: 'actions.list',
  input: { readonly periodId: ServiceId | undefined; readonly formFields: readonly string[] },
];

/**
 * The actions of a period with the requested form fields. While other fields are being requested, the previous data of
 * the same period stays. A frozen list is only read again on demand.
 */
function useActions(
  periodId: ServiceId | undefined,
  formFields: readonly string[],
): UseQueryResult<Listed, FailureError> {
  const ask = useAsk();
  const isFrozen = useStore(useServices().freeze, (freeze) => freeze.isFrozen);
  return useQuery<Listed, FailureError, Listed, Key>({
    queryKey: ['actions.list', { periodId, formFields }],
    queryFn: periodId === undefined ? skipToken : () => ask('actions.list', { periodId, formFields }),
    placeholderData: (previous, query) => {
      const before = query?.queryKey[1].periodId;
      return before !== undefined && periodId !== undefined && idKey(before) === idKey(periodId)
        ? previous
        : undefined;
    },
    staleTime: 0,
    refetchInterval: isFrozen ? false : SERVICE_REFRESH_MS,
    refetchOnWindowFocus: !isFrozen,
  });
}
