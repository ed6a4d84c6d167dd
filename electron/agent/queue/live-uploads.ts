/**
 * Uploads of clips that are still being written. Watching reports what grows; a job sends the parts below the current
 * size; intake, when it queues the clip, takes over the upload in its own transaction; and the worker for large clips
 * proves each part against the final file. Nothing here counts as complete: void parts cost bandwidth, no evidence.
 */
import type { Settings } from '../../../shared/domain/settings.ts';
import type { DeskId } from '../../../shared/domain/ids.ts';
import {
  aheadPartSize,
  fitsParts,
  hasRoomForWaste,
  mayBeginAhead,
  RESULTS_KEPT_MS,
  waitsUntil,
  wasteSince,
} from '../core/parts/plan-parts.ts';
import { baseName, fileKindOf } from '../core/naming/file-kinds.ts';
import { clipIdOf, incidentIdOf, rootIdOf } from '../core/records/derived-ids.ts';
import { folderOfExport, isSameVersion, type ExportRef, type FileSeen } from '../core/settle/file-seen.ts';
import type { WatchedRoot } from '../files/watched-root.ts';
import type { Clock } from '../ports.ts';
import { incidentOf } from '../store/incident-rows.ts';
import type { LiveKind, LiveUpload } from '../store/live-rows.ts';
import { isOwnFault } from '../store/store-failures.ts';
import type { Tables } from '../store/tables.ts';
import { orphanHandle } from './orphan-uploads.ts';
import { PRIORITY } from './incident-jobs.ts';

/** A file that neither grows nor is queued is given up after this long, milliseconds: it costs storage. */
const STALE_MS = 60 * 60_000;
/** The kind of results that say that the service refuses what early uploads need. */
export const WHOLE_DESK: LiveKind = { rootId: '', container: '' };

const MADE_WAY: LiveKind = { rootId: '', container: 'made way' };

/** What a look found about the files of an export. */
export interface ExportLook {
  fileOf(
    path: string,
  ): { readonly seen: FileSeen; readonly isChanging: boolean; readonly isNoClip: boolean } | undefined;
  /** Growing clips without a temporary name, each with the number of looks in a row that found it longer. */
  readonly growing: readonly { readonly seen: FileSeen; readonly grownLooks: number }[];
}

/** Tracks clips that are still being written, and how much of each has been sent. */
export interface LiveUploads {
  /** Called after settled files were handed over. */
  looked(ref: ExportRef, look: ExportLook): void;
  /** The export is gone, or another one has replaced it. */
  removed(ref: Pick<ExportRef, 'rootId' | 'exportPath'>): void;
  /** A complete scan has seen the root. */
  scanned(rootId: string, isThere: (exportPath: string) => boolean): void;
  /** Gives up everything if it is turned off, else uploads of folders that are no longer watched. */
  start(): void;
}

interface Deps {
  readonly tables: Tables;
  readonly clock: Pick<Clock, 'now'>;
  readonly deskId: DeskId;
  readonly roots: readonly WatchedRoot[];
  /** Other desks may send the same clips: nothing is sent early. */
  readonly isShared: boolean;
  readonly upload: Settings['upload'];
  /** Called when jobs may have been added. */
  readonly wake: () => void;
}

/** Creates the live uploads from what was stored. */
export function createLiveUploads(deps: Deps): LiveUploads {
  const { tables, clock, upload } = deps;
  const isOn = upload.whileWriting === 'auto' && !deps.isShared;
  const known = new Set(tables.live.all().map(keyOf));

  /** A full disk must not end the watch: the next look finds the same again. */
  function quietly(work: () => void): void {
    try {
      tables.write(work);
    } catch (error) {
      if (isOwnFault(error)) throw error;
    }
  }

  function check(row: LiveUpload, file: ReturnType<ExportLook['fileOf']>): void {
    const reason = endOf(row, file, clock.now());
    if (reason !== undefined) return giveUpLive(deps, row, reason);
    if (file === undefined || !file.isChanging || file.seen.sizeBytes <= row.sizeBytes) return;
    tables.live.grew(row.clipId, file.seen.sizeBytes, clock.now());
    arm(deps, row);
  }

  function begin(ref: ExportRef, { path, sizeBytes, inode, device }: FileSeen): void {
    const kind = fileKindOf(baseName(path));
    const incidentId = expectedIncident(deps, ref);
    if (kind.kind !== 'clip' || incidentId === undefined || !tables.live.isLineFree(incidentId)) return;
    const { container } = kind;
    const partSizeBytes = aheadPartSize(upload.partSizeBytes);
    const clipId = clipIdOf(incidentId, path, 1);
    const isKnown =
      tables.clips.ofPaths(incidentId, [path]).length > 0 || tables.sent.has(incidentId, clipId);
    if (isKnown || tables.live.byClip(clipId) !== undefined) return;
    if (!fitsParts(sizeBytes, partSizeBytes) || !mayWaste(deps, { rootId: ref.rootId, container })) return;
    const { rootId, rootPath, exportPath } = ref;
    const place = { rootId, rootPath, exportPath, folder: folderOfExport(ref), path, container };
    const file = { inode, device, sizeBytes, grownAt: clock.now(), partSizeBytes };
    const row = { clipId, incidentId, ...place, ...file, storageKey: null, uploadId: null };
    tables.live.insert(row);
    known.add(keyOf(row));
    arm(deps, row);
  }

  function endAll(rows: readonly LiveUpload[], reason: string): void {
    if (rows.length > 0) quietly(() => rows.forEach((row) => giveUpLive(deps, row, reason)));
  }

  return {
    looked(ref, look) {
      const rows = known.has(keyOf(ref)) ? tables.live.ofExport(ref.rootId, ref.exportPath) : [];
      if (rows.length === 0) known.delete(keyOf(ref));
      const begun = new Set(rows.map(({ path }) => path));
      const grown = look.growing.filter(
        ({ seen, grownLooks }) =>
          !begun.has(seen.path) &&
          mayBeginAhead({ sizeBytes: seen.sizeBytes, grownLooks }, upload.multipartThresholdBytes),
      );
      if (rows.length === 0 && (!isOn || grown.length === 0)) return;
      quietly(() => {
        for (const row of rows) check(row, look.fileOf(row.path));
        if (isOn) for (const { seen } of grown) begin(ref, seen);
      });
      deps.wake();
    },
    removed({ rootId, exportPath }) {
      if (!known.has(keyOf({ rootId, exportPath }))) return;
      endAll(tables.live.ofExport(rootId, exportPath), 'the export is gone');
      deps.wake();
    },
    scanned(rootId, isThere) {
      if (known.size === 0) return;
      const isGone = (row: LiveUpload): boolean => row.exportPath !== '' && !isThere(row.exportPath);
      const rows = tables.live.all().filter((row) => row.rootId === rootId && isGone(row));
      endAll(rows, 'the export is gone');
    },
    start() {
      const watched = new Set<string>(deps.roots.map(({ settings }) => rootIdOf(deps.deskId, settings.path)));
      const isLeft = ({ rootId }: LiveUpload): boolean => !isOn || !watched.has(rootId);
      endAll(tables.live.all().filter(isLeft), 'the folder is no longer watched, or early uploads are off');
    },
  };
}

const keyOf = ({ rootId, exportPath }: Pick<LiveUpload, 'rootId' | 'exportPath'>): string =>
  `${rootId}/${exportPath}`;

/** Why nothing more of a growing file is sent; undefined: it continues. */
function endOf(row: LiveUpload, file: ReturnType<ExportLook['fileOf']>, now: number): string | undefined {
  if (file === undefined) return 'the file is gone';
  const { seen, isChanging, isNoClip } = file;
  if (isNoClip) return 'the file is not a clip';
  if (seen.inode !== row.inode || seen.device !== row.device) return 'the file was replaced';
  if (seen.sizeBytes < row.sizeBytes) return 'the file became shorter';
  if (!fitsParts(seen.sizeBytes, row.partSizeBytes)) return 'the file became too large for its parts';
  return !isChanging && row.grownAt < now - STALE_MS ? 'the file was not queued' : undefined;
}

/** The incident that intake will create for an export; undefined if that is not certain. */
function expectedIncident({ tables, deskId }: Deps, ref: ExportRef): string | undefined {
  const existing = incidentOf(tables, ref);
  if (existing !== undefined) return existing.id;
  const { rootId, exportPath, birthMs } = ref;
  const id = incidentIdOf(deskId, rootId, exportPath, birthMs);
  const wasUsed = birthMs === 0 && tables.incidents.inFolder(rootId, exportPath) !== undefined;
  const isTaken = (tables.incidents.byId(id) ?? tables.kept.byIncident(id)) !== undefined;
  return wasUsed || isTaken ? undefined : id;
}

/** Limit of what may be sent in vain. */
export type WasteRules = Pick<Settings['upload'], 'wastedBytesPerDay'>;

/** Whether more of this kind may be sent that may turn out to be in vain. */
export function mayWaste(
  { tables, clock, upload }: Writes & { readonly upload: WasteRules },
  kind: LiveKind,
): boolean {
  const now = clock.now();
  const results = tables.live.resultsOf(kind);
  const waits = [results, tables.live.resultsOf(WHOLE_DESK)].some(
    (found) => waitsUntil(found, now) !== undefined,
  );
  const waste = { voidBytes: tables.live.voidSince(wasteSince(now)), openBytes: tables.live.openBytes() };
  return !waits && hasRoomForWaste(waste, results[0], upload.wastedBytesPerDay);
}

function arm({ tables, clock }: Pick<Deps, 'tables' | 'clock'>, { clipId, incidentId }: LiveUpload): void {
  // A job that service or storage refused waits as long as they said
  if (tables.jobs.of('send-ahead', clipId)?.state === 'waiting') return;
  const now = clock.now();
  tables.jobs.put({
    kind: 'send-ahead',
    subject: clipId,
    pool: 'ahead',
    incidentId,
    state: 'ready',
    priority: PRIORITY.later,
    dueAt: now,
    createdAt: now,
  });
}

interface Writes {
  readonly tables: Tables;
  readonly clock: Pick<Clock, 'now'>;
}

/** Notes the result for a clip of this kind. Call inside a transaction. */
export function noteResult(
  { tables, clock }: Writes,
  kind: LiveKind,
  sent: { readonly sentBytes: number; readonly voidBytes: number },
): void {
  const at = clock.now();
  tables.live.forgetResults(at - RESULTS_KEPT_MS);
  if (sent.sentBytes > 0) tables.live.addResult(kind, { at, ...sent });
}

/** Notes bytes of parts that made way for a clip that has settled: they count against no kind of clip. */
export function noteYielded(deps: Writes, bytes: number): void {
  noteResult(deps, MADE_WAY, { sentBytes: bytes, voidBytes: bytes });
}

/** Notes that the service grants no URLs for a different number of parts: nothing is sent early for a while. */
export function noteRefused({ tables, clock }: Writes): void {
  const at = clock.now();
  for (const _ of [1, 2]) tables.live.addResult(WHOLE_DESK, { at, sentBytes: 1, voidBytes: 1 });
}

/** Gives an upload up: what the service has of it is aborted. Call inside a transaction. */
export function giveUpLive(deps: Writes, row: LiveUpload, reason: string): void {
  const { tables } = deps;
  const { clipId, incidentId, storageKey, uploadId, partSizeBytes } = row;
  const sent = tables.live.partsOf(clipId).filter(({ etag }) => etag !== null).length * partSizeBytes;
  noteResult(deps, row, { sentBytes: sent, voidBytes: sent });
  if (storageKey !== null && uploadId !== null)
    orphanHandle(deps, { incidentId, clipId, storageKey, uploadId }, reason);
  tables.live.remove(clipId);
  tables.jobs.removeOf('send-ahead', clipId);
}

/**
 * Hands what was sent of these just-queued files to their clips: the upload continues with the parts that storage has,
 * once each was compared with the file. Call in the transaction that queues them.
 */
export function takeOverLive(
  deps: Writes,
  { rootId, exportPath }: Pick<ExportRef, 'rootId' | 'exportPath'>,
  files: readonly FileSeen[],
): void {
  for (const row of deps.tables.live.ofExport(rootId, exportPath)) {
    const file = files.find(({ path }) => path === row.path);
    if (file === undefined) continue;
    if (!takeOver(deps, row, file))
      giveUpLive(deps, row, 'the file is not a separate clip, or is a different one');
  }
}

function takeOver({ tables, clock }: Writes, row: LiveUpload, file: FileSeen): boolean {
  const { clipId, storageKey, uploadId, partSizeBytes, inode, device } = row;
  const clip = tables.clips.byId(clipId);
  const isOwn = clip?.state === 'queued' && clip.incidentId === row.incidentId && isSameVersion(clip, file);
  const isSame = file.inode === inode && file.device === device && file.sizeBytes >= row.sizeBytes;
  if (!isOwn || !isSame || storageKey === null || uploadId === null) return false;
  if (!fitsParts(file.sizeBytes, partSizeBytes) || tables.multiparts.byClip(clipId) !== undefined)
    return false;
  const { sizeBytes, mtimeNs } = file;
  const partCount = Math.ceil(sizeBytes / partSizeBytes);
  tables.multiparts.insert({
    clipId,
    storageKey,
    uploadId,
    partSizeBytes,
    partCount,
    sizeBytes,
    mtimeNs,
    openedAt: clock.now(),
  });
  const parts = tables.live.partsOf(clipId);
  const begun = parts.filter(({ etag }) => etag === null).map(({ number }) => number);
  const sent = parts.flatMap(({ etag, ...part }) => (etag === null ? [] : [{ ...part, etag }]));
  for (const { number, etag, sha256 } of sent)
    tables.parts.put({ clipId, number, sizeBytes: partSizeBytes, etag, sha256, fromStart: 0 });
  tables.live.takeOver({ clipId, container: row.container, twice: JSON.stringify(begun) });
  tables.history.clip(clipId, {
    at: clock.now(),
    startedAt: sent.reduce((first, { sentAt }) => Math.min(first, sentAt), clock.now()),
    facts: { kind: 'ahead', parts: sent.length, of: partCount, sizeBytes: sent.length * partSizeBytes },
  });
  tables.live.remove(clipId);
  tables.jobs.removeOf('send-ahead', clipId);
  return true;
}
