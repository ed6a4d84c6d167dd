import { z } from 'zod';
import type { Failure } from '../domain/failure.ts';
import { err, ok, type Result } from '../lib/result.ts';
import type { CallInput, CallName, CallOutput } from './contract.ts';
import { replySchema, type CallRequest } from './envelope.ts';

/** Sends a request to the agent and returns whatever comes back; rejects when nothing does. */
export type Transport = (request: CallRequest) => Promise<unknown>;

/** Calls the agent by the contract. Never rejects: transport problems are failures too. */
export interface Caller {
  call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<Result<CallOutput<Name>, Failure>>;
}

/** Creates a caller over a transport. Errors besides those of the call itself: CALL_FAULT. */
export function createCaller(transport: Transport): Caller {
  return { call: (name, input) => askOver(transport, { call: name, input }) };
}

/**
 * Asks once over a transport. Never rejects. Only whether the answer is a reply is checked here; its value is trusted,
 * since the other side has checked it against the contract (electron/agent/calls/create-calls.ts).
 */
export async function askOver<Output>(
  transport: Transport,
  request: CallRequest,
): Promise<Result<Output, Failure>> {
  const reply = await transport(request).then(
    (answer) => replySchema.safeParse(answer),
    () => undefined,
  );
  if (reply?.success !== true) return err(noAnswer);
  return reply.data.ok ? ok(z.custom<Output>().parse(reply.data.value)) : err(reply.data.error);
}

/** The request, or only its reply, may have been lost. */
const noAnswer: Failure = {
  code: 'CALL_FAULT',
  message: 'The agent did not respond.',
  advice: 'Check that it is running. Before you repeat a change or a message, check whether it went through.',
  retryable: true,
  mayHaveHappened: true,
};
