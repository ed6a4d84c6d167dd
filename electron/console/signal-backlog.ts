import type { AgentSignal } from '../../shared/ipc/events.ts';
import { assertNever } from '../../shared/lib/assert-never.ts';

type Changed = Extract<AgentSignal, { readonly kind: 'changed' }>;
type Progress = Extract<AgentSignal, { readonly kind: 'progress' }>;
type Notice = Extract<AgentSignal, { readonly kind: 'notice' }>;

/** Notices that are kept; what an older one said stays true in the lists. */
const MAX_NOTICES = 100;
/** Named incidents of a change that are kept; more than these are "any of them". */
const MAX_INCIDENTS = 200;

/** What a reader that is behind still has to be told, in bounded space however long it takes. */
export interface SignalBacklog {
  add(signal: AgentSignal): void;
  /** What is to be told now, and forgets it. */
  takeAll(): readonly AgentSignal[];
}

/** One change a subject, the newest notices, and only the last progress. */
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

/** One change that says what both said: a change that names no incidents may concern any. */
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
