/**
 * Intake: a settled export becomes an incident with clips and jobs, in one transaction. What the queue has of it
 * already is found first (service.md gap 12): files of a size that was sent are hashed, and the folder is then judged
 * and stored in one step, so that a kill at any point leaves either all of it or nothing. Equal bytes are never sent
 * twice; a folder that was moved stays its incident; a folder that is a copy is none.
 */
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import type { DeskId } from '../../../shared/domain/ids.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { describeExport } from '../core/naming/describe-export.ts';
import type {
  DescribedExport,
  ExportEvidence,
  IntakeRules,
  MediaFacts,
} from '../core/naming/described-export.ts';
import { fileKindOf } from '../core/naming/file-kinds.ts';
import type { ExportWarning } from '../core/naming/recognise-export.ts';
import { incidentIdOf } from '../core/records/derived-ids.ts';
import { judgeEqual, type ExportVerdict } from '../core/records/judge-equal.ts';
import type { ExportSnapshot } from '../core/settle/file-seen.ts';
import type { AgentEvents } from '../events.ts';
import type { MediaProbe } from '../files/containers/media-probe.ts';
import type { Logger } from '../ports.ts';
import type { IncidentRow } from '../store/incident-rows.ts';
import { parseFacts } from '../store/json-columns.ts';
import { createRootCheck, type RootTerms } from './check-root.ts';
import { lookUpEqual, readEqual, type EqualDeps, type Folder, type ReadFromDisk } from './find-equal.ts';
import { readEvidence } from './read-evidence.ts';
import type { StoreDeps } from './store-clip.ts';
import { storeExport, type StoreChange } from './store-export.ts';
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

export interface IntakeDeps extends StoreDeps, EqualDeps {
  /** The desk, or the site that several desks are (service.md gap 11). */
  readonly deskId: DeskId;
  readonly probe: MediaProbe;
  readonly events: AgentEvents;
  readonly logger: Logger;
  /** Jobs may have been added. */
  readonly wake: () => void;
}

/** An export as it was read. */
interface ReadExport {
  readonly snapshot: ExportSnapshot;
  readonly terms: RootTerms;
  readonly evidence: ExportEvidence;
  readonly described: DescribedExport;
}

/** What became of an export. */
interface Taken {
  /** Undefined: it holds nothing but copies. */
  readonly stored?: { readonly id: string; readonly change: StoreChange };
  /** Files that were sent with another incident, when this is news. */
  readonly copies?: { readonly count: number; readonly of: string };
}

/** Makes the intake. */
export function createIntake(deps: IntakeDeps): Intake {
  const { tables, events, logger } = deps;
  const rootCheck = createRootCheck(deps);
  const waiting = createWaitingExports(deps, takeOrReport);
  /** Warnings that were said already, so that each look at a folder does not repeat them. */
  const said = new Set<string>();

  function warn(folder: string, warnings: readonly (ExportWarning | Failure)[]): void {
    for (const { code, message } of warnings) {
      const key = `${folder}\n${code}\n${message}`;
      if (said.has(key)) continue;
      said.add(key);
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

  /** The incident this export already is. Without birth times a folder is the one of its name until it was seen gone. */
  function incidentOf({ ref }: ExportSnapshot): IncidentRow | undefined {
    const { rootId, exportPath, birthMs } = ref;
    if (birthMs > 0) return tables.incidents.byExport(rootId, exportPath, birthMs);
    const row = tables.incidents.inFolder(rootId, exportPath);
    return row?.folderGone === 0 ? row : undefined;
  }

  /** What stands for the birth time: where there is none, a name that another incident had was taken anew now. */
  function birthOf({ ref: { rootId, exportPath, birthMs } }: ExportSnapshot): number {
    if (birthMs > 0) return birthMs;
    const before =
      tables.incidents.inFolder(rootId, exportPath) ??
      tables.incidents.byId(incidentIdOf(deps.deskId, rootId, exportPath, birthMs));
    return before === undefined ? birthMs : deps.clock.now();
  }

  /** The id that a new incident gets. A sidecar's own id wins (service.md gap 11). */
  function chooseId(snapshot: ExportSnapshot, birthMs: number, stated: string | undefined): string {
    const { rootId, exportPath } = snapshot.ref;
    if (stated !== undefined) {
      const other = tables.incidents.byId(stated);
      if (other === undefined) return stated;
      const message = `incident.json names the id ${stated}, which another export has. This export gets an id of its own.`;
      warn(exportPath, [{ code: 'SIDECAR_SHAPE', message }]);
    }
    return incidentIdOf(deps.deskId, rootId, exportPath, birthMs);
  }

  function forget(snapshot: ExportSnapshot): void {
    const { rootId, exportPath } = snapshot.ref;
    const gone = incidentOf(snapshot);
    tables.write(() => {
      tables.sent.dropCopies(rootId, exportPath);
      if (gone !== undefined) tables.incidents.setFolderGone(gone.id, true);
    });
  }

  async function take(snapshot: ExportSnapshot, rules: IntakeRules, signal: AbortSignal): Promise<void> {
    waiting.drop(snapshot.ref);
    if (snapshot.removedExport === true) return forget(snapshot);
    if (!snapshot.settled.some((file) => fileKindOf(file.path).kind === 'clip')) return;
    const terms = await rootCheck.termsOf(snapshot.ref, signal);
    if (terms.kind === 'waiting') return waiting.keep(snapshot, rules, signal);
    const existing = incidentOf(snapshot);
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
    const taken = await judgeAndStore({ snapshot, terms, evidence, described }, signal);
    report(snapshot, described, taken, [
      ...problems,
      ...evidence.recognised.skipped,
      ...described.warnings,
    ]);
    // A later title or thumbnail is work too, though no clip changed
    deps.wake();
  }

  /** Decides and stores in one transaction; what it needs from disk is read before, and it is then begun again. */
  async function judgeAndStore(read: ReadExport, signal: AbortSignal): Promise<Taken> {
    const disk: ReadFromDisk = { sums: new Map(), standings: new Map(), changed: new Set() };
    for (;;) {
      const folder = folderOf(read, disk);
      const needed = tables.read(() => lookUpEqual(deps, folder, disk));
      if (needed.toSum.length + needed.toFind.length > 0) await readEqual(deps, folder, needed, disk, signal);
      const taken = tables.write(() => store(read, disk));
      if (taken !== undefined) return taken;
    }
  }

  function folderOf({ snapshot, terms, evidence, described }: ReadExport, disk: ReadFromDisk): Folder {
    const existing = incidentOf(snapshot);
    const clips = evidence.recognised.clips.filter(({ path }) => !disk.changed.has(path));
    const birthMs = birthOf(snapshot);
    const incidentId = existing?.id ?? chooseId(snapshot, birthMs, described.incident.id?.value);
    return { snapshot, clips, existing, incidentId, birthMs, terms };
  }

  /** Undefined: something must be read from disk first, because the queue changed meanwhile. */
  function store(read: ReadExport, disk: ReadFromDisk): Taken | undefined {
    const folder = folderOf(read, disk);
    const { facts, toSum, toFind } = lookUpEqual(deps, folder, disk);
    if (toSum.length + toFind.length > 0) return undefined;
    const verdict = judgeEqual(facts);
    if (verdict.kind === 'copy') {
      const isNews = keepCopies(folder, disk, () => true);
      return isNews ? { copies: { count: folder.clips.length, of: verdict.incidentId } } : {};
    }
    const copies = [...verdict.clips].filter(([, { kind }]) => kind === 'copy');
    const paths = new Set(copies.map(([path]) => path));
    const isNews = keepCopies(folder, disk, (path) => paths.has(path));
    const [, first] = copies[0] ?? [];
    const stored = storeVerdict(read, folder, verdict);
    return isNews && first ? { stored, copies: { count: copies.length, of: first.incidentId } } : { stored };
  }

  /** Keeps what these files are, so that they are not read again; true when a person has not heard of it. */
  function keepCopies({ snapshot, clips }: Folder, disk: ReadFromDisk, isCopy: (path: string) => boolean): boolean {
    const { rootId, exportPath } = snapshot.ref;
    const before = new Map(tables.sent.copies(rootId, exportPath).map((file) => [file.path, file.sha256]));
    const copies = clips.filter(({ path }) => isCopy(path));
    if (before.size > 0) tables.sent.dropCopies(rootId, exportPath);
    for (const file of copies) {
      const sha256 = disk.sums.get(file.path) ?? before.get(file.path) ?? '';
      tables.sent.putCopy(rootId, exportPath, { ...file, sha256 });
    }
    return snapshot.unsettledCount === 0 && copies.some(({ path }) => !before.has(path));
  }

  function storeVerdict(
    { snapshot, evidence, described }: ReadExport,
    { clips, incidentId, birthMs }: Folder,
    verdict: ExportVerdict & { kind: 'store' },
  ): { readonly id: string; readonly change: StoreChange } {
    const { ref } = snapshot;
    const moved = verdict.follow === undefined ? undefined : tables.incidents.byId(verdict.follow);
    if (moved !== undefined) {
      tables.incidents.move(moved.id, { ...ref, birthMs: ref.birthMs || moved.birthMs });
      const to = ref.exportPath;
      logger.info('An export folder was renamed or moved; it stays the incident that it was', {
        incident: moved.id,
        from: moved.exportPath,
        to,
      });
    }
    const id = moved?.id ?? incidentId;
    const known: ExportEvidence = {
      ...evidence,
      exportRef: { ...ref, birthMs },
      recognised: { ...evidence.recognised, clips: clipsIn(evidence, clips) },
    };
    return { id, change: storeExport(deps, id, known, described, verdict.clips) };
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

  function reportCopies(
    folder: string,
    { count, of }: NonNullable<Taken['copies']>,
    isWhole: boolean,
  ): void {
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
      if (error instanceof FailureError) {
        const { exportPath } = snapshot.ref;
        logger.warn('An export could not be taken now', { export: exportPath, failure: error.failure });
      }
      // Whoever handed it over must know: only then it is handed over again
      throw error;
    }
  }

  return { take: takeOrReport, settled: waiting.settled };
}

/** The clips that were judged; the others changed meanwhile. */
function clipsIn(
  { recognised }: ExportEvidence,
  judged: Folder['clips'],
): ExportEvidence['recognised']['clips'] {
  const paths = new Set(judged.map(({ path }) => path));
  return recognised.clips.filter(({ path }) => paths.has(path));
}
