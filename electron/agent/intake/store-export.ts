import { clipId, thumbnailFileId } from '../../../shared/domain/ids.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type {
  DescribedClip,
  DescribedExport,
  DescribedIncident,
  ExportEvidence,
} from '../core/naming/described-export.ts';
import { isSameFile, isSameVersion, type FileSeen } from '../core/settle/file-seen.ts';
import { accountOf, type AccountedCopy } from '../core/naming/account-files.ts';
import { serviceFileName } from '../core/records/derived-ids.ts';
import type { ClipVerdict } from '../core/records/judge-equal.ts';
import type { ClipRow } from '../store/clip-rows.ts';
import type { IncidentRow } from '../store/incident-rows.ts';
import type { KeptClip } from '../store/retention-rows.ts';
import type { Tables } from '../store/tables.ts';
import type { ThumbnailRow } from '../store/thumbnail-rows.ts';
import { PRIORITY } from '../queue/incident-jobs.ts';
import { clipDetails, describeDetails, mergeDetails } from '../store/stored-details.ts';
import { initialState, storeClip, type StoreDeps } from './store-clip.ts';

/** What storing changed: the incident is new, clips joined it, or clips changed. */
export interface StoreChange {
  readonly isNew: boolean;
  readonly clips: number;
}

/** Facts that the queue already has about these files, by path. */
export interface KnownFiles {
  /** See `judgeEqual`. */
  readonly clips: ReadonlyMap<string, ClipVerdict>;
  /** SHA-256 of the files that were read. */
  readonly sums: ReadonlyMap<string, string | null>;
  /** Clips that left the database, see `retention-rows.ts`. */
  readonly dealtWith?: ReadonlyMap<string, KeptClip> | undefined;
  /** A batch of a large export, which says nothing about the incident as a whole. */
  readonly isPart?: boolean;
}

const nothingKnown: KnownFiles = { clips: new Map(), sums: new Map() };

/**
 * Creates incident, clips, thumbnails and jobs in one transaction, or updates them to what the folder holds now. Safe
 * to run again: the same description changes nothing.
 */
export function storeExport(
  deps: StoreDeps,
  incidentId: string,
  evidence: ExportEvidence,
  described: DescribedExport,
  known: KnownFiles = nothingKnown,
): StoreChange {
  const { tables } = deps;
  const existing = tables.incidents.byId(incidentId);
  // Clips that left the database were dealt with; only new or changed ones recreate the incident
  const kept = new Map(tables.kept.clipsOf(incidentId).map((clip) => [clip.path, clip]));
  if (existing === undefined && kept.size > 0 && !holdsNew(evidence, kept, known.clips))
    return { isNew: false, clips: 0 };
  if (existing === undefined) insertIncident(deps, incidentId, evidence, described.incident);
  else if (known.isPart !== true) refreshIncident(deps, existing, described.incident);
  if (known.isPart !== true)
    noteFiles(tables, incidentId, evidence, copyReasons(tables, incidentId, known.clips));
  const dealtWith = existing === undefined ? kept : undefined;
  const changes = storeClips(deps, incidentId, evidence, described, { ...known, dealtWith });
  if (existing === undefined) deps.queue.check(incidentId);
  else if (changes > 0) {
    if (deps.isShared === true) askAgain(deps, incidentId);
    else if (isUnasked(deps, existing)) deps.queue.check(incidentId);
    deps.queue.touch(incidentId);
  }
  return { isNew: existing === undefined, clips: changes };
}

/** The service was not asked what it has, and the job that asks has failed for good. */
function isUnasked({ tables }: StoreDeps, { id, checkedAt }: IncidentRow): boolean {
  return checkedAt === null && tables.jobs.of('check-incident', id)?.state === 'failed';
}

/** Another desk of the site may have sent these clips since the service was asked. */
function askAgain({ tables, queue }: StoreDeps, incidentId: string): void {
  tables.incidents.unchecked(incidentId);
  tables.jobs.block(incidentId);
  queue.check(incidentId);
}

/** Returns how many clips are new or changed. */
function storeClips(
  deps: StoreDeps,
  incidentId: string,
  evidence: ExportEvidence,
  described: DescribedExport,
  { clips: verdicts, sums, dealtWith, isPart = false }: KnownFiles,
): number {
  const filesByPath = new Map(evidence.recognised.clips.map((file) => [file.path, file]));
  const images = imagesByPath(evidence);
  const sentAs = sentImages(deps.tables, incidentId, sums);
  let changes = 0;
  const isMoved = ({ path }: DescribedClip): boolean => verdicts.get(path)?.kind === 'same';
  const isElsewhere = ({ path }: DescribedClip): boolean => {
    const kind = verdicts.get(path)?.kind;
    return kind === 'copy' || kind === 'waits';
  };
  const store = (clip: DescribedClip, row: ClipRow | undefined): void => {
    const file = filesByPath.get(clip.path);
    if (file === undefined) return;
    const before = row === undefined ? dealtWith?.get(clip.path) : undefined;
    if (before !== undefined && isSameFile(before, file)) return;
    const facts = evidence.probes?.get(clip.path);
    const stored = storeClip(deps, incidentId, row, {
      file,
      details: clipDetails(clip, facts === undefined ? null : JSON.stringify(facts)),
      seenAtMs: evidence.seenAtMs?.get(clip.path),
      settledAtMs: evidence.settledAtMs,
      sha256: sums.get(clip.path),
      hasSidecar: evidence.sidecar !== undefined,
      sameAs: isMoved(clip) ? verdicts.get(clip.path)?.clipId : undefined,
    });
    if (stored.changed) changes += 1;
    const image = thumbnailOf(images, clip);
    if (image !== undefined) storeThumbnail(deps, incidentId, stored.id, image, sentAs(image));
    else if (stored.isToSend === true)
      deps.thumbnailJobs.want({ id: stored.id, incidentId, path: clip.path });
  };
  // Clips that follow their files come first: what is at their former paths is then another clip
  for (const which of [
    described.clips.filter(isMoved),
    described.clips.filter((clip) => !isMoved(clip) && !isElsewhere(clip)),
  ]) {
    const { clips } = deps.tables;
    const found = isPart
      ? clips.ofPaths(
          incidentId,
          which.map(({ path }) => path),
        )
      : clips.ofIncident(incidentId);
    const rows = newestByPath(found);
    for (const clip of which) store(clip, rows.get(clip.path));
  }
  return changes;
}

function newestByPath(rows: readonly ClipRow[]): ReadonlyMap<string, ClipRow> {
  return new Map(rows.map((row) => [row.path, row]));
}

function insertIncident(
  deps: StoreDeps,
  id: string,
  evidence: ExportEvidence,
  incident: DescribedIncident,
): void {
  const { rootId, rootPath, exportPath, folder, birthMs } = evidence.exportRef;
  deps.tables.incidents.insert({
    id,
    rootId,
    rootPath,
    exportPath,
    folder,
    birthMs,
    createdAt: deps.clock.now(),
    ...describeDetails(incident),
  });
  deps.tables.history.incident(id, { at: deps.clock.now(), facts: { kind: 'queued' } });
}

/** Written only when a file came, went or changed its class: nothing that is sent depends on it. */
function noteFiles(
  { incidents }: Tables,
  id: string,
  evidence: ExportEvidence,
  copies: ReadonlyMap<string, AccountedCopy>,
): void {
  const account = JSON.stringify(accountOf(evidence, copies));
  if (incidents.byId(id)?.files !== account) incidents.setFiles(id, account);
}

/** Why files of the folder are neither sent nor listed, by path. */
function copyReasons(
  { clips, incidents }: Tables,
  incidentId: string,
  verdicts: KnownFiles['clips'],
): ReadonlyMap<string, AccountedCopy> {
  const reasons: [string, AccountedCopy][] = [];
  for (const [path, { kind, clipId: id, incidentId: of }] of verdicts) {
    if (kind === 'same') continue;
    const clip = clips.byId(id);
    const name = clip === undefined ? 'a clip' : `"${visibleName(clip.path)}"`;
    const other = of === incidentId ? undefined : incidents.byId(of)?.title;
    const same = `identical to ${name}${other === undefined ? '' : ` in the incident "${visibleName(other)}"`}`;
    const isCopy = kind === 'copy';
    const why = isCopy ? 'was sent, so it is not sent again' : 'is queued, so it is sent only once';
    reasons.push([path, { class: isCopy ? 'copy' : 'waiting', why: `${same}, which ${why}` }]);
  }
  return new Map(reasons);
}

function refreshIncident(deps: StoreDeps, row: IncidentRow, incident: DescribedIncident): void {
  if (row.folderGone === 1) deps.tables.incidents.setFolderGone(row.id, false);
  const merged = mergeDetails(row, describeDetails(incident));
  if (merged === undefined) return;
  deps.tables.incidents.describe(row.id, merged, deps.clock.now());
  deps.queue.arm(row.id);
}

function holdsNew(
  { recognised }: ExportEvidence,
  kept: ReadonlyMap<string, KeptClip>,
  verdicts: KnownFiles['clips'],
): boolean {
  return recognised.clips.some((file) => {
    const before = kept.get(file.path);
    const isDealtWith = before !== undefined && isSameFile(before, file);
    return !isDealtWith && !['copy', 'waits'].includes(verdicts.get(file.path)?.kind ?? '');
  });
}

function imagesByPath(evidence: ExportEvidence): ReadonlyMap<string, FileSeen> {
  const { imagesWithoutClip, thumbnailsByClip } = evidence.recognised;
  return new Map([...imagesWithoutClip, ...thumbnailsByClip.values()].map((image) => [image.path, image]));
}

function thumbnailOf(images: ReadonlyMap<string, FileSeen>, clip: DescribedClip): FileSeen | undefined {
  const stated = clip.thumbnailPath?.value;
  return stated === undefined ? undefined : images.get(stated);
}

function storeThumbnail(
  deps: StoreDeps,
  incidentId: string,
  clip: string,
  image: FileSeen,
  sent: ThumbnailRow | undefined,
): void {
  const { tables, clock } = deps;
  const before = tables.thumbnails.byClip(clip);
  if (before !== undefined && before.path === image.path && isSameVersion(before, image)) return;
  const now = clock.now();
  tables.jobs.removeOf('make-thumbnail', clip);
  const { path, sizeBytes, mtimeNs, inode, device } = image;
  const serviceName = serviceFileName(path, thumbnailFileId(clipId(clip)));
  tables.thumbnails.put({ clipId: clip, path, sizeBytes, mtimeNs, inode, device, serviceName });
  if (sent?.storageKey != null) {
    // Equal bytes are not sent twice: a clip may be listed with the image of another
    tables.thumbnails.uploaded(clip, sent.storageKey, sent.sha256);
    tables.jobs.removeOf('send-thumbnail', clip);
    if (before?.storageKey !== sent.storageKey) deps.queue.touch(incidentId);
    return;
  }
  tables.jobs.put({
    kind: 'send-thumbnail',
    subject: clip,
    pool: 'small',
    incidentId,
    state: initialState(deps, incidentId),
    priority: PRIORITY.thumbnail,
    dueAt: now,
    createdAt: now,
  });
}

/** Finds the image of the incident that equals a file, by its sum or because it is the very version that was sent. */
function sentImages(
  { thumbnails }: Pick<Tables, 'thumbnails'>,
  incidentId: string,
  sums: KnownFiles['sums'],
): (image: FileSeen) => ThumbnailRow | undefined {
  const bySize = new Map<number, ThumbnailRow[]>();
  for (const row of thumbnails.ofIncident(incidentId)) {
    if (row.state !== 'uploaded' || row.origin !== 'export') continue;
    bySize.set(row.sizeBytes, [...(bySize.get(row.sizeBytes) ?? []), row]);
  }
  return (image) =>
    bySize
      .get(image.sizeBytes)
      ?.find(
        (row) =>
          (row.path === image.path && isSameVersion(row, image)) ||
          (row.sha256 !== null && row.sha256 === sums.get(image.path)),
      );
}
