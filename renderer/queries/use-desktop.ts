import { useMutation, useQuery, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { type Failure, FailureError } from '../../shared/domain/failure.ts';
import type { DesktopOrderInput, DesktopOrderName, DesktopOrderOutput } from '../../shared/ipc/desktop.ts';
import type { DesktopAbilities } from '../bridge/bridge.ts';
import { useServices } from '../stores/services.ts';

/** Where the answer of the desktop is kept. */
export function desktopKey<Name extends DesktopOrderName>(
  name: Name,
  input: DesktopOrderInput<Name>,
): readonly unknown[] {
  return ['desktop', name, input];
}

/** Reads one thing from the desktop; in a browser it is never asked. Errors are `FailureError`s. */
export function useDesktopRead<Name extends DesktopOrderName>(
  name: Name,
  input: DesktopOrderInput<Name>,
): UseQueryResult<DesktopOrderOutput<Name>, FailureError> {
  const { desktop } = useServices().bridge;
  return useQuery<DesktopOrderOutput<Name>, FailureError>({
    queryKey: desktopKey(name, input),
    queryFn: () => ask(desktop, name, input),
    enabled: desktop !== undefined,
  });
}

/** Asks the desktop to do something. `onDone` and `onFailed` run once for each time. */
export function useDesktopMutation<Name extends DesktopOrderName>(
  name: Name,
  reactions: {
    readonly onDone?: (output: DesktopOrderOutput<Name>) => void;
    readonly onFailed?: (failure: Failure) => void;
  } = {},
): UseMutationResult<DesktopOrderOutput<Name>, FailureError, DesktopOrderInput<Name>> {
  const { desktop } = useServices().bridge;
  return useMutation<DesktopOrderOutput<Name>, FailureError, DesktopOrderInput<Name>>({
    mutationFn: (input) => ask(desktop, name, input),
    onSuccess: (output) => reactions.onDone?.(output),
    onError: (error) => reactions.onFailed?.(error.failure),
  });
}

async function ask<Name extends DesktopOrderName>(
  desktop: DesktopAbilities | undefined,
  name: Name,
  input: DesktopOrderInput<Name>,
): Promise<DesktopOrderOutput<Name>> {
  if (desktop === undefined) throw new Error(`There is no desktop for ${name}`);
  const answer = await desktop.order(name, input);
  if (!answer.ok) throw new FailureError(answer.error);
  return answer.value;
}
