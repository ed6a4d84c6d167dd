/**
 * Intake: a settled export becomes an incident with clips and jobs, in one transaction. What the queue has of it
 * already is found first (service.md gap 12): files of a size that was sent are hashed, and the folder is then judged
 * and stored in one step, so that a kill at any point leaves either all of it or nothing. Equal bytes are never sent
 * twice; a folder that was moved stays its incident; a folder that is a copy is none.
 */
import type { Failure } from '../../../shared/domain/failure.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { createReportOnce } from '../../../shared/lib/report-once.ts';
import { describeExport } from '../core/naming/describe-export.ts';
import type { DescribedExport, IntakeRules, MediaFacts } from '../core/naming/described-export.ts';
import { fileKindOf } from '../core/naming/file-kinds.ts';
import type { ExportWarning } from '../core/naming/recognise-export.ts';
import { isSameVersion, type ExportRef, type ExportSnapshot } from '../core/settle/file-seen.ts';
import type { AgentEvents } from '../events.ts';
import type { MediaProbe } from '../files/containers/media-probe.ts';
import type { Logger } from '../ports.ts';
import { parseFacts } from '../store/json-columns.ts';
import type { KeptExport } from '../store/kept-rows.ts';
import type { Tables } from '../store/tables.ts';
import { createRootCheck } from './check-root.ts';
import { readEvidence } from './read-evidence.ts';
import { incidentOf, judgeAndStore, type JudgeDeps, type Taken } from './store-judged.ts';
import { createWaitingExports } from './waiting-exports.ts';

/** Turns settled exports into incidents with clips, thumbnails and jobs. */
export interface Intake {
  /**
   * Takes what has settled of an export. Resolves once it is stored, or kept until a person has answered a question
   * about its root; safe to repeat. Rejects when it could not be read now, with a `FailureError` when its share hangs
   * or is away: it is to be handed over again.
   */
  take(snapshot: ExportSnapshot, rules: IntakeRules, signal: AbortSignal): Promise<void>;
  /** Resolves when nothing is taken in any more, once the signal of `take` is aborted. */
  settled(): Promise<void>;
}

export interface IntakeDeps extends JudgeDeps {
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
  const { tables, events } = deps;
  const rootCheck = createRootCheck(deps);
  const waiting = createWaitingExports(deps, takeOrReport);
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

  function forget({ ref }: ExportSnapshot): void {
    const { rootId, exportPath, birthMs } = ref;
    const gone = incidentOf(tables, ref);
    tables.write(() => {
      tables.sent.dropCopies(rootId, exportPath);
      if (gone !== undefined) tables.incidents.setFolderGone(gone.id, true);
      const kept = tables.kept.byExport(rootId, exportPath, birthMs);
      if (kept !== undefined) tables.kept.setGone(kept.number, deps.clock.now());
    });
  }

  async function take(snapshot: ExportSnapshot, rules: IntakeRules, signal: AbortSignal): Promise<void> {
    waiting.drop(snapshot.ref);
    if (snapshot.removedExport === true) return forget(snapshot);
    if (!snapshot.settled.some((file) => fileKindOf(file.path).kind === 'clip')) return;
    const terms = await rootCheck.termsOf(snapshot.ref, signal);
    if (terms.kind === 'waiting') return waiting.keep(snapshot, rules, signal);
    const existing = incidentOf(tables, snapshot.ref);
    const kept = existing === undefined ? keptOf(tables, snapshot.ref) : undefined;
    if (kept !== undefined && kept.goneAt !== null) tables.kept.setGone(kept.number, null);
    if (kept !== undefined && holdsNothingNew(tables, kept, snapshot)) return;
    const { evidence, problems } = await readEvidence({
      snapshot,
      rules,
      gate: deps.gates.of(snapshot.ref.rootPath),
      probe: deps.probe,
      knownFacts: existing === undefined ? new Map() : knownFacts(existing.id, snapshot),
      nowMs: deps.clock.now(),
      signal,
    });
    if (evidence.recognised.clips.length === 0) return;
    const described = describeExport(evidence);
    const read = { snapshot, terms, evidence, described };
    const taken = await judgeAndStore(deps, read, signal);
    report(snapshot, described, taken, [...problems, ...evidence.recognised.skipped, ...described.warnings]);
    // A later title or thumbnail is work too, though no clip changed
    deps.wake();
  }

  function report(
    { ref }: ExportSnapshot,
    { incident }: DescribedExport,
    taken: Taken,
    warnings: readonly (ExportWarning | Failure)[],
  ): void {
    if (taken.copies !== undefined) reportCopies(ref.exportPath, taken.copies, taken.stored === undefined);
    if (taken.stored === undefined) return;
    warn(ref.exportPath, warnings);
    if (taken.isIdTaken) warn(ref.exportPath, [idTaken(incident.id?.value ?? '')]);
    const { id, change } = taken.stored;
    if (!change.isNew) return;
    const { exportPath: folder } = ref;
    events.emit({
      event: 'incident.found',
      incidentId: id,
      title: incident.title.value,
      folder,
      clips: change.clips,
    });
  }

  function reportCopies(folder: string, { count, of }: NonNullable<Taken['copies']>, isWhole: boolean): void {
    const title = tables.incidents.byId(of)?.title;
    const incident = title === undefined ? 'an earlier incident' : `the incident "${visibleName(title)}"`;
    const what = isWhole
      ? `This folder is a copy of ${incident}.`
      : `${count === 1 ? '1 clip was' : `${count} clips were`} sent before with ${incident} and ${count === 1 ? 'is' : 'are'} listed there.`;
    const message = `${visibleName(folder)}: ${what} Nothing is sent twice.`;
    events.emit({ event: 'warning', code: 'EXPORT_COPY', message });
  }

  async function takeOrReport(
    snapshot: ExportSnapshot,
    rules: IntakeRules,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      await take(snapshot, rules, signal);
    } catch (error) {
      if (signal.aborted) return;
      // Whoever handed it over must know: only then it is handed over again
      throw error;
    }
  }

  return { take: takeOrReport, settled: waiting.settled };
}

const idTaken = (id: string): ExportWarning => ({
  code: 'SIDECAR_SHAPE',
  message: `incident.json names the id ${id}, which another export has. This export gets an id of its own.`,
});

/** What is kept of an export that left the database. Without birth times a name that was seen gone is another folder. */
function keptOf(
  { kept }: Pick<Tables, 'kept'>,
  { rootId, exportPath, birthMs }: ExportRef,
): KeptExport | undefined {
  const found = kept.byExport(rootId, exportPath, birthMs);
  return birthMs === 0 && found?.goneAt !== null ? undefined : found;
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
