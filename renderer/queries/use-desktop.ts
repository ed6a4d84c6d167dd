import { useMutation, useQuery, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { type Failure, FailureError } from '../../shared/domain/failure.ts';
import type {
  DesktopCommandInput,
  DesktopCommandName,
  DesktopCommandOutput,
} from '../../shared/ipc/desktop.ts';
import type { DesktopAbilities } from '../bridge/bridge.ts';
import { useServices } from '../stores/services.ts';

/** Where the answer of the desktop is kept. */
export function desktopKey<Name extends DesktopCommandName>(
  name: Name,
  input: DesktopCommandInput<Name>,
): readonly unknown[] {
  return ['desktop', name, input];
}

/** Reads one thing from the desktop; in a browser it is never asked. Errors are `FailureError`s. */
export function useDesktopRead<Name extends DesktopCommandName>(
  name: Name,
  input: DesktopCommandInput<Name>,
): UseQueryResult<DesktopCommandOutput<Name>, FailureError> {
  const { desktop } = useServices().bridge;
  return useQuery<DesktopCommandOutput<Name>, FailureError>({
    queryKey: desktopKey(name, input),
    queryFn: () => ask(desktop, name, input),
    enabled: desktop !== undefined,
  });
}

/** Asks the desktop to do something. `onDone` and `onFailed` run once for each time. */
export function useDesktopMutation<Name extends DesktopCommandName>(
  name: Name,
  reactions: {
    readonly onDone?: (output: DesktopCommandOutput<Name>) => void;
    readonly onFailed?: (failure: Failure) => void;
  } = {},
): UseMutationResult<DesktopCommandOutput<Name>, FailureError, DesktopCommandInput<Name>> {
  const { desktop } = useServices().bridge;
  return useMutation<DesktopCommandOutput<Name>, FailureError, DesktopCommandInput<Name>>({
    mutationFn: (input) => ask(desktop, name, input),
    onSuccess: (output) => reactions.onDone?.(output),
    onError: (error) => reactions.onFailed?.(error.failure),
  });
}

async function ask<Name extends DesktopCommandName>(
  desktop: DesktopAbilities | undefined,
  name: Name,
  input: DesktopCommandInput<Name>,
): Promise<DesktopCommandOutput<Name>> {
  if (desktop === undefined) throw new Error(`There is no desktop for ${name}`);
  const answer = await desktop.order(name, input);
  if (!answer.ok) throw new FailureError(answer.error);
  return answer.value;
}
