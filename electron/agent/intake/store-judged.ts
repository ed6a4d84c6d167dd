import { policyOf } from '../../../shared/domain/failure-policy.ts';
import { isFileWaitedFor } from '../core/failures/failure-policy.ts';
import { parseFailure } from '../store/json-columns.ts';
import type { DeskId } from '../../../shared/domain/ids.ts';
import type { DescribedExport, ExportEvidence } from '../core/naming/described-export.ts';
import { incidentIdOf } from '../core/records/derived-ids.ts';
import { judgeEqual, type EqualClip, type ExportVerdict } from '../core/records/judge-equal.ts';
import type { ExportRef, ExportSnapshot, FileSeen } from '../core/settle/file-seen.ts';
import type { Logger } from '../ports.ts';
import { takeOverLive } from '../queue/live-uploads.ts';
import { incidentOf } from '../store/incident-rows.ts';
import type { RootTerms } from './check-root.ts';
import { lookUpEqual, type EqualDeps, type Folder, type LookUp, type ReadFromDisk } from './find-equal.ts';
import { readEqual } from './read-equal.ts';
import type { StoreDeps } from './store-clip.ts';
import { storeExport, type StoreChange } from './store-export.ts';

/** Dependencies of judging and storing. */
export interface JudgeDeps extends StoreDeps, EqualDeps {
  /** The desk, or the site that several desks are (service.md gap 11). */
  readonly deskId: DeskId;
  readonly logger: Pick<Logger, 'info'>;
}

/** An export as it was read. */
export interface ReadExport {
  readonly snapshot: ExportSnapshot;
  readonly terms: RootTerms;
  readonly evidence: ExportEvidence;
  readonly described: DescribedExport;
  /** A batch of a large export, which says nothing about the incident as a whole. */
  readonly isPart?: boolean;
  /** Clips still to be sent that some of its files equal. */
  readonly waitsFor: ReadonlyMap<string, EqualClip>;
  /** Whether the queue has clips now that it was not compared with. */
  readonly isOutdated: () => boolean;
}

/** Result of taking in an export. */
export interface Taken {
  /** Undefined: it only holds copies. */
  readonly stored?: { readonly id: string; readonly change: StoreChange };
  /** All its clips are in another incident (`incidentId`) or several; `isWaiting`: some are still to be sent. */
  readonly copyOf?: { readonly incidentId: string | undefined; readonly isWaiting: boolean };
  /** Files that were sent with another incident (`of`; undefined: with several), when this is news. */
  readonly copies?: { readonly count: number; readonly of: string | undefined };
  /** Another export already has the id that its sidecar names. */
  readonly isIdTaken: boolean;
}

/** Records that the export left its folder. Its age is an estimate of how long exports stay there. */
export function forgetExport({ tables, clock }: Pick<JudgeDeps, 'tables' | 'clock'>, ref: ExportRef): void {
  const { rootId, exportPath, birthMs } = ref;
  const gone = incidentOf(tables, ref);
  const kept = tables.kept.byExport(rootId, exportPath, birthMs);
  const bornMs = birthMs > 0 ? birthMs : gone?.createdAt;
  // A folder that clean-up removes says nothing about the recorder
  const cleanUp = gone && tables.cleanUps.byId(gone.id);
  const isOurs = cleanUp?.state === 'acting' || cleanUp?.state === 'done';
  tables.write(() => {
    tables.sent.dropCopies(rootId, exportPath);
    if (gone !== undefined) tables.incidents.setFolderGone(gone.id, true);
    if (kept !== undefined) tables.kept.setGone(kept.number, clock.now());
    // A folder that was not an incident may have been anything
    if ((gone ?? kept) !== undefined && bornMs !== undefined && !isOurs)
      tables.deadlines.removed(rootId, clock.now(), clock.now() - bornMs);
  });
}

/**
 * Decides and stores in one transaction. When something must be read from disk first, the transaction changes nothing,
 * and another one starts over after that.
 */
export async function judgeAndStore(
  deps: JudgeDeps,
  read: ReadExport,
  signal: AbortSignal,
): Promise<Taken | 'outdated'> {
  const disk: ReadFromDisk = { sums: new Map(), standings: new Map(), changed: new Set() };
  for (;;) {
    await deps.tables.held();
    const answer = deps.tables.writeUnsynced(() =>
      read.isOutdated() ? 'outdated' : store(deps, read, disk),
    );
    if (answer === 'outdated') return answer;
    if (answer.taken !== undefined) {
      await deps.tables.synced();
      return answer.taken;
    }
    await readEqual(deps, answer.folder, answer.found, disk, signal);
  }
}

function folderOf(
  deps: JudgeDeps,
  { snapshot, terms, evidence, described, waitsFor }: ReadExport,
  disk: ReadFromDisk,
): Folder {
  const { recognised } = evidence;
  const existing = incidentOf(deps.tables, snapshot.ref);
  const clips = recognised.clips.filter(({ path }) => !disk.changed.has(path));
  const images = [...recognised.imagesWithoutClip, ...recognised.thumbnailsByClip.values()];
  const birthMs = birthOf(deps, snapshot.ref);
  const incidentId = existing?.id ?? chooseId(deps, snapshot.ref, birthMs, described);
  return { snapshot, clips, images, existing, incidentId, birthMs, terms, waitsFor };
}

/** The birth time of a folder. Without one, a name that another incident already had counts as reused now. */
function birthOf({ tables, deskId, clock }: JudgeDeps, { rootId, exportPath, birthMs }: ExportRef): number {
  if (birthMs > 0) return birthMs;
  const before =
    tables.incidents.inFolder(rootId, exportPath) ??
    tables.incidents.byId(incidentIdOf(deskId, rootId, exportPath, birthMs));
  return before === undefined ? birthMs : clock.now();
}

/**
 * The id of a new incident: the one it had before it left the database; the one in its sidecar, if no other incident
 * has it (service.md gap 11); else a derived one.
 */
function chooseId(
  { tables, deskId }: JudgeDeps,
  { rootId, exportPath }: ExportRef,
  birthMs: number,
  { incident }: DescribedExport,
): string {
  const kept = birthMs === 0 ? undefined : tables.kept.byExport(rootId, exportPath, birthMs);
  if (kept !== undefined) return kept.incidentId;
  const stated = incident.id?.value;
  const isTaken = (id: string): boolean =>
    (tables.incidents.byId(id) ?? tables.kept.byIncident(id)) !== undefined;
  if (stated !== undefined && !isTaken(stated)) return stated;
  return incidentIdOf(deskId, rootId, exportPath, birthMs);
}

/** What was stored, or what must be read from disk first. */
type StoreAnswer =
  | { readonly taken: Taken }
  | { readonly taken?: undefined; readonly folder: Folder; readonly found: LookUp };

function store(deps: JudgeDeps, read: ReadExport, disk: ReadFromDisk): StoreAnswer {
  const folder = folderOf(deps, read, disk);
  const found = lookUpEqual(deps, folder, disk);
  if (found.toSum.length + found.toHash.length + found.toFind.length > 0) return { folder, found };
  const taken = storeJudged(deps, read, folder, disk, judgeEqual(found.facts));
  // Also for a copy, which has no clip: its upload is of no use to anyone
  takeOverLive(deps, folder.snapshot.ref, folder.clips);
  return { taken };
}

function storeJudged(
  deps: JudgeDeps,
  read: ReadExport,
  folder: Folder,
  disk: ReadFromDisk,
  verdict: ExportVerdict,
): Taken {
  if (verdict.kind !== 'store') {
    const { incidentId } = verdict;
    const isWaiting = verdict.kind === 'waits';
    const isNews = !isWaiting && keepCopies(deps, folder, disk, () => true);
    const copies = { count: folder.clips.length, of: incidentId };
    return { isIdTaken: false, copyOf: { incidentId, isWaiting }, ...(isNews && { copies }) };
  }
  const copies = [...verdict.clips].filter(([, { kind }]) => kind === 'copy');
  const paths = new Set(copies.map(([path]) => path));
  // Nothing in a batch can be a copy: what may have been sent before is judged with the whole
  const isNews = read.isPart !== true && keepCopies(deps, folder, disk, (path) => paths.has(path));
  const [, first] = copies[0] ?? [];
  const isOfOne = copies.every(([, { incidentId }]) => incidentId === first?.incidentId);
  const stored = storeVerdict(deps, read, folder, disk, verdict);
  const stated = read.described.incident.id?.value;
  const isIdTaken =
    folder.existing === undefined &&
    verdict.follow === undefined &&
    stated !== undefined &&
    stated !== stored.id;
  return {
    stored,
    isIdTaken,
    ...(isNews && first && { copies: { count: copies.length, of: isOfOne ? first.incidentId : undefined } }),
  };
}

/** Stores which files are copies, so that they are not read again; true when this is news to a person. */
function keepCopies(
  { tables }: JudgeDeps,
  { snapshot, clips }: Folder,
  disk: ReadFromDisk,
  isCopy: (path: string) => boolean,
): boolean {
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
  deps: JudgeDeps,
  { snapshot: { ref }, evidence, described, isPart = false }: ReadExport,
  { clips, incidentId, birthMs }: Folder,
  { sums }: ReadFromDisk,
  verdict: ExportVerdict & { kind: 'store' },
): { readonly id: string; readonly change: StoreChange } {
  const { tables, logger } = deps;
  const moved = verdict.follow === undefined ? undefined : tables.incidents.byId(verdict.follow);
  if (moved !== undefined) {
    tables.incidents.move(moved.id, { ...ref, birthMs: ref.birthMs || moved.birthMs });
    wakeSends(deps, moved.id);
    logger.info('An export folder was renamed or moved; it remains the same incident', {
      incident: moved.id,
      from: moved.exportPath,
      to: ref.exportPath,
    });
  }
  const id = moved?.id ?? incidentId;
  const recognised = { ...evidence.recognised, clips: clipsIn(evidence, clips) };
  const known = { ...evidence, exportRef: { ...ref, birthMs }, recognised };
  return { id, change: storeExport(deps, id, known, described, { clips: verdict.clips, sums, isPart }) };
}

/** Jobs that wait because of the former place are due immediately, without the attempts made there. Others stay. */
function wakeSends({ tables, clock }: JudgeDeps, incidentId: string): void {
  const now = clock.now();
  for (const clip of tables.clips.ofIncident(incidentId).filter(({ state }) => state === 'queued')) {
    for (const kind of ['send-clip', 'send-thumbnail'] as const) {
      const job = tables.jobs.of(kind, clip.id);
      const code = job?.state === 'waiting' ? parseFailure(job.failure)?.code : undefined;
      const isOfPlace = code !== undefined && (isFileWaitedFor(code) || policyOf(code).scope === 'root');
      if (job !== undefined && isOfPlace) tables.jobs.later(job.id, now, 0, job.failure);
    }
  }
}

/** The clips that were judged; the others changed meanwhile. */
function clipsIn(
  { recognised }: ExportEvidence,
  judged: readonly FileSeen[],
): ExportEvidence['recognised']['clips'] {
  const paths = new Set(judged.map(({ path }) => path));
  return recognised.clips.filter(({ path }) => paths.has(path));
}
