import { join } from 'node:path';
import { fs } from '../files/plain-fs.ts';
import type { DeskSummary } from '../../../shared/domain/health.ts';
import type { ClipFlag } from '../../../shared/domain/upload-view.ts';
import type { FileAccount } from '../../../shared/domain/file-account.ts';
import type { Failure, RequestId } from '../../../shared/domain/failure.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { DATABASE_FILE, openDbForReading } from '../store/open-db.ts';
import { isOwned } from '../store/instance-lock.ts';
import { parseFailure, parseFiles, parseFlags } from '../store/json-columns.ts';
import {
  createStatusReads,
  createSummaryReads,
  type SummaryReads,
  type StatusClipRow,
  type StatusIncidentRow,
} from '../store/status-reads.ts';
import { createSeenExportReads } from '../store/seen-export-rows.ts';
import type { SeenExport, SeenState } from '../../../shared/domain/seen-export.ts';
import { iso } from './clip-details.ts';
import { seenView } from './outline-reads.ts';

/** A clip as it is shown: states in the product's words, times in ISO 8601 UTC. */
export interface ClipView {
  readonly id: string;
  /** Inside the export folder. */
  readonly file: string;
  readonly state: 'queued' | 'uploading' | 'uploaded' | 'failed';
  readonly sizeBytes: number;
  readonly bytesSent?: number;
  readonly camera?: string;
  readonly startedAt?: string;
  readonly code?: string;
  /** When a person left the failed clip out. */
  readonly leftOutAt?: string;
  readonly message?: string;
  readonly advice?: string;
  /** IDs that the service or storage gave the response with the failure. */
  readonly requestIds?: readonly RequestId[];
  readonly attempts: number;
  readonly nextTryAt?: string;
  readonly sha256?: string;
  readonly storageKey?: string;
  /** Anything unusual about it. */
  readonly flags: readonly ClipFlag[];
}

/** An incident as it is shown, or an export that is not one yet. `attention`: a person should look at it. */
export interface IncidentView {
  readonly id: string;
  readonly title: string;
  readonly folder: string;
  readonly state: 'waiting' | 'uploading' | 'synced' | 'attention' | SeenState;
  readonly incidentAt?: string;
  /** Why the service does not have it, or not its latest version. */
  readonly code?: string;
  readonly message?: string;
  readonly advice?: string;
  /** When its files are expected to be deleted, if waiting its turn would be too late: it is sent first. */
  readonly goneAt?: string;
  readonly uploaded: number;
  /** Without clips that a person left out. */
  readonly failed: number;
  readonly leftOut: number;
  readonly pending: number;
  readonly clips: readonly ClipView[];
  /** What became of each file in its folder; missing for one stored by an earlier version. */
  readonly files?: FileAccount;
  /** The part of its folder that is not in the queue, and why. */
  readonly export?: SeenExport;
}

/** The contents of a data directory's queue. */
export interface StatusReport {
  readonly incidents: readonly IncidentView[];
}

/** Reads the queue, whether or not an agent owns it. An empty data directory gives an empty report. */
export async function readStatus(dataDir: string): Promise<Result<StatusReport, Failure>> {
  const file = join(dataDir, DATABASE_FILE);
  if (!fs.existsSync(file)) return ok({ incidents: [] });
  const opened = openDbForReading(file);
  if (!opened.ok) return err(opened.error);
  try {
    const reads = createStatusReads(opened.value);
    const isRunning = isOwned(dataDir);
    const seen = readSeen(opened.value);
    const byIncident = new Map(seen.map((each) => [each.incidentId, each]));
    const known = reads.incidents().map((row) => ({
      ...incidentView(row, reads.clipsOf(row.id), isRunning),
      ...knownFields<Partial<IncidentView>>({ export: byIncident.get(row.id) }),
    }));
    const others = seen.filter(({ incidentId }) => incidentId === undefined).map(exportView);
    return ok({ incidents: [...others, ...known] });
  } finally {
    opened.value.close();
  }
}

/** A summary as printed; `isRunning`: an agent owns the queue now. */
export interface PrintedSummary extends DeskSummary {
  readonly isRunning: boolean;
}

/** Reads the same as figures only, without names. */
export async function readSummary(dataDir: string): Promise<Result<PrintedSummary, Failure>> {
  const file = join(dataDir, DATABASE_FILE);
  if (!fs.existsSync(file)) return ok({ ...emptySummary, isRunning: false });
  const opened = openDbForReading(file);
  if (!opened.ok) return err(opened.error);
  try {
    return ok({ ...summaryOf(createSummaryReads(opened.value)()), isRunning: isOwned(dataDir) });
  } finally {
    opened.value.close();
  }
}

const emptySummary: DeskSummary = {
  isPaused: false,
  waiting: { clips: 0, paused: 0, bytes: 0 },
  failed: [],
  refused: 0,
  exports: { count: 0 },
};

/** The rows in the product's words. */
export function summaryOf(rows: ReturnType<SummaryReads>): DeskSummary {
  const { isPaused, waiting, failed, refused, exports, lastSentAt } = rows;
  const begun = (since: number | null) => knownFields<{ readonly since: string }>({ since: iso(since) });
  return {
    isPaused,
    waiting: {
      clips: waiting.count,
      paused: waiting.paused,
      bytes: waiting.bytes,
      ...begun(waiting.since),
    },
    failed: failed.map(({ code, count, since }) => ({ code, clips: count, ...begun(since) })),
    refused,
    exports: { count: exports.count, ...begun(exports.since) },
    ...knownFields<Pick<DeskSummary, 'lastSentAt'>>({ lastSentAt: iso(lastSentAt) }),
  };
}

/** Most exports outside the queue that are reported. */
const MOST_EXPORTS = 100_000;

const readSeen = (db: Parameters<typeof createSeenExportReads>[0]): readonly SeenExport[] =>
  createSeenExportReads(db).page(MOST_EXPORTS, 0).map(seenView);

/** An export that is not an incident yet, in the form of one without clips. */
function exportView(seen: SeenExport): IncidentView {
  const { id, name, folder, state } = seen;
  return {
    id,
    title: name,
    folder,
    state,
    uploaded: 0,
    failed: 0,
    leftOut: 0,
    pending: 0,
    clips: [],
    export: seen,
  };
}

/** Shown in place of a failure's reason: this report has no state for paused clips. */
const pausedReason = {
  code: 'PAUSED',
  message: 'Paused.',
  advice: 'Resume it, or all uploads, in the desktop app or web console.',
};

function clipView(row: StatusClipRow, isRunning: boolean): ClipView {
  const isPending = row.state === 'queued';
  const isUploading = isPending && isRunning && row.jobState === 'leased';
  const isPaused = isPending && !isUploading && row.paused === 1;
  const failure = isPaused ? undefined : parseFailure(row.failure);
  const reason = isPaused ? pausedReason : failure;
  return {
    id: row.id,
    file: row.path,
    state: isUploading ? 'uploading' : row.state,
    sizeBytes: row.sizeBytes,
    attempts: row.attempts ?? 0,
    flags: parseFlags(row.flags),
    ...knownFields<Partial<ClipView>>({
      bytesSent: isPending ? row.partBytes : null,
      camera: row.cameraName,
      startedAt: iso(row.startedAt),
      code: reason?.code,
      leftOutAt: iso(row.leftOutAt),
      message: reason?.message,
      advice: reason?.advice,
      requestIds: failure?.requestIds,
      nextTryAt: isPending && !isPaused && row.jobState === 'waiting' ? iso(row.dueAt) : undefined,
      sha256: row.sha256,
      storageKey: row.storageKey,
    }),
  };
}

const isFailed = ({ state, leftOutAt }: ClipView): boolean => state === 'failed' && leftOutAt === undefined;

function incidentState(row: StatusIncidentRow, clips: readonly ClipView[]): IncidentView['state'] {
  if (row.failure !== null || clips.some(isFailed)) return 'attention';
  if (clips.some((clip) => clip.state === 'uploading')) return 'uploading';
  const isPending = clips.some((clip) => clip.state === 'queued') || row.syncedVersion < row.version;
  return isPending ? 'waiting' : 'synced';
}

function incidentView(
  row: StatusIncidentRow,
  rows: readonly StatusClipRow[],
  isRunning: boolean,
): IncidentView {
  const clips = rows.map((clip) => clipView(clip, isRunning));
  const reason = parseFailure(row.failure ?? row.heldBy);
  const count = (...states: readonly ClipView['state'][]) =>
    clips.filter((clip) => states.includes(clip.state)).length;
  return {
    id: row.id,
    title: row.title,
    folder: join(row.rootPath, row.exportPath),
    state: incidentState(row, clips),
    ...knownFields<Partial<IncidentView>>({
      incidentAt: iso(row.incidentAt),
      code: reason?.code,
      message: reason?.message,
      advice: reason?.advice,
      goneAt: iso(row.deadlineAt),
      files: parseFiles(row.files),
    }),
    uploaded: count('uploaded'),
    failed: clips.filter(isFailed).length,
    leftOut: clips.filter(({ leftOutAt }) => leftOutAt !== undefined).length,
    pending: count('queued', 'uploading'),
    clips,
  };
}
