import type { HistoryFacts } from '../../../shared/domain/upload-history.ts';
import { agentPolicyOf, type AgentPolicy } from '../core/failures/failure-policy.ts';
import { planParts } from '../core/parts/plan-parts.ts';
import { clipIdOf, serviceFileName } from '../core/records/derived-ids.ts';
import { isSameFile, type FileSeen, type FileVersion } from '../core/settle/file-seen.ts';
import { orphanUpload } from '../queue/orphan-uploads.ts';
import type { Clock } from '../ports.ts';
import { PRIORITY, type IncidentQueue, type ThumbnailJobs } from '../queue/incident-jobs.ts';
import type { ClipDetails, ClipRow } from '../store/clip-rows.ts';
import { parseFailure } from '../store/json-columns.ts';
import { keptReading } from '../store/stored-details.ts';
import { clipFields, type Tables } from '../store/tables.ts';

/** Dependencies of storing. */
export interface StoreDeps {
  readonly tables: Tables;
  readonly queue: IncidentQueue;
  readonly clock: Clock;
  readonly multipartThresholdBytes: number;
  readonly thumbnailJobs: ThumbnailJobs;
  /** Other desks may send clips of the same incidents (service.md gap 11). */
  readonly isShared?: boolean;
}

/** Whether a file still holds the bytes that its clip's row describes. A new inode proves nothing: shares renumber. */
export function isSameClip(row: FileVersion & Pick<ClipRow, 'foundCtimeNs'>, file: FileSeen): boolean {
  return isSameFile({ ...row, ctimeNs: row.foundCtimeNs }, file);
}

/** A stored clip, and whether it is new, another version, or described differently. */
interface StoredClip {
  readonly id: string;
  readonly changed: boolean;
  /** It is new, or another version than before. */
  readonly isToSend?: true;
}

/** A clip's settled file, its description, and when it was seen. */
interface FoundClip {
  readonly file: FileSeen;
  readonly details: ClipDetails;
  readonly seenAtMs: number | undefined;
  readonly settledAtMs: number;
  /** SHA-256 of the file, if it was hashed. */
  readonly sha256?: string | null | undefined;
  /** A sidecar of the export was read. */
  readonly hasSidecar: boolean;
  /** The clip that it is, whatever its path and time. */
  readonly sameAs: string | undefined;
}

/** Inserts a clip, or updates its row from its file. `row` is the newest of its path. */
export function storeClip(
  deps: StoreDeps,
  incidentId: string,
  row: ClipRow | undefined,
  found: FoundClip,
): StoredClip {
  const { file, sameAs } = found;
  // A row that waits to be sent is another version of the file: it continues with these bytes
  if (sameAs !== undefined && (row === undefined || row.id === sameAs || row.state === 'uploaded'))
    return followFile(deps, sameAs, row, found);
  if (row === undefined) return insertClip(deps, incidentId, found, 1);
  if (isSameClip(row, file)) {
    // A share that was mounted again renumbers devices and inodes: the bytes are the same.
    const isRemounted = row.device !== file.device;
    if (row.state !== 'uploaded' || isRemounted) deps.tables.clips.setVersion(row.id, file);
    // On the same disk another change time is a change; the old time is kept, so that the upload notices
    if (isRemounted) deps.tables.clips.setFoundTime(row.id, file.ctimeNs ?? null);
    if (isBack(row)) return sendAgain(deps, row, found, { kind: 'returned' });
    return { id: row.id, changed: updateDescription(deps, row, found) };
  }
  if (row.state === 'uploaded') {
    // What was sent stays as it is and stays listed: the changed file is another clip (service.md gap 12).
    const generation = freeGeneration(deps.tables, incidentId, file.path, row.generation + 1);
    const changed = { kind: 'changed', sizeBytes: file.sizeBytes, generation } as const;
    deps.tables.history.clip(row.id, { at: deps.clock.now(), facts: changed });
    return insertClip(deps, incidentId, found, generation);
  }
  // A new time alone, such as that of a share when clocks change, does not undo a decision
  if (isDecided(row) && row.sizeBytes === file.sizeBytes) {
    deps.tables.clips.setVersion(row.id, file);
    return { id: row.id, changed: updateDescription(deps, row, found) };
  }
  orphanUpload(deps, incidentId, row.id, 'the file changed');
  return sendAgain(deps, row, found, { kind: 'changed', sizeBytes: file.sizeBytes });
}

/** The file is the clip's, under another name or time: nothing is sent (service.md gap 12). */
function followFile(
  deps: StoreDeps,
  clipId: string,
  newest: ClipRow | undefined,
  found: FoundClip,
): StoredClip {
  const { tables, clock } = deps;
  const { file } = found;
  const clip = tables.clips.byId(clipId);
  if (clip === undefined) throw new Error('A checked clip is not in the queue');
  if (newest?.id !== clip.id) {
    const generation = freeGeneration(tables, clip.incidentId, file.path, (newest?.generation ?? 0) + 1);
    tables.clips.place(clip.id, file.path, generation);
  }
  const facts = { kind: 'followed', ...(clip.path !== file.path && { from: clip.path }) } as const;
  tables.history.clip(clip.id, { at: clock.now(), facts });
  tables.clips.setVersion(clip.id, file);
  if (clip.state === 'uploaded') tables.clips.setFoundTime(clip.id, file.ctimeNs ?? null);
  if (isBack(clip)) return sendAgain(deps, clip, found, { kind: 'returned' });
  return { id: clip.id, changed: updateDescription(deps, clip, found) };
}

/** The first generation from `first` on whose id is not that of a clip that was renamed or has left the database. */
function freeGeneration(
  { clips, sent }: Pick<Tables, 'clips' | 'sent'>,
  incidentId: string,
  path: string,
  first: number,
): number {
  let generation = first;
  for (;;) {
    const id = clipIdOf(incidentId, path, generation);
    const clip = clips.placeOf(id);
    const isFree = clip === undefined && !sent.has(incidentId, id);
    // The very same clip twice is a bug, which the table refuses
    if (isFree || (clip?.path === path && clip.generation === generation)) return generation;
    generation += 1;
  }
}

/** It failed as gone and is here again: it was put back, as its failure advised, or its folder was moved back. */
function isBack(row: ClipRow): boolean {
  return policyOfFailed(row)?.file === 'gone';
}

/** Cancelled by a person. */
function isDecided(row: ClipRow): boolean {
  return policyOfFailed(row)?.isDecided === true;
}

function policyOfFailed({ state, failure: text }: ClipRow): AgentPolicy | undefined {
  const failure = state === 'failed' ? parseFailure(text) : undefined;
  return failure && agentPolicyOf(failure.code);
}

function sendAgain(
  deps: StoreDeps,
  row: ClipRow,
  { file, details }: FoundClip,
  why: HistoryFacts,
): StoredClip {
  deps.tables.history.clip(row.id, { at: deps.clock.now(), facts: why });
  deps.tables.clips.setVersion(row.id, file);
  deps.tables.clips.describe(row.id, details, deps.clock.now());
  deps.tables.clips.requeue(row.id);
  deps.tables.thumbnails.removeMade(row.id);
  queueClip(deps, row.incidentId, row.id, file.sizeBytes);
  return { id: row.id, changed: true, isToSend: true };
}

/** All fields that describe a clip, except its facts: what is sent depends on these. */
const described = ['sources', ...clipFields] as const;

function updateDescription(deps: StoreDeps, row: ClipRow, found: FoundClip): boolean {
  const details = keptReading(row, found.details, found.hasSidecar);
  const isSame = described.every((field) => row[field] === details[field]);
  if (!isSame || row.flags !== details.flags) deps.tables.clips.describe(row.id, details, deps.clock.now());
  return !isSame;
}

function insertClip(deps: StoreDeps, incidentId: string, found: FoundClip, first: number): StoredClip {
  const { id, generation } = insertRow(deps, incidentId, found, first);
  noteQueued(deps, id, found, generation);
  queueClip(deps, incidentId, id, found.file.sizeBytes);
  return { id, changed: true, isToSend: true };
}

function insertRow(
  deps: StoreDeps,
  incidentId: string,
  { file, details, sha256 }: FoundClip,
  first: number,
): { readonly id: string; readonly generation: number } {
  const generation = freeGeneration(deps.tables, incidentId, file.path, first);
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
    foundCtimeNs: file.ctimeNs ?? null,
    foundSha256: sha256 ?? null,
    ...details,
  });
  return { id, generation };
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

/** Uploads of an incident wait until the service has been asked what it already has of it. */
export function initialState(deps: StoreDeps, incidentId: string): 'blocked' | 'ready' {
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
