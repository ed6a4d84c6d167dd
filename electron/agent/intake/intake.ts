import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import type { DeskId } from '../../../shared/domain/ids.ts';
import { describeExport } from '../core/naming/describe-export.ts';
import { isClipFile } from '../core/naming/recognise-export.ts';
import { createReportOnce } from '../../../shared/lib/report-once.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { MediaFacts, IntakeRules } from '../core/naming/described-export.ts';
import { parseFacts } from '../store/json-columns.ts';
import type { SeenExports } from '../queue/seen-exports.ts';
import { planBatches } from './plan-batches.ts';
import type { IncidentRow } from '../store/incident-rows.ts';
import type { ExportWarning } from '../core/naming/recognise-export.ts';
import type { AgentEvents } from '../events.ts';
import type { MediaProbe } from '../files/containers/media-probe.ts';
import type { Logger } from '../ports.ts';
import type { RootGates } from '../files/root-gate.ts';
import type { ExportSnapshot } from '../core/settle/file-seen.ts';
import { incidentIdOf } from '../core/records/derived-ids.ts';
import { readEvidence } from './read-evidence.ts';
import { storeExport, type StoreDeps } from './store-export.ts';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tables } from '../store/tables.ts';

/** Turns settled exports into incidents with clips, thumbnails and jobs. */
export interface Intake {
  /**
   * Takes what has settled of an export. Resolves once it is stored; safe to repeat. `more`: it is a large one, and a
   * part of it is stored; it is to be handed over again. Rejects when it could not be read now, with a `FailureError`
   * when its share hangs or is away: it is to be handed over again later.
   */
  take(snapshot: ExportSnapshot, rules: IntakeRules, signal: AbortSignal): Promise<'more' | undefined>;
}

/** How long one call takes in batches, milliseconds; then the other exports of the root have their turn. */
const BATCHES_MS = 10_000;
/** Warnings that are remembered as said. */
const MOST_SAID = 10_000;

export interface IntakeDeps extends StoreDeps {
  readonly deskId: DeskId;
  readonly gates: RootGates;
  readonly probe: MediaProbe;
  readonly events: AgentEvents;
  readonly logger: Logger;
  /** Hears how many clips of a large export are read. */
  readonly seen?: Pick<SeenExports, 'reads'>;
  /** Jobs may have been added. */
  readonly wake: () => void;
}

/** Makes the intake. */
export function createIntake(deps: IntakeDeps): Intake {
  const { tables, events, logger } = deps;
  /** Warnings that were said already, so that each look at a folder does not repeat them. */
  const said = createReportOnce(MOST_SAID);

  function warn(folder: string, warnings: readonly (ExportWarning | Failure)[]): void {
    for (const { code, message } of warnings) {
      if (!said.isNews(`${folder}\n${code}\n${message}`, '')) continue;
      events.emit({ event: 'warning', code, message: `${visibleName(folder)}: ${message}` });
    }
  }

  /** The incident this export already is, or the id that it gets. A sidecar's own id wins (service.md gap 11). */
  function chooseId(snapshot: ExportSnapshot, stated: string | undefined): string {
    const { rootId, exportPath, birthMs } = snapshot.ref;
    const existing = tables.incidents.byExport(rootId, exportPath, birthMs);
    if (existing !== undefined) return existing.id;
    if (stated !== undefined) {
      const other = tables.incidents.byId(stated);
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

  async function take(
    snapshot: ExportSnapshot,
    rules: IntakeRules,
    signal: AbortSignal,
  ): Promise<'more' | undefined> {
    const { rootId, exportPath, birthMs } = snapshot.ref;
    if (snapshot.removedExport === true) {
      const gone = tables.incidents.byExport(rootId, exportPath, birthMs);
      if (gone !== undefined) tables.write(() => tables.incidents.setFolderGone(gone.id, true));
      return undefined;
    }
    if (!snapshot.settled.some(isClipFile)) return undefined;
    const existing =
      tables.incidents.byExport(rootId, exportPath, birthMs) ?? (await followRename(snapshot, signal));
    const known = new Set(existing && tables.clips.versionsOf(existing.id).map(versionKey));
    const untilMs = deps.clock.monotonic() + BATCHES_MS;
    const batches = planBatches(snapshot, (file) => known.has(versionKey(file)));
    for (const [index, batch] of batches.parts.entries()) {
      if (index > 0 && deps.clock.monotonic() >= untilMs) return 'more';
      await store(batch.snapshot, rules, { partOf: batches.total }, signal);
      deps.seen?.reads(snapshot.ref, { done: batch.done, total: batches.total });
    }
    // What was stored batch by batch is described once more as a whole, from what was read
    if (batches.parts.length > 0) return 'more';
    await store(snapshot, rules, { facts: knownFacts(tables, existing?.id, snapshot) }, signal);
    return undefined;
  }

  /** Reads, describes and stores what a snapshot holds: all of an export, or a batch of its `partOf` clips. */
  async function store(
    snapshot: ExportSnapshot,
    rules: IntakeRules,
    { facts = new Map(), partOf }: { facts?: ReadonlyMap<string, MediaFacts>; partOf?: number },
    signal: AbortSignal,
  ): Promise<void> {
    const { rootPath, exportPath } = snapshot.ref;
    const isPart = partOf !== undefined;
    const { evidence, problems } = await readEvidence({
      snapshot,
      rules,
      gate: deps.gates.of(rootPath),
      probe: deps.probe,
      knownFacts: facts,
      nowMs: deps.clock.now(),
      signal,
    });
    if (evidence.recognised.clips.length === 0) return;
    const described = describeExport(evidence);
    const id = chooseId(snapshot, described.incident.id?.value);
    const change = tables.write(() => storeExport(deps, id, evidence, described, isPart));
    // What a batch says of the whole is not known yet
    warn(
      exportPath,
      isPart ? problems : [...problems, ...evidence.recognised.skipped, ...described.warnings],
    );
    if (change.isNew) {
      const title = described.incident.title.value;
      events.emit({
        event: 'incident.found',
        incidentId: id,
        title,
        folder: exportPath,
        clips: partOf ?? change.clips,
      });
    }
    // A later title or thumbnail is work too, though no clip changed
    deps.wake();
  }

  return {
    async take(snapshot, rules, signal) {
      try {
        return await take(snapshot, rules, signal);
      } catch (error) {
        if (signal.aborted) return undefined;
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

const versionKey = ({
  path,
  sizeBytes,
  mtimeNs,
}: {
  path: string;
  sizeBytes: number;
  mtimeNs: string;
}): string => `${sizeBytes} ${mtimeNs} ${path}`;

/** What is known already of settled files that are in the queue as they are now, by path. */
function knownFacts(
  tables: Tables,
  incidentId: string | undefined,
  snapshot: ExportSnapshot,
): ReadonlyMap<string, MediaFacts> {
  if (incidentId === undefined) return new Map();
  const versions = new Map(snapshot.settled.map((file) => [file.path, file]));
  const rows = tables.clips.ofIncident(incidentId).filter((row) => {
    const file = versions.get(row.path);
    return file !== undefined && file.sizeBytes === row.sizeBytes && file.mtimeNs === row.mtimeNs;
  });
  return new Map(rows.map((row) => [row.path, row.facts === null ? {} : parseFacts(row.facts)]));
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
