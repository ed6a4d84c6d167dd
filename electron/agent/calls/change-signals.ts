import type { AgentSignal } from '../../../shared/ipc/events.ts';
import type { Clock } from '../ports.ts';
import type { Tables } from '../store/tables.ts';

/** Least time between two signals about the same subject, milliseconds: faster, and nobody can follow. */
const INTERVAL_MS = 250;
/** More incidents than this are "any of them": who watches reads its page again, not each one. */
const MOST_IDS = 50;

type Changed = Extract<AgentSignal, { kind: 'changed' }>;
/** What can change. */
export type Subject = Changed['subject'];

interface SubjectState {
  /** Monotonic time of the last signal, milliseconds. */
  readonly reportedMs: number;
  /** What was not reported yet: nothing, some incidents, or any. */
  readonly unreported: ReadonlySet<string> | 'nothing' | 'any';
}

/** Collects changes into few signals. */
export interface ChangeSignals {
  /** Something about the subject changed: of these incidents, or of any. May be called inside a transaction. */
  changed(subject: Subject, incidentIds?: readonly string[]): void;
}

/**
 * Makes the collector: the first change is reported as soon as its caller is done, later ones at most every 250 ms.
 * `versions` are counted on from what they are: they outlive those who listen.
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
      // Also "at once" is after the transaction that this may be called in
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
 * The same tables; whoever watches the queue learns which incidents are written. Every fact about a clip that the
 * service learns touches its incident; what is under way is seen when it is claimed, a try that did not succeed when it
 * enters the history, and what another process wrote (`vms-export-agent retry`) when the runner looks whether there was
 * such a write.
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
        // A picture that cannot be made enters no history
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
