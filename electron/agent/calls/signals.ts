import type { AgentSignal } from '../../../shared/ipc/events.ts';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import type { AgentEvent, AgentEvents } from '../events.ts';
import type { Clock, Logger } from '../ports.ts';
import { createChangeSignals, type ChangeSignals, type Subject } from './change-signals.ts';
import { createNotices } from './notices.ts';
import { createProgressSignals, type ProgressSignals, type TransferSource } from './progress-signals.ts';

/** What windows hear of the agent. */
export interface AgentSignals {
  /** Calls `listener` with each signal; answers the function that ends it. */
  on(listener: (signal: AgentSignal) => void): () => void;
}

/** The side of the agent, which makes the signals. */
export interface SignalSource extends AgentSignals, ChangeSignals, ProgressSignals {
  /** Ends all timers; who still listens hears nothing more. */
  stop(): void;
}

interface Parts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly events: AgentEvents;
  readonly transfer: TransferSource;
}

/** What there is while someone listens, and only then. */
interface Audience extends ChangeSignals, ProgressSignals {
  close(): void;
}

/** Makes the signals. While nobody listens nothing is collected and no timer runs: who comes reads everything first. */
export function createSignals(parts: Parts): SignalSource {
  const listeners = new Set<{ readonly hear: (signal: AgentSignal) => void }>();
  const versions = new Map<Subject, number>();
  let audience: Audience | undefined;

  function emit(signal: AgentSignal): void {
    for (const { hear } of listeners) {
      try {
        hear(signal);
      } catch (error) {
        parts.logger.error('A listener of the signals failed', { error });
      }
    }
  }

  function leave(): void {
    audience?.close();
    audience = undefined;
  }

  return {
    on(listener) {
      const entry = { hear: listener };
      listeners.add(entry);
      audience ??= openAudience(parts, versions, emit);
      return () => {
        listeners.delete(entry);
        if (listeners.size === 0) leave();
      };
    },
    changed: (subject, incidentIds) => audience?.changed(subject, incidentIds),
    moved: () => audience?.moved(),
    stop() {
      listeners.clear();
      leave();
    },
  };
}

function openAudience(
  { clock, events, transfer }: Parts,
  versions: Map<Subject, number>,
  emit: (signal: AgentSignal) => void,
): Audience {
  const closing = new AbortController();
  const changes = createChangeSignals(clock, versions, emit, closing.signal);
  const progress = createProgressSignals(clock, transfer, emit, closing.signal);
  const notices = createNotices();
  const unsubscribe = events.on((event) => {
    for (const subject of subjectsOf(event)) changes.changed(subject, incidentsOf(event));
    const notice = notices.of(event);
    if (notice !== undefined) emit(notice);
  });
  return {
    ...changes,
    ...progress,
    close() {
      unsubscribe();
      closing.abort();
    },
  };
}

function subjectsOf({ event }: AgentEvent): readonly Subject[] {
  switch (event) {
    case 'incident.found':
    case 'clip.retrying':
      return ['uploads'];
    case 'incident.synced':
    case 'clip.uploaded':
    case 'clip.failed':
    // What a circuit lets through or holds back is shown as under way or waiting
    case 'circuit.paused':
    case 'circuit.resumed':
    case 'warning':
      return ['uploads', 'health'];
    case 'file.held':
    case 'root.offline':
    case 'root.online':
      return ['health'];
    default:
      return assertNever(event);
  }
}

const incidentsOf = (event: AgentEvent): readonly string[] | undefined =>
  'incidentId' in event ? [event.incidentId] : undefined;
