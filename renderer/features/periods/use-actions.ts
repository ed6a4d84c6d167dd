import { skipToken, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useStore } from 'zustand';
import type { FailureError } from '../../../shared/domain/failure.ts';
import type { ServiceId } from '../../../shared/domain/ids.ts';
import type { CallOutput } from '../../../shared/ipc/contract.ts';
import { SERVICE_REFRESH_MS, useAsk } from '../../queries/use-call.ts';
import { useServices } from '../../stores/services.ts';
import { idKey } from './order-periods.ts';

type Listed = CallOutput<'actions.list'>;
type Key = readonly [
  call: 'actions.list',
  input: { readonly periodId: ServiceId | undefined; readonly formFields: readonly string[] },
];

/**
 * The actions of a period with the form fields that are asked for. While other fields are asked for, the ones before
 * stay; those of another period never do. A frozen list is read again on demand only.
 */
export function useActions(
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
