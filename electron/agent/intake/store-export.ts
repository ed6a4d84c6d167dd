import { clipId, thumbnailFileId } from '../../../shared/domain/ids.ts';
import type { HistoryFacts } from '../../../shared/domain/upload-history.ts';
import type {
  DescribedClip,
  DescribedExport,
  DescribedIncident,
  ExportEvidence,
} from '../core/naming/described-export.ts';
import { agentPolicyOf } from '../core/failures/failure-policy.ts';
import type { FileSeen, FileVersion } from '../core/settle/file-seen.ts';
import { planParts } from '../core/parts/plan-parts.ts';
import { serviceFileName, clipIdOf } from '../core/records/derived-ids.ts';
import type { ClipDetails, ClipRow } from '../store/clip-rows.ts';
import type { IncidentRow } from '../store/incident-rows.ts';
import { parseFailure } from '../store/json-columns.ts';
import type { Tables } from '../store/tables.ts';
import { PRIORITY, type IncidentQueue } from '../queue/incident-jobs.ts';
import type { Clock } from '../ports.ts';
import type { ThumbnailJobs } from '../queue/thumbnail-jobs.ts';
import { orphanUpload } from '../queue/clip-results.ts';
import { clipDetails, describeDetails, mergeDetails } from '../store/stored-details.ts';

/** What storing needs beside the description. */
export interface StoreDeps {
  readonly tables: Tables;
  readonly queue: IncidentQueue;
  readonly clock: Clock;
  readonly multipartThresholdBytes: number;
  readonly thumbnailJobs: ThumbnailJobs;
}

/** What storing changed: the incident is new, clips joined it, or clips changed. */
export interface StoreChange {
  readonly isNew: boolean;
  readonly clips: number;
}

/**
 * One transaction makes incident, clips, thumbnails and jobs, or brings them up to date with what the folder
 * holds now. Safe to run again with the same description: then it changes nothing. `isPart`: a batch of a large export,
 * which says nothing about the incident as a whole.
 */
export function storeExport(
  deps: StoreDeps,
  incidentId: string,
  evidence: ExportEvidence,
  described: DescribedExport,
  isPart = false,
): StoreChange {
  const { tables } = deps;
  const existing = tables.incidents.byId(incidentId);
  if (existing === undefined) insertIncident(deps, incidentId, evidence, described.incident);
  else if (!isPart) refreshIncident(deps, existing, described.incident);
  const filesByPath = new Map(evidence.recognised.clips.map((file) => [file.path, file]));
  const clipsByPath = newestByPath(
    isPart
      ? tables.clips.ofPaths(
          incidentId,
          described.clips.map(({ path }) => path),
        )
      : tables.clips.ofIncident(incidentId),
  );
  const images = imagesByPath(evidence);
  let changes = 0;
  for (const clip of described.clips) {
    const file = filesByPath.get(clip.path);
    if (file === undefined) continue;
    const facts = evidence.probes?.get(clip.path);
    const details = clipDetails(clip, facts === undefined ? null : JSON.stringify(facts));
    const found = {
      file,
      details,
      seenAtMs: evidence.seenAtMs?.get(clip.path),
      settledAtMs: evidence.settledAtMs,
    };
    const stored = storeClip(deps, incidentId, clipsByPath.get(clip.path), found);
    if (stored.changed) changes += 1;
    const image = thumbnailOf(images, clip);
    if (image !== undefined) storeThumbnail(deps, incidentId, stored.id, image);
    else if (stored.isToSend === true)
      deps.thumbnailJobs.want({ id: stored.id, incidentId, path: clip.path });
  }
  if (existing === undefined) deps.queue.check(incidentId);
  else if (changes > 0) deps.queue.touch(incidentId);
  return { isNew: existing === undefined, clips: changes };
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
  const { rootId, rootPath, exportPath, birthMs } = evidence.exportRef;
  deps.tables.incidents.insert({
    id,
    rootId,
    rootPath,
    exportPath,
    birthMs,
    createdAt: deps.clock.now(),
    ...describeDetails(incident),
  });
  deps.tables.history.incident(id, { at: deps.clock.now(), facts: { kind: 'queued' } });
}

function refreshIncident(deps: StoreDeps, row: IncidentRow, incident: DescribedIncident): void {
  if (row.folderGone === 1) deps.tables.incidents.setFolderGone(row.id, false);
  const merged = mergeDetails(row, describeDetails(incident));
  if (merged === undefined) return;
  deps.tables.incidents.describe(row.id, merged, deps.clock.now());
  deps.queue.arm(row.id);
}

function isSameVersion(row: FileVersion, file: FileVersion): boolean {
  return row.sizeBytes === file.sizeBytes && row.mtimeNs === file.mtimeNs;
}

/** The clip's row now, and whether it is new, another version, or described otherwise. */
interface StoredClip {
  readonly id: string;
  readonly changed: boolean;
  /** It is new, or another version than before. */
  readonly isToSend?: true;
}

/** A clip's file as it has settled, what describes it, and when it was seen. */
interface FoundClip {
  readonly file: FileSeen;
  readonly details: ClipDetails;
  readonly seenAtMs: number | undefined;
  readonly settledAtMs: number;
}

function storeClip(
  deps: StoreDeps,
  incidentId: string,
  row: ClipRow | undefined,
  found: FoundClip,
): StoredClip {
  const { file, details } = found;
  if (row === undefined) return insertClip(deps, incidentId, found, 1);
  if (isSameVersion(row, file)) {
    // A share that was mounted anew numbers devices and inodes anew: the bytes are the same.
    if (row.state !== 'uploaded') deps.tables.clips.setVersion(row.id, file);
    if (isBack(row)) return sendAgain(deps, row, found, { kind: 'returned' });
    return { id: row.id, changed: redescribe(deps, row, details) };
  }
  if (row.state === 'uploaded') {
    // What was sent stays what it was and stays listed: the changed file is another clip (service.md gap 12).
    const generation = row.generation + 1;
    const changed = { kind: 'changed', sizeBytes: file.sizeBytes, generation } as const;
    deps.tables.history.clip(row.id, { at: deps.clock.now(), facts: changed });
    return insertClip(deps, incidentId, found, generation);
  }
  orphanUpload(deps, incidentId, row.id, 'the file changed');
  return sendAgain(deps, row, found, { kind: 'changed', sizeBytes: file.sizeBytes });
}

/** Given up as gone, and here again: it was put back, as its failure advised, or its folder was moved back. */
function isBack(row: ClipRow): boolean {
  const failure = row.state === 'failed' ? parseFailure(row.failure) : undefined;
  return failure !== undefined && agentPolicyOf(failure.code).file === 'gone';
}

function sendAgain(
  deps: StoreDeps,
  row: ClipRow,
  { file, details }: FoundClip,
  why: HistoryFacts,
): StoredClip {
  deps.tables.history.clip(row.id, { at: deps.clock.now(), facts: why });
  deps.tables.clips.setVersion(row.id, file);
  deps.tables.clips.describe(row.id, details);
  deps.tables.clips.requeue(row.id);
  deps.tables.thumbnails.removeMade(row.id);
  queueClip(deps, row.incidentId, row.id, file.sizeBytes);
  return { id: row.id, changed: true, isToSend: true };
}

/** All that describes a clip but its facts: what is sent follows from these. */
const described = [
  'sources',
  'cameraId',
  'cameraName',
  'cameraDescription',
  'cameraLatitude',
  'cameraLongitude',
  'startedAt',
  'endedAt',
  'expectedSha256',
] as const;

function redescribe(deps: StoreDeps, row: ClipRow, details: ClipDetails): boolean {
  const isSame = described.every((field) => row[field] === details[field]);
  if (!isSame) deps.tables.clips.describe(row.id, details);
  return !isSame;
}

function insertClip(deps: StoreDeps, incidentId: string, found: FoundClip, generation: number): StoredClip {
  const { file, details } = found;
  const id = clipIdOf(incidentId, file.path, generation);
  deps.tables.clips.insert({
    id,
    incidentId,
    path: file.path,
    generation,
    serviceName: serviceFileName(file.path, id),
    createdAt: deps.clock.now(),
    sizeBytes: file.sizeBytes,
    mtimeNs: file.mtimeNs,
    inode: file.inode,
    device: file.device,
    ...details,
  });
  noteQueued(deps, id, found, generation);
  queueClip(deps, incidentId, id, file.sizeBytes);
  return { id, changed: true, isToSend: true };
}

function noteQueued(
  { tables, clock }: StoreDeps,
  id: string,
  { seenAtMs, settledAtMs }: FoundClip,
  generation: number,
): void {
  const seen = seenAtMs === undefined ? {} : { seenAt: new Date(seenAtMs).toISOString() };
  const settledAt = new Date(settledAtMs).toISOString();
  tables.history.clip(id, {
    at: clock.now(),
    facts: { kind: 'queued', ...(generation === 1 ? {} : { generation }), ...seen, settledAt },
  });
}

/** Uploads of an incident wait until the service was asked what it already has of it. */
function initialState(deps: StoreDeps, incidentId: string): 'blocked' | 'ready' {
  return deps.tables.incidents.byId(incidentId)?.checkedAt == null ? 'blocked' : 'ready';
}

function queueClip(deps: StoreDeps, incidentId: string, clipId: string, sizeBytes: number): void {
  const now = deps.clock.now();
  const plan = planParts(sizeBytes, { thresholdBytes: deps.multipartThresholdBytes });
  deps.tables.jobs.put({
    kind: 'send-clip',
    subject: clipId,
    pool: plan.kind === 'single' ? 'small' : 'large',
    incidentId,
    state: initialState(deps, incidentId),
    priority: PRIORITY.clip,
    dueAt: now,
    createdAt: now,
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

function storeThumbnail(deps: StoreDeps, incidentId: string, clip: string, image: FileSeen): void {
  const { tables, clock } = deps;
  const before = tables.thumbnails.byClip(clip);
  if (before !== undefined && isSameVersion(before, image)) return;
  const now = clock.now();
  tables.jobs.removeOf('make-thumbnail', clip);
  tables.thumbnails.put({
    clipId: clip,
    path: image.path,
    sizeBytes: image.sizeBytes,
    mtimeNs: image.mtimeNs,
    inode: image.inode,
    device: image.device,
    serviceName: serviceFileName(image.path, thumbnailFileId(clipId(clip))),
  });
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
