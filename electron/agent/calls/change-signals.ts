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

/** Tells that something of these incidents changed; undefined: of any. */
type OnQueueChange = (incidentIds?: readonly string[]) => void;

/**
 * The same tables; whoever watches the queue learns which incidents are written. Every fact about a clip that the
 * service learns touches its incident; what is under way is seen when it is claimed, a try that did not succeed when it
 * enters the history, and what another process wrote (`vms-export-agent retry`) when the runner looks whether there was
 * such a write.
 */
export function noteChanges(tables: Tables, onChange: OnQueueChange): Tables {
  const { clips, history, incidents, jobs, thumbnails } = tables;
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
    dataVersion() {
      const version = tables.dataVersion();
      if (version !== dataVersion) onChange();
      dataVersion = version;
      return version;
    },
  };
}
