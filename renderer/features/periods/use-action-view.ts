import { useMemo } from 'react';
import { skipToken, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useStore } from 'zustand';
import type { Action } from '../../../shared/domain/action.ts';
import type { FailureError } from '../../../shared/domain/failure.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { ServiceId } from '../../../shared/domain/ids.ts';
import type { CallOutput } from '../../../shared/ipc/contract.ts';
import { SERVICE_REFRESH_MS, useAsk } from '../../queries/use-call.ts';
import { useLocale, useServices } from '../../stores/services.ts';
import { fieldNames } from './form-field.ts';
import type { PeriodsSearch } from './periods-search.ts';
import { idKey } from './periods.ts';
import { countFacets, filterActions, indexActions, sortActions, type Facets } from './select-actions.ts';

/** The actions of the chosen period as the screen shows them. */
export interface ActionView {
  /** All of them; undefined until the service has answered. */
  readonly actions: readonly Action[] | undefined;
  /** Those that fit the filters, in their order. */
  readonly rows: readonly Action[];
  readonly facets: Facets;
  /** Names of the form fields that have a column. */
  readonly fields: readonly string[];
  /** The service is being asked for other form fields; what is shown has the ones before. */
  readonly isAsking: boolean;
  readonly failure: Failure | undefined;
  /** Why the service has more of them than are here. */
  readonly incomplete: Failure | undefined;
  /** Milliseconds. */
  readonly readAtMs: number;
  readonly retry: () => void;
}

const nothing: readonly Action[] = [];

/** Reads, filters and sorts the actions by what stands in the address. */
export function useActionView(search: PeriodsSearch): ActionView {
  const locale = useLocale();
  const asked = useSameList(search.fields);
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

/** The same array as long as it holds the same texts: the address is parsed anew at each change. */
function useSameList(list: readonly string[]): readonly string[] {
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
 * The actions of a period with the form fields that are asked for. While other fields are asked for, the ones before
 * stay; those of another period never do. A frozen list is read again on demand only.
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
