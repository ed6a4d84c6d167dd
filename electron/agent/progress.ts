import type { Failure } from '../../shared/domain/failure.ts';
import type { Progress } from './agent.ts';
import type { Tables } from './store/tables.ts';
import type { TransferMeter } from './upload/transfer-meter.ts';
import type { Watcher } from './watch/watcher.ts';

interface Deps {
  readonly tables: Pick<Tables, 'clips' | 'desk' | 'incidents'>;
  /** Why the queue waits, the most important first. */
  readonly pauses: () => readonly { readonly failure: Failure }[];
  readonly meter: Pick<TransferMeter, 'inFlightBytes'>;
  readonly watchers: readonly Watcher[];
}

/** Where an agent stands that was not started. */
export const noProgress: Progress = {
  incidents: 0,
  clips: 0,
  clipsUploaded: 0,
  clipsFailed: 0,
  clipsPaused: 0,
  bytesTotal: 0,
  bytesUploaded: 0,
  bytesInFlight: 0,
  settling: 0,
  pausedBecause: undefined,
};

/** Counts where the agent stands. */
export function countProgress({ tables, pauses, meter, watchers }: Deps): Progress {
  const rows = tables.clips.totals();
  const of = (...states: readonly string[]) => rows.filter((row) => states.includes(row.state));
  const sum = (states: readonly string[], field: 'clips' | 'bytes') =>
    of(...states).reduce((total, row) => total + row[field], 0);
  return {
    incidents: tables.incidents.count(),
    clips: sum(['queued', 'uploaded', 'failed'], 'clips'),
    clipsUploaded: sum(['uploaded'], 'clips'),
    clipsFailed: sum(['failed'], 'clips'),
    clipsPaused: tables.desk.isPaused()
      ? sum(['queued'], 'clips')
      : rows.reduce((total, row) => total + row.held, 0),
    // What a person paused is not on its way: a bar that counted it would never be full
    bytesTotal: sum(['queued', 'uploaded'], 'bytes') - rows.reduce((total, row) => total + row.heldBytes, 0),
    bytesUploaded: sum(['uploaded'], 'bytes'),
    bytesInFlight: meter.inFlightBytes(),
    settling: watchers.reduce((total, watcher) => total + watcher.state().settling, 0),
    pausedBecause: pauses()[0]?.failure,
  };
}
