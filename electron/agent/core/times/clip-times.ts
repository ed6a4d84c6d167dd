import type { Sourced } from '../../../../shared/domain/sourced.ts';
import type { FileSeen } from '../settle/file-seen.ts';
import type { ClipFlag, MediaFacts } from '../naming/described-export.ts';
import type { ClipNameReading } from '../naming/read-clip-name.ts';
import type { SidecarTime, SidecarVideo } from '../naming/sidecar.ts';

/** What is known about the times of one clip. */
export interface ClipTimeEvidence {
  readonly file: FileSeen;
  readonly sidecar?: SidecarVideo;
  readonly name?: ClipNameReading;
  readonly media?: MediaFacts;
  readonly clockOffsetSeconds: number;
  /** When the export folder was made, milliseconds since 1970 UTC; 0: not known. */
  readonly exportedAtMs: number;
  readonly settledAtMs: number;
}

/** Start, end and duration of one clip with their origins, and what is odd about them. */
export interface ClipTimes {
  readonly startedAt?: Sourced<number>;
  readonly recordedStartedAtMs?: number;
  readonly endedAt?: Sourced<number>;
  readonly durationMs?: Sourced<number>;
  readonly flags: readonly ClipFlag[];
}

/** Before this no recorder wrote files: such times are zeros of some epoch. 2000-01-01, milliseconds. */
const EARLIEST_PLAUSIBLE_MS = 946_684_800_000;
/** How far a clock may be ahead of ours before its times are unlikely, milliseconds: a day, for zones mixed up. */
const FUTURE_TOLERANCE_MS = 86_400_000;
/** A creation time this near to the export's own time is the export's, milliseconds. */
const EXPORT_TIME_MARGIN_MS = 120_000;
/** Longest clip that is believed, milliseconds: recorders and players document 24 h; a week leaves room. */
const LONGEST_CLIP_MS = 7 * 86_400_000;
/** Duration and name may differ by this much, milliseconds, or by `DIFFERENCE_SHARE`: exports end on key frames. */
const DIFFERENCE_MS = 5000;
const DIFFERENCE_SHARE = 0.05;

/** Times of one clip in the order of trust: sidecar, the container's stated start, file name, creation time, file time. */
export function clipTimes(evidence: ClipTimeEvidence): ClipTimes {
  const { file, sidecar, name, media } = evidence;
  const durationMs = plausibleDuration(media?.durationMs);
  const startedAt = startOf(evidence);
  const statedEnd = endOf(evidence, startedAt, durationMs);
  // An end before the start is wrong for certain: it is flagged, and not passed on.
  const endedAt = startedAt && statedEnd && statedEnd.value < startedAt.value ? undefined : statedEnd;
  const flags = new Set<ClipFlag>();
  if (startedAt?.source === 'file-time') flags.add('start-from-file-time');
  if (startedAt?.source === 'file-name' && name?.startedAt?.laterMs !== undefined)
    flags.add('time-doubled-hour');
  if (startedAt?.source === 'file-name' && name?.startedAt?.isNonexistent === true)
    flags.add('time-nonexistent');
  if (!isPlausible(fileTimeMs(file), evidence.settledAtMs)) flags.add('time-unlikely');
  if (startedAt && !isPlausible(startedAt.value, evidence.settledAtMs)) flags.add('time-unlikely');
  if (startedAt && statedEnd) {
    const spanMs = statedEnd.value - startedAt.value;
    if (spanMs < 0 || spanMs > LONGEST_CLIP_MS) flags.add('time-order');
    if (durationMs !== undefined && differs(spanMs, durationMs)) flags.add('duration-differs');
  }
  return {
    ...(startedAt && { startedAt }),
    ...(startedAt?.source === 'file-name' &&
      name?.startedAt && { recordedStartedAtMs: name.startedAt.recordedMs }),
    ...(endedAt && { endedAt }),
    ...(durationMs !== undefined && {
      durationMs: { value: durationMs, source: 'media' as const, confidence: 'high' as const },
    }),
    flags: sidecar?.startedAt?.note === undefined ? [...flags] : [...flags.add('time-doubled-hour')],
  };
}

function startOf(evidence: ClipTimeEvidence): Sourced<number> | undefined {
  const { sidecar, media, name } = evidence;
  if (sidecar?.startedAt !== undefined) return fromSidecar(sidecar.startedAt);
  if (media?.statedStartMs !== undefined && isPlausible(media.statedStartMs, evidence.settledAtMs)) {
    return { value: media.statedStartMs, source: 'media', confidence: 'high' };
  }
  if (name?.startedAt !== undefined) return plain(name.startedAt);
  return startFromCreation(evidence) ?? startFromFileTime(evidence);
}

function endOf(
  evidence: ClipTimeEvidence,
  startedAt: Sourced<number> | undefined,
  durationMs: number | undefined,
): Sourced<number> | undefined {
  const { sidecar, name } = evidence;
  if (sidecar?.endedAt !== undefined) return fromSidecar(sidecar.endedAt);
  if (name?.endedAt !== undefined && startedAt?.source === 'file-name') return plain(name.endedAt);
  if (startedAt === undefined || durationMs === undefined) return undefined;
  const note = 'start and duration added up';
  return { ...startedAt, value: startedAt.value + durationMs, source: 'media', note };
}

/** Creation time of the container, unless it is an epoch's zero, in the future, or the moment of the export. */
function startFromCreation(evidence: ClipTimeEvidence): Sourced<number> | undefined {
  const createdMs = evidence.media?.createdAtMs;
  if (createdMs === undefined || !isPlausible(createdMs, evidence.settledAtMs, 0)) return undefined;
  const exportTimes = [fileTimeMs(evidence.file), evidence.exportedAtMs];
  if (exportTimes.some((timeMs) => Math.abs(createdMs - timeMs) <= EXPORT_TIME_MARGIN_MS)) return undefined;
  const value = createdMs + evidence.clockOffsetSeconds * 1000;
  return { value, source: 'media', confidence: 'medium', note: 'creation time in the file' };
}

function startFromFileTime(evidence: ClipTimeEvidence): Sourced<number> | undefined {
  const durationMs = plausibleDuration(evidence.media?.durationMs);
  const fileMs = fileTimeMs(evidence.file);
  if (durationMs === undefined || !isPlausible(fileMs, evidence.settledAtMs, 0)) return undefined;
  const note = 'file time less duration; copying or exporting sets the file time, so this may be far off';
  return { value: fileMs - durationMs, source: 'file-time', confidence: 'low', note };
}

function fromSidecar(time: SidecarTime): Sourced<number> {
  const { ms, note } = time;
  if (note === undefined) return { value: ms, source: 'sidecar', confidence: 'high' };
  return { value: ms, source: 'sidecar', confidence: 'low', note };
}

function plain({ value, source, confidence, note }: Sourced<number>): Sourced<number> {
  return { value, source, confidence, ...(note !== undefined && { note }) };
}

/** Modification time of a file, milliseconds since 1970 UTC; NaN when it has none that can be read. */
export function fileTimeMs(file: FileSeen): number {
  return /^-?\d{1,30}$/.test(file.mtimeNs) ? Math.round(Number(file.mtimeNs) / 1e6) : Number.NaN;
}

/** Whether a recording can be from then. */
export function isPlausible(
  ms: number,
  settledAtMs: number,
  toleranceMs: number = FUTURE_TOLERANCE_MS,
): boolean {
  return ms >= EARLIEST_PLAUSIBLE_MS && ms <= settledAtMs + toleranceMs;
}

function plausibleDuration(durationMs: number | undefined): number | undefined {
  if (durationMs === undefined || !(durationMs > 0) || durationMs > LONGEST_CLIP_MS) return undefined;
  return Math.round(durationMs);
}

function differs(spanMs: number, durationMs: number): boolean {
  return Math.abs(spanMs - durationMs) > Math.max(DIFFERENCE_MS, durationMs * DIFFERENCE_SHARE);
}
