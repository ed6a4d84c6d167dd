import type { ServerResponse } from 'node:http';
import type { CallReply } from '../../shared/ipc/envelope.ts';
import { createNativeWords } from '../../shared/words/native-words.ts';
import { readJsonBody, sendJson, type Exchange } from './exchange.ts';
import { MAX_CALLS_IN_FLIGHT } from './limits.ts';
import { confirmationOf } from '../agent/index.ts';
import { notConfirmedYet, type Questions } from './questions.ts';
import type { Refusal } from './refusal.ts';
import type { Session } from './sessions.ts';

/** The header in which a page says which question of a call it waits for. */
const QUESTION_HEADER = 'x-console-question';

/** Answers a request of the contract (shared/ipc): unknown in, checked by the agent; never rejects but for bugs. */
export type AgentCall = (request: unknown, signal: AbortSignal) => Promise<CallReply>;

/**
 * `POST /call`: the contract of the windows over HTTP. A failure is a reply like any other, with status 200. What a
 * person has to confirm first is answered with 428 and the question, and carried out when the page has repeated the
 * call with it and the person has agreed (questions.ts).
 */
export interface CallRoute {
  serve(exchange: Exchange, session: Session): Promise<Refusal | undefined>;
  /** Aborts what is under way. */
  stop(): void;
}

export function createCallRoute(call: AgentCall, questions: Pick<Questions, 'consent'>): CallRoute {
  const stopping = new AbortController();
  const { say } = createNativeWords();
  let inFlight = 0;

  async function isConsented(
    { request, response }: Exchange,
    asked: { readonly session: Session; readonly request: unknown },
    signal: AbortSignal,
  ): Promise<boolean> {
    const id = request.headersDistinct[QUESTION_HEADER]?.[0];
    const confirm = () => confirmationOf(asked.request, { call }, say, signal);
    const consent = await questions.consent({ ...asked, id }, confirm, signal);
    if (consent.kind === 'given') return true;
    if (signal.aborted) return false;
    if (consent.kind === 'refused') sendJson(response, 200, { ok: false, error: consent.failure });
    else sendJson(response, 428, { ok: false, error: notConfirmedYet, question: consent });
    return false;
  }

  async function carryOut({ response }: Exchange, request: unknown, signal: AbortSignal) {
    if (inFlight >= MAX_CALLS_IN_FLIGHT) return busy;
    inFlight += 1;
    try {
      const reply = await call(request, signal).catch((error: unknown) => {
        if (signal.aborted) return undefined;
        throw error;
      });
      if (reply !== undefined) sendJson(response, 200, reply);
      return undefined;
    } finally {
      inFlight -= 1;
    }
  }

  async function serve(exchange: Exchange, session: Session): Promise<Refusal | undefined> {
    const body = await readJsonBody(exchange.request);
    if (!body.ok) return body.error;
    const signal = AbortSignal.any([stopping.signal, whenGone(exchange.response)]);
    const isFree = await isConsented(exchange, { session, request: body.value }, signal);
    return isFree ? carryOut(exchange, body.value, signal) : undefined;
  }

  return { serve, stop: () => stopping.abort(new Error('The console was stopped')) };
}

const busy: Refusal = { status: 429, text: 'The agent is busy.', retryAfterSeconds: 1 };

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
