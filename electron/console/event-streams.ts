import type { ServerResponse } from 'node:http';
import type { AgentSignal } from '../../shared/ipc/events.ts';
import type { Clock } from '../agent/index.ts';
import { securityHeaders } from '../pages/security-headers.ts';
import { MAX_EVENT_STREAMS } from './limits.ts';
import type { Refusal } from './refusal.ts';
import type { Session } from './sessions.ts';
import { createSignalBacklog } from './signal-backlog.ts';

/** A line at least so often: a page that hears nothing for longer knows that the agent is gone, milliseconds. */
const HEARTBEAT_MS = 15_000;

/** Where the agent's signals come from; `on` answers the function that unsubscribes. */
export interface SignalSource {
  on(listener: (signal: AgentSignal) => void): () => void;
}

/**
 * `GET /events`: what the agent tells those who watch, as server-sent events that a page reads with `fetch`. A stream
 * ends with its session.
 */
export interface EventStreams {
  serve(response: ServerResponse, session: Session): Refusal | undefined;
}

export function createEventStreams(signals: SignalSource, clock: Pick<Clock, 'sleep'>): EventStreams {
  const open = new Set<ServerResponse>();

  async function beat(response: ServerResponse, session: Session, signal: AbortSignal): Promise<void> {
    for (;;) {
      await clock.sleep(HEARTBEAT_MS, signal);
      if (!isListening(response)) continue;
      // A page that is open is one that is used: a wall display must not fall silent at night
      session.touch();
      response.write(': still here\n\n');
    }
  }

  function serve(response: ServerResponse, session: Session): Refusal | undefined {
    if (open.size >= MAX_EVENT_STREAMS)
      return { status: 429, text: 'Too many pages are open.', retryAfterSeconds: 5 };
    const closed = new AbortController();
    open.add(response);
    response.once('close', () => {
      open.delete(response);
      closed.abort();
    });
    session.ended.addEventListener('abort', () => void response.end(), { signal: closed.signal });
    response.writeHead(200, { ...securityHeaders, 'content-type': 'text/event-stream; charset=utf-8' });
    response.write(': connected\n\n');
    closed.signal.addEventListener('abort', signals.on(createTeller(response)));
    // Its sleep rejects when the stream closes, and that is its end
    beat(response, session, closed.signal).catch(() => undefined);
    return undefined;
  }

  return { serve };
}

/**
 * Whether a reader is there and has read what it was told. Nothing is written to one that has not, so its socket
 * falls silent and is closed.
 */
function isListening(response: ServerResponse): boolean {
  return !response.destroyed && !response.writableEnded && !response.writableNeedDrain;
}

/** Tells a reader each signal, or, while it has not read what it was told, later what they come to. */
function createTeller(response: ServerResponse): (signal: AgentSignal) => void {
  const backlog = createSignalBacklog();
  const tellAll = (): void => {
    if (!isListening(response)) return;
    for (const signal of backlog.takeAll()) response.write(`data: ${JSON.stringify(signal)}\n\n`);
  };
  response.on('drain', tellAll);
  return (signal) => {
    backlog.add(signal);
    tellAll();
  };
}
