import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { IncidentRow } from '../store/incident-rows.ts';
import type { Tables } from '../store/tables.ts';
import type { RootGates } from '../files/root-gate.ts';
import type { ExportSnapshot } from '../core/settle/export-snapshot.ts';

interface Parts {
  readonly tables: Tables;
  readonly gates: RootGates;
}

/**
 * The incident that this folder was under another name or in another root: born at the same moment, holding a file
 * of the same inode, size and time, and gone from where it was. A copy keeps none of that, so it is a new incident.
 */
export async function findRenamed(
  parts: Parts,
  snapshot: ExportSnapshot,
  signal: AbortSignal,
): Promise<IncidentRow | undefined> {
  const { birthMs } = snapshot.ref;
  if (birthMs === 0) return undefined;
  for (const incident of parts.tables.incidents.bornAt(birthMs)) {
    if (holdsSameFile(parts.tables, incident, snapshot) && (await isGone(parts, incident, signal)))
      return incident;
  }
  return undefined;
}

function holdsSameFile(tables: Tables, incident: IncidentRow, snapshot: ExportSnapshot): boolean {
  const seen = new Set(snapshot.settled.map((file) => `${file.inode} ${file.sizeBytes} ${file.mtimeNs}`));
  return tables.clips
    .ofIncident(incident.id)
    .some((clip) => seen.has(`${clip.inode} ${clip.sizeBytes} ${clip.mtimeNs}`));
}

/** Only a folder whose root is there can be gone. */
async function isGone({ gates }: Parts, incident: IncidentRow, signal: AbortSignal): Promise<boolean> {
  const gate = gates.of(incident.rootPath);
  const exists = (path: string): Promise<boolean> =>
    gate.run(
      () =>
        stat(path).then(
          () => true,
          () => false,
        ),
      signal,
    );
  return (await exists(incident.rootPath)) && !(await exists(join(incident.rootPath, incident.exportPath)));
}
