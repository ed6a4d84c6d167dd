import type { Failure } from '../../../shared/domain/failure.ts';
import { FailureError } from '../../../shared/domain/failure-error.ts';
import { callSchemas, type CallName, type CallOutput } from '../../../shared/ipc/contract.ts';
import { requestSchema, type CallReply } from '../../../shared/ipc/envelope.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { Logger } from '../ports.ts';
import type { Handlers } from './call.ts';
import { brokenOff, faultyCall, findingsOf, refusedInput, unknownCall } from './refuse-call.ts';

/** Answers calls by the contract. Limits of size and rate are the transport's, who knows its other side. */
export interface RpcServer {
  /** Never rejects. `signal` breaks the call off. Errors beside the call's own: CALL_UNKNOWN, CALL_INPUT, CALL_FAULT, CANCELLED. */
  serve(request: unknown, signal: AbortSignal): Promise<CallReply>;
}

/** Makes the server over a handler for each call. */
export function createRpcServer(handlers: Handlers, { logger }: { readonly logger: Logger }): RpcServer {
  async function answer<Name extends CallName>(
    name: Name,
    input: unknown,
    signal: AbortSignal,
  ): Promise<Result<CallOutput<Name>, Failure>> {
    const { input: inputSchema, output: outputSchema } = callSchemas[name];
    const given = inputSchema.safeParse(input);
    if (!given.success) return err(refusedInput(given.error));
    const result = await handlers[name](given.data, signal);
    if (!result.ok) return result;
    const output = outputSchema.safeParse(result.value);
    if (output.success) return ok(output.data);
    logger.error('A call was answered in another shape than the contract says', {
      call: name,
      findings: findingsOf(output.error),
    });
    return err(faultyCall);
  }

  return {
    async serve(request, signal) {
      let call: CallName | undefined;
      try {
        const envelope = requestSchema.safeParse(request);
        if (!envelope.success) return err(refusedInput(envelope.error));
        if (!isCallName(envelope.data.call)) return err(unknownCall);
        call = envelope.data.call;
        return await answer(call, envelope.data.input, signal);
      } catch (error) {
        if (error instanceof FailureError) return err(error.failure);
        if (signal.aborted) return err(brokenOff);
        logger.error('A call ended with an unexpected error', { call, error });
        return err(faultyCall);
      }
    },
  };
}

/** Own names only: `constructor` and its like are on every object. */
const isCallName = (name: string): name is CallName => Object.hasOwn(callSchemas, name);
