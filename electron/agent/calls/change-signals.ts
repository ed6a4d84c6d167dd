import type { AgentSignal } from '../../../shared/ipc/events.ts';
import type { Clock } from '../ports.ts';
import type { Tables } from '../store/tables.ts';

/** Shortest interval between signals about the same subject, milliseconds: nobody could follow faster ones. */
const INTERVAL_MS = 250;
/**
 * With more incidents than this, the signal means "any of them": watchers re-read their page instead of each incident.
 */
const MOST_IDS = 50;

type Changed = Extract<AgentSignal, { kind: 'changed' }>;
/** A subject that can change. */
export type Subject = Changed['subject'];

interface SubjectState {
  /** Monotonic time of the last signal, milliseconds. */
  readonly reportedMs: number;
  /** Changes not reported yet: none, those of some incidents, or of any. */
  readonly unreported: ReadonlySet<string> | 'nothing' | 'any';
}

/** Combines many changes into few signals. */
export interface ChangeSignals {
  /** Something about the subject changed, for these incidents or for any. May be called inside a transaction. */
  changed(subject: Subject, incidentIds?: readonly string[]): void;
}

/**
 * Creates the collector: the first change is reported as soon as its caller returns, later ones at most every 250 ms.
 * `versions` continue from their current values: they outlive the listeners.
 */
export function createChangeSignals(
  clock: Clock,
  versions: Map<Subject, number>,
  emit: (signal: AgentSignal) => void,
  stop: AbortSignal,
): ChangeSignals {
  const states = new Map<Subject, SubjectState>();

  async function reportLater(subject: Subject, delayMs: number): Promise<void> {
    if (delayMs > 0) await clock.sleep(delayMs, stop);
    if (!stop.aborted) report(subject);
  }

  function report(subject: Subject): void {
    const state = states.get(subject);
    if (state === undefined) return;
    const version = (versions.get(subject) ?? 0) + 1;
    versions.set(subject, version);
    states.set(subject, { reportedMs: clock.monotonic(), unreported: 'nothing' });
    const incidentIds = typeof state.unreported === 'object' && { incidentIds: [...state.unreported] };
    emit({ kind: 'changed', subject, version, ...incidentIds });
  }

  return {
    changed(subject, incidentIds) {
      const state = states.get(subject) ?? { reportedMs: -INTERVAL_MS, unreported: 'nothing' };
      states.set(subject, { ...state, unreported: joined(state.unreported, incidentIds) });
      if (state.unreported !== 'nothing') return;
      // Even an immediate report comes after the transaction in which this may be called
      void Promise.resolve()
        .then(() => reportLater(subject, state.reportedMs + INTERVAL_MS - clock.monotonic()))
        .catch(() => undefined);
    },
  };
}

function joined(
  unreported: SubjectState['unreported'],
  incidentIds: readonly string[] | undefined,
): SubjectState['unreported'] {
  if (incidentIds === undefined || unreported === 'any') return 'any';
  const all = new Set([...(unreported === 'nothing' ? [] : unreported), ...incidentIds]);
  return all.size > MOST_IDS ? 'any' : all;
}

/** Reports that something of these incidents changed; undefined: of any. */
type OnQueueChange = (incidentIds?: readonly string[]) => void;

/**
 * Wraps the tables to report which incidents are written. Every fact about a clip that the service learns touches its
 * incident. Running work is reported when it is claimed, a failed attempt when it enters the history, and writes of
 * another process (`vms-export-agent retry`) when the runner checks for such writes.
 */
export function noteChanges(tables: Tables, onChange: OnQueueChange): Tables {
  const { clips, history, incidents, jobs, retention, thumbnails } = tables;
  const noted =
    <Rest extends readonly unknown[], T>(write: (id: string, ...rest: Rest) => T) =>
    (id: string, ...rest: Rest): T => {
      onChange([id]);
      return write(id, ...rest);
    };
  let dataVersion = tables.dataVersion();
  return {
    ...tables,
    incidents: {
      ...incidents,
      touch: noted(incidents.touch),
      describe: noted(incidents.describe),
      synced: noted(incidents.synced),
      fail: noted(incidents.fail),
      move: noted(incidents.move),
      setFolderGone: noted(incidents.setFolderGone),
    },
    history: {
      ...history,
      incident: noted(history.incident),
      clip(id, row) {
        const incidentId = row.facts.kind === 'tried' ? clips.byId(id)?.incidentId : undefined;
        if (incidentId !== undefined) onChange([incidentId]);
        return history.clip(id, row);
      },
    },
    thumbnails: {
      ...thumbnails,
      putMade(row) {
        const incidentId = clips.byId(row.clipId)?.incidentId;
        if (incidentId !== undefined) onChange([incidentId]);
        return thumbnails.putMade(row);
      },
    },
    jobs: {
      ...jobs,
      fail(...job) {
        // A thumbnail that cannot be made has no history entry
        onChange();
        return jobs.fail(...job);
      },
      claim(...order) {
        const rows = jobs.claim(...order);
        if (rows.length > 0) onChange(rows.map(({ incidentId }) => incidentId));
        return rows;
      },
    },
    retention: {
      ...retention,
      removeNext(...removal) {
        onChange();
        return retention.removeNext(...removal);
      },
    },
    dataVersion() {
      const version = tables.dataVersion();
      if (version !== dataVersion) onChange();
      dataVersion = version;
      return version;
    },
  };
}
