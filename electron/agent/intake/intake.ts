import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import type { DeskId } from '../../../shared/domain/ids.ts';
import { describeExport } from '../core/naming/describe-export.ts';
import { fileKindOf } from '../core/naming/file-kinds.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { createReportOnce } from '../../../shared/lib/report-once.ts';
import type { MediaFacts, IntakeRules } from '../core/naming/described-export.ts';
import { parseFacts } from '../store/json-columns.ts';
import type { IncidentRow } from '../store/incident-rows.ts';
import type { ExportWarning } from '../core/naming/recognise-export.ts';
import type { AgentEvents } from '../events.ts';
import type { MediaProbe } from '../files/containers/media-probe.ts';
import type { Logger } from '../ports.ts';
import type { RootGates } from '../files/root-gate.ts';
import { isSameVersion, type ExportSnapshot } from '../core/settle/file-seen.ts';
import { incidentIdOf } from '../core/records/derived-ids.ts';
import { readEvidence } from './read-evidence.ts';
import { storeExport, type StoreDeps } from './store-export.ts';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeptExport } from '../store/kept-rows.ts';
import type { Tables } from '../store/tables.ts';

/** Turns settled exports into incidents with clips, thumbnails and jobs. */
export interface Intake {
  /**
   * Takes what has settled of an export. Resolves once it is stored; safe to repeat. Rejects when it could not be
   * read now, with a `FailureError` when its share hangs or is away: it is to be handed over again.
   */
  take(snapshot: ExportSnapshot, rules: IntakeRules, signal: AbortSignal): Promise<void>;
}

export interface IntakeDeps extends StoreDeps {
  readonly deskId: DeskId;
  readonly gates: RootGates;
  readonly probe: MediaProbe;
  readonly events: AgentEvents;
  readonly logger: Logger;
  /** Jobs may have been added. */
  readonly wake: () => void;
}

/** Warnings that are remembered; one that was forgotten may be said again. */
const MOST_REPORTED = 10_000;

/** Makes the intake. */
export function createIntake(deps: IntakeDeps): Intake {
  const { tables, events, logger } = deps;
  /** So that each look at a folder does not repeat its warnings. */
  const reported = createReportOnce(MOST_REPORTED);

  function warn(folder: string, warnings: readonly (ExportWarning | Failure)[]): void {
    for (const { code, message } of warnings) {
      if (!reported.isNews(`${folder}\n${code}\n${message}`, '')) continue;
      events.emit({ event: 'warning', code, message: `${visibleName(folder)}: ${message}` });
    }
  }

  function knownFacts(incidentId: string, snapshot: ExportSnapshot): ReadonlyMap<string, MediaFacts> {
    const versions = new Map(snapshot.settled.map((file) => [file.path, file]));
    const rows = tables.clips.ofIncident(incidentId).filter((row) => {
      const file = versions.get(row.path);
      return file !== undefined && file.sizeBytes === row.sizeBytes && file.mtimeNs === row.mtimeNs;
    });
    return new Map(rows.map((row) => [row.path, row.facts === null ? {} : parseFacts(row.facts)]));
  }

  /** The incident this export already is, or the id that it gets. A sidecar's own id wins (service.md gap 11). */
  function chooseId(snapshot: ExportSnapshot, stated: string | undefined): string {
    const { rootId, exportPath, birthMs } = snapshot.ref;
    const existing = tables.incidents.byExport(rootId, exportPath, birthMs);
    if (existing !== undefined) return existing.id;
    const kept = tables.kept.byExport(rootId, exportPath, birthMs);
    if (kept !== undefined) return kept.incidentId;
    if (stated !== undefined) {
      const other = tables.incidents.byId(stated) ?? tables.kept.byIncident(stated);
      if (other === undefined) return stated;
      const message = `incident.json names the id ${stated}, which another export has. This export gets an id of its own.`;
      warn(exportPath, [{ code: 'SIDECAR_SHAPE', message }]);
    }
    return incidentIdOf(deps.deskId, rootId, exportPath, birthMs);
  }

  /** A folder that was renamed is the incident that it was. */
  async function followRename(
    snapshot: ExportSnapshot,
    signal: AbortSignal,
  ): Promise<IncidentRow | undefined> {
    const renamed = await findRenamed(deps, snapshot, signal);
    if (renamed === undefined) return undefined;
    tables.write(() => tables.incidents.move(renamed.id, snapshot.ref));
    logger.info('An export folder was renamed; it stays the incident that it was', {
      incident: renamed.id,
      from: renamed.exportPath,
      to: snapshot.ref.exportPath,
    });
    return renamed;
  }

  async function take(snapshot: ExportSnapshot, rules: IntakeRules, signal: AbortSignal): Promise<void> {
    const { rootId, rootPath, exportPath, birthMs } = snapshot.ref;
    if (snapshot.removedExport === true) {
      const gone = tables.incidents.byExport(rootId, exportPath, birthMs);
      if (gone !== undefined) tables.write(() => tables.incidents.setFolderGone(gone.id, true));
      const kept = tables.kept.byExport(rootId, exportPath, birthMs);
      if (kept !== undefined) tables.kept.setGone(kept.number, deps.clock.now());
      return;
    }
    if (!snapshot.settled.some((file) => fileKindOf(file.path).kind === 'clip')) return;
    const existing =
      tables.incidents.byExport(rootId, exportPath, birthMs) ?? (await followRename(snapshot, signal));
    const kept = tables.kept.byExport(rootId, exportPath, birthMs);
    if (kept !== undefined && kept.goneAt !== null) tables.kept.setGone(kept.number, null);
    if (existing === undefined && kept !== undefined && holdsNothingNew(tables, kept, snapshot)) return;
    const { evidence, problems } = await readEvidence({
      snapshot,
      rules,
      gate: deps.gates.of(rootPath),
      probe: deps.probe,
      knownFacts: existing === undefined ? new Map() : knownFacts(existing.id, snapshot),
      nowMs: deps.clock.now(),
      signal,
    });
    if (evidence.recognised.clips.length === 0) return;
    const described = describeExport(evidence);
    const id = chooseId(snapshot, described.incident.id?.value);
    const change = tables.write(() => storeExport(deps, id, evidence, described));
    warn(exportPath, [...problems, ...evidence.recognised.skipped, ...described.warnings]);
    if (change.isNew) {
      const title = described.incident.title.value;
      events.emit({
        event: 'incident.found',
        incidentId: id,
        title,
        folder: exportPath,
        clips: change.clips,
      });
    }
    // A later title or thumbnail is work too, though no clip changed
    deps.wake();
  }

  return {
    async take(snapshot, rules, signal) {
      try {
        await take(snapshot, rules, signal);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof FailureError) {
          const { exportPath } = snapshot.ref;
          logger.warn('An export could not be taken now', { export: exportPath, failure: error.failure });
        }
        // Whoever handed it over must know: only then it is handed over again
        throw error;
      }
    },
  };
}

/**
 * The incident that this folder was under another name or in another root: born at the same moment, holding a file
 * of the same inode, size and time, and gone from where it was. A copy keeps none of that, so it is a new incident.
 */
async function findRenamed(
  { tables, gates }: Pick<IntakeDeps, 'tables' | 'gates'>,
  snapshot: ExportSnapshot,
  signal: AbortSignal,
): Promise<IncidentRow | undefined> {
  const { birthMs } = snapshot.ref;
  if (birthMs === 0) return undefined;
  for (const incident of tables.incidents.bornAt(birthMs)) {
    if (holdsSameFile(tables, incident, snapshot) && (await isGone(gates, incident, signal))) return incident;
  }
  return undefined;
}

/** Whether all clips of an export that left the database are as they were dealt with. */
function holdsNothingNew(tables: Tables, { incidentId }: KeptExport, { settled }: ExportSnapshot): boolean {
  const clips = new Map(tables.kept.clipsOf(incidentId).map((clip) => [clip.path, clip]));
  return settled
    .filter(({ path }) => fileKindOf(path).kind === 'clip')
    .every((file) => {
      const clip = clips.get(file.path);
      return clip !== undefined && isSameVersion(clip, file);
    });
}

function holdsSameFile(tables: Tables, incident: IncidentRow, snapshot: ExportSnapshot): boolean {
  const seen = new Set(snapshot.settled.map((file) => `${file.inode} ${file.sizeBytes} ${file.mtimeNs}`));
  return tables.clips
    .ofIncident(incident.id)
    .some((clip) => seen.has(`${clip.inode} ${clip.sizeBytes} ${clip.mtimeNs}`));
}

/** Only a folder whose root is there can be gone. */
async function isGone(gates: RootGates, incident: IncidentRow, signal: AbortSignal): Promise<boolean> {
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
