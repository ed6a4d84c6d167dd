import type { Progress } from './agent.ts';
import type { Running } from './running.ts';

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
export function countProgress(running: Running): Progress {
  const rows = running.tables.clips.totals();
  const of = (...states: readonly string[]) => rows.filter((row) => states.includes(row.state));
  const sum = (states: readonly string[], field: 'clips' | 'bytes') =>
    of(...states).reduce((total, row) => total + row[field], 0);
  return {
    incidents: running.tables.incidents.count(),
    clips: sum(['queued', 'uploaded', 'failed'], 'clips'),
    clipsUploaded: sum(['uploaded'], 'clips'),
    clipsFailed: sum(['failed'], 'clips'),
    clipsPaused: running.tables.desk.isPaused()
      ? sum(['queued'], 'clips')
      : rows.reduce((total, row) => total + row.held, 0),
    // What a person paused is not on its way: a bar that counted it would never be full
    bytesTotal: sum(['queued', 'uploaded'], 'bytes') - rows.reduce((total, row) => total + row.heldBytes, 0),
    bytesUploaded: sum(['uploaded'], 'bytes'),
    bytesInFlight: running.uploading.meter.inFlightBytes(),
    settling: running.watchers.reduce((total, watcher) => total + watcher.state().settling, 0),
    pausedBecause: running.uploading.circuits.pauses()[0]?.failure,
  };
}
