/**
 * Intake: a settled export becomes an incident with clips and jobs, in one transaction, so that a kill leaves all of it
 * or nothing. Equal bytes are never sent twice (service.md gap 12): files of a size that was sent are hashed first. A
 * folder that was moved stays its incident; a folder that is a copy is none.
 */
import type { Failure } from '../../../shared/domain/failure.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { createReportOnce } from '../../../shared/lib/report-once.ts';
import type { SeenFacts } from '../../../shared/domain/seen-export.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';
import { describeExport } from '../core/naming/describe-export.ts';
import type { DescribedExport, IntakeRules } from '../core/naming/described-export.ts';
import type { MediaFacts } from '../core/naming/file-content.ts';
import { isClipFile, type ExportWarning } from '../core/naming/recognise-export.ts';
import {
  isSameVersion,
  type ExportRef,
  type ExportSnapshot,
  type FileSeen,
} from '../core/settle/file-seen.ts';
import type { AgentEvents } from '../events.ts';
import type { FileSums } from '../files/file-sum.ts';
import type { MediaProbe } from '../files/containers/media-probe.ts';
import type { Logger } from '../ports.ts';
import type { SeenExports } from '../queue/seen-exports.ts';
import { parseFacts } from '../store/json-columns.ts';
import { incidentOf } from '../store/incident-rows.ts';
import type { KeptExport } from '../store/retention-rows.ts';
import type { Tables } from '../store/tables.ts';
import { createListedTake } from './check-lists.ts';
import { createRootCheck } from './check-root.ts';
import { findWaiting } from './find-waiting.ts';
import { asQueued, planBatches, createWaitingExports } from './waiting-exports.ts';
import { startReadingKnown } from './read-known.ts';
import { readEvidence } from './read-evidence.ts';
import { forgetExport, judgeAndStore, type JudgeDeps, type ReadExport, type Taken } from './store-judged.ts';

/** Turns settled exports into incidents with clips, thumbnails and jobs. */
export interface Intake {
  /**
   * Takes what has settled of an export. Resolves once it is stored, or kept until a person has answered a question
   * about its root; safe to repeat. `more`: it is a large one, and a part of it is stored; it is to be handed over
   * again. Rejects when it could not be read now, with a `FailureError` when its share hangs or is away: it is to be
   * handed over again later.
   */
  take(snapshot: ExportSnapshot, rules: IntakeRules, signal: AbortSignal): Promise<'more' | undefined>;
  /** Whether an export that was kept is about to be taken: what it waited for has ended. */
  hasDue(): boolean;
  /** Begins to read what only the service knows to be sent. */
  start(): void;
  /** Resolves when nothing is taken in any more, once the signal of `take` is aborted. */
  settled(): Promise<void>;
}

export interface IntakeDeps extends JudgeDeps {
  readonly probe: MediaProbe;
  readonly events: AgentEvents;
  readonly logger: Logger;
  /** Hears how many clips of a large export are read, and of each one whether it is a copy. */
  readonly seen?: Pick<SeenExports, 'reads' | 'judged' | 'needs'>;
  readonly listSums: FileSums;
  /** Jobs may have been added. */
  readonly wake: () => void;
}

/** How long one call takes in batches, milliseconds; then the other exports of the root have their turn. */
const BATCHES_MS = 10_000;
/** Warnings that are remembered. */
const MOST_REPORTED = 10_000;

/** Makes the intake. */
export function createIntake(deps: IntakeDeps): Intake {
  const { tables, events } = deps;
  const rootCheck = createRootCheck(deps);
  const waiting = createWaitingExports(deps, takeUnlessStopped);
  const takeListed = createListedTake({ ...deps, warn }, take);
  const reported = createReportOnce(MOST_REPORTED);

  function warn(folder: string, warnings: readonly (ExportWarning | Failure)[]): void {
    for (const { code, message } of warnings) {
      if (!reported.isNews(`${folder}\n${code}\n${message}`, '')) continue;
      events.emit({ event: 'warning', code, message: `${visibleName(folder)}: ${message}` });
    }
  }

  async function take(
    snapshot: ExportSnapshot,
    rules: IntakeRules,
    signal: AbortSignal,
  ): Promise<'more' | undefined> {
    const { ref, settled } = snapshot;
    waiting.drop(ref);
    if (snapshot.removedExport === true) return void forgetExport(deps, ref);
    if (!settled.some(isClipFile)) return undefined;
    const terms = await rootCheck.termsOf(ref, signal);
    if (terms.kind === 'waiting') return void waiting.keep(snapshot, rules, signal);
    const existing = incidentOf(tables, ref);
    const kept = existing === undefined ? keptOf(tables, ref) : undefined;
    if (kept !== undefined && kept.goneAt !== null) tables.kept.setGone(kept.number, null);
    if (kept !== undefined && holdsNothingNew(tables, kept, snapshot)) return undefined;
    const known = new Set(existing && tables.clips.versionsOf(existing.id).map(versionKey));
    // What may have been sent before is judged with the whole export
    const batches = planBatches(
      snapshot,
      (file) => known.has(versionKey(file)) || tables.sent.hasSize(file.sizeBytes),
    );
    const untilMs = deps.clock.monotonic() + BATCHES_MS;
    for (const [index, batch] of batches.parts.entries()) {
      if (index > 0 && deps.clock.monotonic() >= untilMs) return 'more';
      await store(batch.snapshot, rules, { terms, partOf: batches.total }, signal);
      deps.seen?.reads(ref, { done: batch.done, total: batches.total });
    }
    // What was stored batch by batch is described once more as a whole, from what was read
    if (batches.parts.length > 0) return 'more';
    const facts = knownFacts(tables, existing?.id, snapshot);
    if (existing !== undefined || kept !== undefined || terms.kind === 'send')
      return void (await store(snapshot, rules, { terms, facts }, signal));
    return void (await takeUnlessWaiting(snapshot, rules, { terms, facts }, signal));
  }

  /** A new folder that holds nothing but what waits to be sent with others waits until that is sent, or cannot be. */
  async function takeUnlessWaiting(
    snapshot: ExportSnapshot,
    rules: IntakeRules,
    storeTerms: StoreTerms,
    signal: AbortSignal,
  ): Promise<void> {
    const clips = snapshot.settled.filter(isClipFile);
    const sizes = clips.map(({ sizeBytes }) => sizeBytes);
    for (let isStored = false; !isStored;) {
      const { copy, asOf } = await findWaiting(deps, snapshot, clips, signal);
      if (copy !== undefined) {
        deps.seen?.judged(snapshot.ref, snapshot.all, copyOf(snapshot, copy.incidentId, false));
        return waiting.keep(snapshot, rules, signal, () => !tables.clips.isAnyWaiting(copy.clipIds));
      }
      const isOutdated = (): boolean => tables.clips.hasNewer(sizes, asOf);
      isStored = await store(snapshot, rules, { ...storeTerms, isOutdated }, signal);
    }
  }

  /** Reads, describes, judges and stores what a snapshot holds: all of an export, or a batch of its `partOf` clips. False: `isOutdated`. */
  async function store(
    snapshot: ExportSnapshot,
    rules: IntakeRules,
    { terms, facts = new Map(), partOf, isOutdated = () => false }: StoreTerms,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { evidence, problems } = await readEvidence({
      snapshot,
      rules,
      gate: deps.gates.of(snapshot.ref.rootPath),
      probe: deps.probe,
      knownFacts: facts,
      nowMs: deps.clock.now(),
      signal,
    });
    if (evidence.recognised.clips.length === 0) return true;
    const described = describeExport(evidence);
    const isPart = partOf !== undefined;
    const taken = await judgeAndStore(
      deps,
      { snapshot, terms, evidence, described, isPart, isOutdated },
      signal,
    );
    if (taken === 'outdated') return false;
    if (!isPart) deps.seen?.judged(snapshot.ref, snapshot.all, copyOf(snapshot, taken.copyOf, true));
    // What a batch says of the whole is not known yet
    const ofWhole = isPart ? [] : [...evidence.recognised.skipped, ...described.warnings];
    report(snapshot, described, taken, { warnings: [...problems, ...ofWhole], partOf });
    // A later title or thumbnail is work too, though no clip changed
    deps.wake();
    return true;
  }

  /** What is held back or still changes may be something else. */
  function copyOf(
    { unsettledCount, heldCount }: ExportSnapshot,
    incidentId: string | undefined,
    isSent: boolean,
  ): SeenFacts['copyOf'] {
    if (incidentId === undefined || unsettledCount + heldCount > 0) return undefined;
    return {
      ...knownFields<{ title?: string }>({ title: tables.incidents.byId(incidentId)?.title }),
      isSent,
    };
  }

  function report(
    { ref }: ExportSnapshot,
    { incident }: DescribedExport,
    taken: Taken,
    { warnings, partOf }: { warnings: readonly (ExportWarning | Failure)[]; partOf: number | undefined },
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
      clips: partOf ?? change.clips,
    });
  }

  function reportCopies(folder: string, { count, of }: NonNullable<Taken['copies']>, isWhole: boolean): void {
    const what = copyText(count, tables.incidents.byId(of)?.title, isWhole);
    const message = `${visibleName(folder)}: ${what} Nothing is sent twice.`;
    events.emit({ event: 'warning', code: 'EXPORT_COPY', message });
  }

  async function takeUnlessStopped(...handedOver: Parameters<Intake['take']>): ReturnType<Intake['take']> {
    const [snapshot, rules, signal] = handedOver;
    try {
      return await takeListed(asQueued(tables, snapshot), rules, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      // Whoever handed it over must know: only then it is handed over again
      throw error;
    }
  }

  let endReading: (() => Promise<void>) | undefined;
  return {
    take: takeUnlessStopped,
    hasDue: waiting.hasDue,
    start: () => void (endReading = startReadingKnown(deps)),
    settled: async () => void (await Promise.all([waiting.settled(), endReading?.()])),
  };
}

function copyText(count: number, title: string | undefined, isWhole: boolean): string {
  const incident = title === undefined ? 'an earlier incident' : `the incident "${visibleName(title)}"`;
  if (isWhole) return `This folder is a copy of ${incident}.`;
  return `${count === 1 ? '1 clip was' : `${count} clips were`} already sent with ${incident} and ${count === 1 ? 'is' : 'are'} listed there.`;
}

const idTaken = (id: string): ExportWarning => ({
  code: 'SIDECAR_SHAPE',
  message: `incident.json names the ID ${id}, which another export already has. This export gets its own ID.`,
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
  return settled.filter(isClipFile).every((file) => {
    const clip = clips.get(file.path);
    return clip !== undefined && isSameVersion(clip, file);
  });
}

interface StoreTerms {
  readonly terms: ReadExport['terms'];
  readonly facts?: ReadonlyMap<string, MediaFacts>;
  /** Clips of the whole export, for a batch of it. */
  readonly partOf?: number;
  /** See `ReadExport`. */
  readonly isOutdated?: () => boolean;
}

const versionKey = ({ path, sizeBytes, mtimeNs }: Pick<FileSeen, 'path' | 'sizeBytes' | 'mtimeNs'>): string =>
  `${sizeBytes} ${mtimeNs} ${path}`;

function knownFacts(
  tables: Tables,
  incidentId: string | undefined,
  snapshot: ExportSnapshot,
): ReadonlyMap<string, MediaFacts> {
  if (incidentId === undefined) return new Map();
  const versions = new Map(snapshot.settled.map((file) => [file.path, file]));
  const rows = tables.clips.ofIncident(incidentId).filter((row) => {
    const file = versions.get(row.path);
    return file !== undefined && isSameVersion(row, file);
  });
  return new Map(rows.map((row) => [row.path, row.facts === null ? {} : parseFacts(row.facts)]));
}
