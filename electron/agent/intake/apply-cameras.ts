import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CameraSettings } from '../../../shared/domain/naming-settings.ts';
import { describeExport } from '../core/naming/describe-export.ts';
import type { ExportEvidence } from '../core/naming/described-export.ts';
import { recogniseExport } from '../core/naming/recognise-export.ts';
import type { SiteRules } from '../core/naming/recognisers.ts';
import { asEvidence, type FileSeen } from '../core/settle/file-seen.ts';
import { pushPlace, type WatchedRoot } from '../files/watched-root.ts';
import type { Clock } from '../ports.ts';
import type { IncidentQueue } from '../queue/incident-jobs.ts';
import type { ClipRow } from '../store/clip-rows.ts';
import type { IncidentRow } from '../store/incident-rows.ts';
import { parseFacts, parseFlags } from '../store/json-columns.ts';
import { clipDetails, renamedDetails } from '../store/stored-details.ts';
import type { Tables } from '../store/tables.ts';

interface Deps {
  readonly tables: Pick<Tables, 'clips' | 'incidents' | 'desk' | 'write'>;
  readonly queue: Pick<IncidentQueue, 'touch'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly roots: readonly WatchedRoot[];
  readonly site: SiteRules;
}

/** Digest of a list of cameras; the queue stores the one that it is up to date with. */
export const digestOf = (cameras: readonly CameraSettings[]): string =>
  createHash('sha256').update(JSON.stringify(cameras)).digest('hex');

/**
 * Updates clips that are still to be sent from the desk's list of cameras, once after each change of the list. After a
 * kill in between it starts over: clips that are done do not change again.
 */
export async function applyCameras(
  deps: Deps,
  cameras: readonly CameraSettings[],
  signal: AbortSignal,
): Promise<void> {
  const { tables } = deps;
  const digest = digestOf(cameras);
  if (tables.desk.camerasApplied() === digest) return;
  for (const incidentId of tables.clips.incidentsWaiting()) {
    if (signal.aborted) return;
    applyToIncident(deps, incidentId, 'waiting');
    // Gives uploads and windows a turn
    await nextTurn();
  }
  if (!signal.aborted) tables.desk.setCamerasApplied(digest);
}

/** Reads the cameras of an incident's clips again; what a sidecar says is kept. Returns how many clips changed. */
export function applyToIncident(deps: Deps, incidentId: string, which: 'waiting' | 'all'): number {
  const { tables, clock, queue } = deps;
  return tables.write(() => {
    const incident = tables.incidents.byId(incidentId);
    if (incident === undefined) return 0;
    const rows = new Map(tables.clips.ofIncident(incidentId).map((row) => [row.path, row]));
    const { clips } = describeExport(queuedEvidence(deps, incident, [...rows.values()]));
    let changed = 0;
    for (const clip of clips) {
      const row = rows.get(clip.path);
      if (row === undefined || (which === 'waiting' && row.state === 'uploaded')) continue;
      const details = renamedDetails(row, clipDetails(clip, row.facts));
      if (details === undefined) continue;
      tables.clips.describe(row.id, details, clock.now());
      changed += 1;
    }
    if (changed > 0) queue.touch(incidentId);
    return changed;
  });
}

/** The evidence of an incident from its rows in the queue: neither its folder nor its sidecars are read. */
export function queuedEvidence(
  { roots, site, clock }: Pick<Deps, 'roots' | 'site' | 'clock'>,
  { rootId, rootPath, exportPath, folder, birthMs }: IncidentRow,
  rows: readonly ClipRow[],
): ExportEvidence {
  const { settings, rules } = pushPlace(roots, join(rootPath, exportPath), site);
  const { unit } = settings;
  return {
    exportRef: {
      ...{ rootId, rootPath, exportPath, birthMs, mtimeMs: birthMs, unit },
      ...(folder !== exportPath && { folder }),
    },
    recognised: recogniseExport(rows.map(fileOf)),
    probes: new Map(rows.map(({ path, facts }) => [path, facts === null ? {} : parseFacts(facts)])),
    watch: rules.watch,
    settledAtMs: clock.now(),
  };
}

function fileOf({ path, sizeBytes, mtimeNs, inode, device, flags }: ClipRow): FileSeen {
  const file = { path, kind: 'file', sizeBytes, mtimeNs, inode, device, links: 1 } as const;
  return asEvidence<FileSeen>(file, parseFlags(flags).includes('needs-vendor-player'));
}
