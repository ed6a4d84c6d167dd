import type { Tables } from '../store/tables.ts';

/** Tells that something of these incidents changed; undefined: of any. */
export type OnQueueChange = (incidentIds?: readonly string[]) => void;

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
