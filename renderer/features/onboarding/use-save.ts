import { useQueryClient } from '@tanstack/react-query';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { CallInput } from '../../../shared/ipc/contract.ts';
import { useOrder } from '../../queries/use-call.ts';

/** Saves a part of the settings and then goes on. */
export function useSave(forward: () => void): {
  readonly save: (change: CallInput<'settings.save'>['change']) => void;
  readonly isSaving: boolean;
  readonly failure: Failure | undefined;
} {
  const queries = useQueryClient();
  const order = useOrder('settings.save', {
    onDone: (saved) => {
      queries.setQueryData(['settings.get', {}], saved);
      forward();
    },
  });
  return {
    save: (change) => order.mutate({ change }),
    isSaving: order.isPending,
    failure: order.error?.failure,
  };
}
