import type { AgentSignal } from '../../../shared/ipc/events.ts';
import type { Clock } from '../ports.ts';

/** Least time between two signals about the same subject, milliseconds: faster, and nobody can follow. */
const INTERVAL_MS = 250;
/** More incidents than this are "any of them": who watches reads its page again, not each one. */
const MOST_IDS = 50;

type Changed = Extract<AgentSignal, { kind: 'changed' }>;
/** What can change. */
export type Subject = Changed['subject'];

interface SubjectState {
  /** Monotonic time of the last signal, milliseconds. */
  readonly toldMs: number;
  /** What was not told yet: nothing, some incidents, or any. */
  readonly untold: ReadonlySet<string> | 'nothing' | 'any';
}

/** Collects changes into few signals. */
export interface ChangeSignals {
  /** Something about the subject changed: of these incidents, or of any. May be called inside a transaction. */
  changed(subject: Subject, incidentIds?: readonly string[]): void;
}

/**
 * Makes the collector: the first change is told as soon as its caller is done, later ones at most every 250 ms.
 * `versions` are counted on from what they are: they outlive those who listen.
 */
export function createChangeSignals(
  clock: Clock,
  versions: Map<Subject, number>,
  emit: (signal: AgentSignal) => void,
  stop: AbortSignal,
): ChangeSignals {
  const states = new Map<Subject, SubjectState>();

  async function tellLater(subject: Subject, delayMs: number): Promise<void> {
    if (delayMs > 0) await clock.sleep(delayMs, stop);
    if (!stop.aborted) tell(subject);
  }

  function tell(subject: Subject): void {
    const state = states.get(subject);
    if (state === undefined) return;
    const version = (versions.get(subject) ?? 0) + 1;
    versions.set(subject, version);
    states.set(subject, { toldMs: clock.monotonic(), untold: 'nothing' });
    const incidentIds = typeof state.untold === 'object' && { incidentIds: [...state.untold] };
    emit({ kind: 'changed', subject, version, ...incidentIds });
  }

  return {
    changed(subject, incidentIds) {
      const state = states.get(subject) ?? { toldMs: -INTERVAL_MS, untold: 'nothing' };
      states.set(subject, { ...state, untold: joined(state.untold, incidentIds) });
      if (state.untold !== 'nothing') return;
      // Also "at once" is after the transaction that this may be called in
      void Promise.resolve()
        .then(() => tellLater(subject, state.toldMs + INTERVAL_MS - clock.monotonic()))
        .catch(() => undefined);
    },
  };
}

function joined(
  untold: SubjectState['untold'],
  incidentIds: readonly string[] | undefined,
): SubjectState['untold'] {
  if (incidentIds === undefined || untold === 'any') return 'any';
  const all = new Set([...(untold === 'nothing' ? [] : untold), ...incidentIds]);
  return all.size > MOST_IDS ? 'any' : all;
}
