import type { ServerResponse } from 'node:http';
import type { AgentSignal } from '../../shared/ipc/events.ts';
import { assertNever } from '../../shared/lib/result.ts';
import type { Clock } from '../agent/index.ts';
import { MAX_EVENT_STREAMS } from './exchange.ts';
import type { Refusal } from './guard.ts';
import { securityHeaders } from './page-files.ts';
import type { Session } from './sessions.ts';

/** Time between heartbeats, milliseconds: a page that hears nothing for longer knows that the agent is gone. */
const HEARTBEAT_MS = 15_000;

/** Source of the agent's signals; `on` returns the function that unsubscribes. */
export interface SignalSource {
  on(listener: (signal: AgentSignal) => void): () => void;
}

/**
 * `GET /events`: the agent's signals as server-sent events that a page reads with `fetch`. A stream
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
      // An open page counts as used: a wall display must not fall silent at night
      session.touch();
      response.write(': still here\n\n');
    }
  }

  function serve(response: ServerResponse, session: Session): Refusal | undefined {
    if (open.size >= MAX_EVENT_STREAMS)
      return { status: 429, text: 'Too many pages are open. Close one of them.', retryAfterSeconds: 5 };
    const closed = new AbortController();
    open.add(response);
    response.once('close', () => {
      open.delete(response);
      closed.abort();
    });
    session.ended.addEventListener('abort', () => void response.end(), { signal: closed.signal });
    response.writeHead(200, { ...securityHeaders, 'content-type': 'text/event-stream; charset=utf-8' });
    response.write(': connected\n\n');
    closed.signal.addEventListener('abort', signals.on(createWriter(response)));
    // The sleep rejects when the stream closes, which ends the heartbeat
    beat(response, session, closed.signal).catch(() => undefined);
    return undefined;
  }

  return { serve };
}

/**
 * Whether the reader is there and has read everything so far. Nothing is written to one that has not, so that its
 * socket falls silent and is closed.
 */
function isListening(response: ServerResponse): boolean {
  return !response.destroyed && !response.writableEnded && !response.writableNeedDrain;
}

/** Writes each signal to a reader; while the reader is behind, signals are kept and written together later. */
function createWriter(response: ServerResponse): (signal: AgentSignal) => void {
  const backlog = createSignalBacklog();
  const writeAll = (): void => {
    if (!isListening(response)) return;
    for (const signal of backlog.takeAll()) response.write(`data: ${JSON.stringify(signal)}\n\n`);
  };
  response.on('drain', writeAll);
  return (signal) => {
    backlog.add(signal);
    writeAll();
  };
}

type Changed = Extract<AgentSignal, { readonly kind: 'changed' }>;
type Progress = Extract<AgentSignal, { readonly kind: 'progress' }>;
type Notice = Extract<AgentSignal, { readonly kind: 'notice' }>;

/** Most notices that are kept; what older ones reported still shows in the lists. */
const MAX_NOTICES = 100;
/** Most incidents named in a change; with more, it may concern any of them. */
const MAX_INCIDENTS = 200;

/** Signals that a slow reader has not received yet, in bounded space however long it takes. */
interface SignalBacklog {
  add(signal: AgentSignal): void;
  /** Returns and forgets everything that was kept. */
  takeAll(): readonly AgentSignal[];
}

/** Keeps one change per subject, the newest notices, and only the last progress. */
export function createSignalBacklog(): SignalBacklog {
  const changes = new Map<Changed['subject'], Changed>();
  let notices: readonly Notice[] = [];
  let progress: Progress | undefined;

  return {
    add(signal) {
      switch (signal.kind) {
        case 'changed':
          changes.set(signal.subject, merge(changes.get(signal.subject), signal));
          return;
        case 'notice':
          notices = [...notices, signal].slice(-MAX_NOTICES);
          return;
        case 'progress':
          progress = signal;
          return;
        default:
          assertNever(signal);
      }
    },
    takeAll() {
      const all = [...changes.values(), ...notices, ...(progress === undefined ? [] : [progress])];
      changes.clear();
      notices = [];
      progress = undefined;
      return all;
    },
  };
}

/** Merges two changes; one that names no incidents may concern any. */
function merge(earlier: Changed | undefined, later: Changed): Changed {
  const incidentIds = unite(earlier ?? later, later);
  const { kind, subject } = later;
  const version = Math.max(earlier?.version ?? 0, later.version);
  return { kind, subject, version, ...(incidentIds !== undefined && { incidentIds }) };
}

function unite(earlier: Changed, later: Changed): readonly string[] | undefined {
  if (earlier.incidentIds === undefined || later.incidentIds === undefined) return undefined;
  const ids = [...new Set([...earlier.incidentIds, ...later.incidentIds])];
  return ids.length > MAX_INCIDENTS ? undefined : ids;
}
