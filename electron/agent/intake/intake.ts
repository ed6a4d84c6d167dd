/**
 * Intake: a settled export becomes an incident with clips and jobs, in one transaction, so that a kill leaves all of it
 * or nothing. Equal bytes are never sent twice (service.md gap 12): files of a size that was sent are hashed first. A
 * folder that was moved stays the same incident; a folder that is a copy does not become one.
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
import type { ExportSnapshot, FileSeen } from '../core/settle/file-seen.ts';
import type { AgentEvents } from '../events.ts';
import type { FileSums } from '../files/file-sum.ts';
import type { MediaProbe } from '../files/containers/media-probe.ts';
import type { Logger } from '../ports.ts';
import type { SeenExports } from '../queue/seen-exports.ts';
import { parseFacts } from '../store/json-columns.ts';
import { incidentOf } from '../store/incident-rows.ts';
import type { Tables } from '../store/tables.ts';
import { createListedTake } from './check-lists.ts';
import { askedFacts, createRootCheck } from './check-root.ts';
import { createFindWaiting, type WaitingFound } from './find-waiting.ts';
import { asQueued, isDealtWith, planBatches, createWaitingExports } from './waiting-exports.ts';
import { startReadingKnown } from './background-hashing.ts';
import { readEvidence } from './read-evidence.ts';
import { isSameClip } from './store-clip.ts';
import { forgetExport, judgeAndStore, type JudgeDeps, type ReadExport, type Taken } from './store-judged.ts';

/** Turns settled exports into incidents with clips, thumbnails and jobs. */
export interface Intake {
  /**
   * Takes in what has settled of an export. Resolves once it is stored, or kept until a person has answered a question
   * about its root; safe to repeat. `more`: it is a large one of which a part is stored; hand it over again. Rejects
   * when it could not be read now, with a `FailureError` when its share hangs or is away: hand it over again later.
   */
  take(snapshot: ExportSnapshot, rules: IntakeRules, signal: AbortSignal): Promise<'more' | undefined>;
  /** Whether a kept export is about to be taken in, because what it waited for has ended. */
  hasDue(): boolean;
  /** Starts reading the clips that only the service knows were sent. */
  start(): void;
  /** Resolves when nothing is being taken in any more, once the signal of `take` is aborted. */
  settled(): Promise<void>;
}

export interface IntakeDeps extends JudgeDeps {
  readonly probe: MediaProbe;
  readonly events: AgentEvents;
  readonly logger: Logger;
  /** Receives how many clips of a large export have been read, and of each export whether it is a copy. */
  readonly seen?: Pick<SeenExports, 'reads' | 'judged' | 'needs'>;
  readonly listSums: FileSums;
  /** Called when jobs may have been added. */
  readonly wake: () => void;
}

/** How long one call stores batches, milliseconds; then it is the turn of the root's other exports. */
const BATCHES_MS = 10_000;
/** Most warnings that are remembered. */
const MOST_REPORTED = 10_000;

/** Creates the intake. */
export function createIntake(deps: IntakeDeps): Intake {
  const { tables, events } = deps;
  const rootCheck = createRootCheck(deps);
  const waiting = createWaitingExports(deps, takeUnlessStopped);
  const takeListed = createListedTake({ ...deps, warn }, take);
  const findWaiting = createFindWaiting(deps);
  /** Clips of large exports that equal others still to be sent, until their export is taken in as a whole. */
  const leftOut = new Map<string, Set<string>>();
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
    if (terms.kind === 'waiting') {
      deps.seen?.needs(ref, 'held', askedFacts(snapshot));
      return void waiting.keep(snapshot, rules, signal);
    }
    const existing = incidentOf(tables, ref);
    if (existing === undefined && isDealtWith(tables, snapshot))
      return void deps.seen?.judged(ref, snapshot.all, undefined);
    const known = new Set(existing && tables.clips.versionsOf(existing.id).map(versionKey));
    // Clips that may have been sent before, or that equal waiting ones, are judged with the whole export
    const exportKey = `${ref.rootId}\n${ref.exportPath}`;
    const left = leftOut.get(exportKey) ?? new Set();
    const batches = planBatches(
      snapshot,
      (file) =>
        known.has(versionKey(file)) || left.has(versionKey(file)) || tables.sent.hasSize(file.sizeBytes),
    );
    const ofBatch = { terms, partOf: batches.total };
    const untilMs = deps.clock.monotonic() + BATCHES_MS;
    for (const [index, batch] of batches.parts.entries()) {
      if (index > 0 && deps.clock.monotonic() >= untilMs) return 'more';
      const found = await storeOnce([snapshot, batch.snapshot], rules, ofBatch, signal);
      for (const file of batch.snapshot.settled) if (found.copies.has(file.path)) left.add(versionKey(file));
      leftOut.set(exportKey, left);
      deps.seen?.reads(ref, { done: batch.done, total: batches.total });
    }
    // An export that was stored in batches is described once more as a whole, from what was read
    if (batches.parts.length > 0) return 'more';
    const facts = knownFacts(tables, existing?.id, snapshot);
    leftOut.delete(exportKey);
    const { copies } = await storeOnce([snapshot, snapshot], rules, { terms, facts }, signal);
    const clipIds = [...copies.values()].map(({ clipId }) => clipId);
    if (clipIds.length > 0) waiting.keep(snapshot, rules, signal, () => !tables.clips.isAnyWaiting(clipIds));
    return undefined;
  }

  /** Stores an export or a batch of it, except clips that equal others still to be sent. */
  async function storeOnce(
    [whole, snapshot]: readonly [whole: ExportSnapshot, part: ExportSnapshot],
    rules: IntakeRules,
    storeTerms: StoreTerms,
    signal: AbortSignal,
  ): Promise<WaitingFound> {
    const sizes = snapshot.settled.filter(isClipFile).map(({ sizeBytes }) => sizeBytes);
    for (;;) {
      const found = await findWaiting({ whole, snapshot, terms: storeTerms.terms }, signal);
      const isOutdated = (): boolean => tables.clips.hasNewer(sizes, found.asOf);
      const waits = { ...storeTerms, waitsFor: found.copies, isOutdated };
      if (await store(snapshot, rules, waits, signal)) return found;
    }
  }

  /** Reads, describes, judges and stores an export, or a batch of its `partOf` clips. False when `isOutdated`. */
  async function store(
    snapshot: ExportSnapshot,
    rules: IntakeRules,
    {
      terms,
      facts = new Map(),
      partOf,
      waitsFor,
      isOutdated,
    }: StoreTerms & Pick<ReadExport, 'waitsFor' | 'isOutdated'>,
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
      { snapshot, terms, evidence, described, isPart, waitsFor, isOutdated },
      signal,
    );
    if (taken === 'outdated') return false;
    const unknown = evidence.recognised.accounts.filter((file) => file.class === 'unknown').length;
    if (!isPart) deps.seen?.judged(snapshot.ref, snapshot.all, copyOf(tables, snapshot, taken, unknown));
    // A batch says nothing about the whole yet
    const ofWhole = isPart ? [] : [...evidence.recognised.skipped, ...described.warnings];
    report(snapshot, described, taken, { warnings: [...problems, ...ofWhole], partOf });
    // A later title or thumbnail is work too, even if no clip changed
    deps.wake();
    return true;
  }

  function report(
    { ref }: ExportSnapshot,
    { incident }: DescribedExport,
    taken: Taken,
    { warnings, partOf }: { warnings: readonly (ExportWarning | Failure)[]; partOf: number | undefined },
  ): void {
    if (taken.copies !== undefined) {
      const what = copyText(tables, taken.copies, taken.stored === undefined);
      const place = ref.exportPath === '' ? '' : `${visibleName(ref.exportPath)}: `;
      const message = `${place}${what} Nothing is sent twice.`;
      events.emit({ event: 'warning', code: 'EXPORT_COPY', message });
    }
    if (taken.stored === undefined) return;
    warn(ref.exportPath, warnings);
    if (taken.isIdTaken) warn(ref.exportPath, [idTaken(incident.id?.value ?? '')]);
    const { id, change } = taken.stored;
    if (!change.isNew) return;
    events.emit({
      event: 'incident.found',
      incidentId: id,
      title: incident.title.value,
      folder: ref.exportPath,
      clips: partOf ?? change.clips,
    });
  }

  async function takeUnlessStopped(...handedOver: Parameters<Intake['take']>): ReturnType<Intake['take']> {
    const [snapshot, rules, signal] = handedOver;
    return takeListed(asQueued(tables, snapshot), rules, signal).catch((error: unknown) => {
      // The caller must know, or it would not hand the export over again
      if (!signal.aborted) throw error;
      return undefined;
    });
  }

  let endReading: (() => Promise<void>) | undefined;
  return {
    take: takeUnlessStopped,
    hasDue: waiting.hasDue,
    start: () => void (endReading = startReadingKnown(deps)),
    settled: async () => void (await Promise.all([waiting.settled(), endReading?.()])),
  };
}

/** Of what an export is a copy. Undefined while files are held back or still change: they may be something else. */
function copyOf(
  { incidents }: Pick<Tables, 'incidents'>,
  { unsettledCount, heldCount }: ExportSnapshot,
  { copyOf: of }: Taken,
  unknown: number,
): SeenFacts['copyOf'] {
  if (of === undefined || unsettledCount + heldCount > 0) return undefined;
  const title = of.incidentId === undefined ? undefined : incidents.byId(of.incidentId)?.title;
  return { ...knownFields<{ title?: string }>({ title }), isSent: !of.isWaiting, unknown };
}

function copyText(
  { incidents }: Pick<Tables, 'incidents'>,
  { count, of }: NonNullable<Taken['copies']>,
  isWhole: boolean,
): string {
  const title = of === undefined ? undefined : incidents.byId(of)?.title;
  const known = of === undefined ? 'earlier incidents' : 'an earlier incident';
  const incident = title === undefined ? known : `the incident "${visibleName(title)}"`;
  if (isWhole) return `This export is a copy of ${incident}.`;
  return `${count === 1 ? '1 clip was' : `${count} clips were`} already sent with ${incident} and ${count === 1 ? 'is' : 'are'} listed there.`;
}

const idTaken = (id: string): ExportWarning => ({
  code: 'SIDECAR_SHAPE',
  message: `The sidecar names the ID ${id}, which another export already has. This export gets its own ID.`,
});

interface StoreTerms {
  readonly terms: ReadExport['terms'];
  readonly facts?: ReadonlyMap<string, MediaFacts>;
  /** Clips of the whole export, for a batch of it. */
  readonly partOf?: number;
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
    return file !== undefined && isSameClip(row, file);
  });
  return new Map(rows.map((row) => [row.path, row.facts === null ? {} : parseFacts(row.facts)]));
}
