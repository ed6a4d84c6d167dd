import { useQueryClient } from '@tanstack/react-query';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { CallInput } from '../../../shared/ipc/contract.ts';
import { useOrder } from '../../queries/use-call.ts';

/** Saves a part of the settings and then goes on; `isApplied`: the agent starts again with it at once. */
export function useSave(
  forward: () => void,
  { isApplied = false }: { readonly isApplied?: boolean } = {},
): {
  readonly save: (change: CallInput<'settings.save'>['change']) => void;
  readonly isSaving: boolean;
  readonly failure: Failure | undefined;
} {
  const queries = useQueryClient();
  const apply = useApply(forward);
  const order = useOrder('settings.save', {
    onDone: (saved) => {
      queries.setQueryData(['settings.get', {}], saved);
      if (isApplied && saved.needsRestart) apply.apply();
      else forward();
    },
  });
  return {
    save: (change) => order.mutate({ change }),
    isSaving: order.isPending || apply.isApplying,
    failure: order.error?.failure ?? apply.failure,
  };
}

/** Has the agent start again with what is saved, and goes on. */
export function useApply(forward: () => void): {
  readonly apply: () => void;
  readonly isApplying: boolean;
  readonly failure: Failure | undefined;
} {
  const queries = useQueryClient();
  const order = useOrder('settings.apply', {
    onDone: () => {
      // What was found with the settings before says nothing about these
      queries.removeQueries({ queryKey: ['connection.check'] });
      forward();
    },
  });
  return { apply: () => order.mutate({}), isApplying: order.isPending, failure: order.error?.failure };
}
