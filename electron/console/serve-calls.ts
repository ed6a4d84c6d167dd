import type { ServerResponse } from 'node:http';
import type { CallReply } from '../../shared/ipc/envelope.ts';
import { readJsonBody, sendJson, type Exchange } from './exchange.ts';
import { MAX_CALLS_IN_FLIGHT } from './limits.ts';
import type { Refusal } from './refusal.ts';

/** Answers a request of the contract (shared/ipc): unknown in, checked by the agent; never rejects but for bugs. */
export type AgentCall = (request: unknown, signal: AbortSignal) => Promise<CallReply>;

/** `POST /call`: the contract of the windows over HTTP. A failure is a reply like any other, with status 200. */
export interface Calls {
  serve(exchange: Exchange): Promise<Refusal | undefined>;
  /** Aborts what is under way. */
  stop(): void;
}

export function createCalls(call: AgentCall): Calls {
  const stopping = new AbortController();
  let inFlight = 0;

  async function serve({ request, response }: Exchange): Promise<Refusal | undefined> {
    const body = await readJsonBody(request);
    if (!body.ok) return body.error;
    if (inFlight >= MAX_CALLS_IN_FLIGHT)
      return { status: 429, text: 'The agent is busy.', retryAfterSeconds: 1 };
    inFlight += 1;
    try {
      const signal = AbortSignal.any([stopping.signal, whenGone(response)]);
      const reply = await call(body.value, signal).catch((error: unknown) => {
        if (signal.aborted) return undefined;
        throw error;
      });
      if (reply !== undefined) sendJson(response, 200, reply);
      return undefined;
    } finally {
      inFlight -= 1;
    }
  }

  return { serve, stop: () => stopping.abort(new Error('The console was stopped')) };
}

/** Aborted when the client leaves before it has its answer. */
function whenGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const leave = (): void => {
    if (!response.writableFinished) gone.abort(new Error('The page has gone'));
  };
  if (response.destroyed) leave();
  else response.once('close', leave);
  return gone.signal;
}
