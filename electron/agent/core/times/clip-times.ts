import type { ClipFlag } from '../../../../shared/domain/upload-view.ts';
import { standing, type Candidate, type Sourced } from '../../../../shared/domain/file-account.ts';
import type { FileSeen } from '../settle/file-seen.ts';
import type { MediaFacts } from '../naming/file-content.ts';
import type { ClipNameReading, NameTime } from '../naming/read-clip-name.ts';
import type { SidecarTime, SidecarVideo } from '../naming/sidecar.ts';
import { fileTimeMs, isPlausible, WRITTEN_NOTE } from './file-time.ts';
import { compareClocks, formatUtc, parseRfc3339, resolveWallTime } from './zoned-time.ts';

/** The evidence for the times of one clip. */
export interface ClipTimeEvidence {
  readonly file: FileSeen;
  readonly sidecar?: SidecarVideo;
  readonly name?: ClipNameReading;
  readonly media?: MediaFacts;
  readonly clockOffsetSeconds: number;
  /** IANA zone in which times without one were read. */
  readonly timeZone: string;
  /** When the export folder was created, milliseconds since 1970 UTC; 0: unknown. */
  readonly exportedAtMs: number;
  readonly settledAtMs: number;
  /** Use the last write time of the file if there is no other time. */
  readonly sendsFileTimes?: boolean;
}

/** Start, end and duration of one clip with their sources, and flags for what is odd about them. */
export interface ClipTimes {
  readonly startedAt?: Sourced<number>;
  readonly recordedStartedAtMs?: number;
  readonly endedAt?: Sourced<number>;
  readonly durationMs?: Sourced<number>;
  readonly flags: readonly ClipFlag[];
}

/** A creation time this near to the time of the export counts as the export's, milliseconds. */
const EXPORT_TIME_MARGIN_MS = 120_000;
/** Longest plausible clip, milliseconds: recorders and players document 24 h; a week leaves room. */
const LONGEST_CLIP_MS = 7 * 86_400_000;
/** Duration and name may differ by this much, milliseconds, or by `DIFFERENCE_SHARE`: exports end on key frames. */
const DIFFERENCE_MS = 5000;
const DIFFERENCE_SHARE = 0.05;
/**
 * A creation time proves a zone only if it is this near to whole hours, milliseconds: other differences arise by
 * chance.
 */
const SURE_MS = 2000;
const HOUR_MS = 3_600_000;
/** Largest difference between two zones, milliseconds. */
const WIDEST_ZONES_MS = 26 * HOUR_MS;

/**
 * Times of one clip, by source in order of trust: sidecar, the container's stated start, file name, creation time. The
 * last write time is not a time of the recording; it comes last, and only if the desk wants it (service.md gap 31).
 */
export function clipTimes(evidence: ClipTimeEvidence): ClipTimes {
  const { file, sidecar, name, media } = evidence;
  const durationMs = plausibleDuration(media?.durationMs);
  const { startedAt, flag } = withOtherClock(standing(startCandidates(evidence)), evidence);
  const statedEnd = standing(endCandidates(evidence, startedAt));
  // An end before the start is certainly wrong: it is flagged and not passed on
  const endedAt = startedAt && statedEnd && statedEnd.value < startedAt.value ? undefined : statedEnd;
  const flags = new Set<ClipFlag>(flag === undefined ? [] : [flag]);
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
  if (sidecar?.startedAt?.note !== undefined)
    flags.add(sidecar.startedAt.isNonexistent === true ? 'time-nonexistent' : 'time-doubled-hour');
  return {
    ...(startedAt && { startedAt }),
    ...(startedAt?.source === 'file-name' &&
      name?.startedAt && { recordedStartedAtMs: name.startedAt.recordedMs }),
    ...(endedAt && { endedAt }),
    ...(durationMs !== undefined && {
      durationMs: { value: durationMs, source: 'media' as const, confidence: 'high' as const },
    }),
    flags: [...flags],
  };
}

/** Every candidate for the start, in order of trust. The winner may still be compared with another clock. */
export function startCandidates(evidence: ClipTimeEvidence): readonly Candidate<number>[] {
  const { file, sidecar, media, name } = evidence;
  const writtenMs = fileTimeMs(file);
  return [
    ...(sidecar?.startedAt === undefined ? [] : [fromSidecar(sidecar.startedAt)]),
    ...(media?.statedStartMs === undefined ? [] : [statedStart(media.statedStartMs, evidence)]),
    ...(name?.startedAt === undefined ? [] : [plain(name.startedAt)]),
    ...startFromEnd(evidence),
    ...startFromCreation(evidence),
    ...startFromClock(evidence),
    ...(Number.isNaN(writtenMs) ? [] : [fileTime(writtenMs, evidence)]),
  ];
}

const unlikely = 'it is before 2000 or in the future';

function statedStart(value: number, { settledAtMs }: ClipTimeEvidence): Candidate<number> {
  const stated = { value, source: 'media', confidence: 'high' } as const;
  return isPlausible(value, settledAtMs) ? stated : { ...stated, refused: unlikely };
}

function fileTime(value: number, evidence: ClipTimeEvidence): Candidate<number> {
  const { settledAtMs, sendsFileTimes, sidecar, name } = evidence;
  const written = { value, source: 'file-time', confidence: 'low' } as const;
  if (sendsFileTimes !== true)
    return { ...written, refused: 'the time a file was written does not show when it was recorded' };
  if ((sidecar?.endedAt ?? name?.endedAt) !== undefined)
    return { ...written, refused: 'when it ended is known' };
  if (!isPlausible(value, settledAtMs, 0)) return { ...written, refused: unlikely };
  return { ...written, note: `last write time of the file; ${WRITTEN_NOTE}` };
}

/** The start by a name that states only the end: the end minus the duration, if that is known. */
function startFromEnd({ name, media }: ClipTimeEvidence): readonly Candidate<number>[] {
  const durationMs = plausibleDuration(media?.durationMs);
  if (name?.endedAt === undefined || durationMs === undefined) return [];
  const { value, source, confidence } = name.endedAt;
  return [{ value: value - durationMs, source, confidence, note: 'end time in the name minus the duration' }];
}

interface Compared {
  readonly startedAt: Sourced<number> | undefined;
  readonly flag?: ClipFlag;
}

/**
 * Compares the start with that of a second clock, if any. If they agree, confidence is higher; if not, the more trusted
 * one is kept and both are shown.
 */
function withOtherClock(startedAt: Sourced<number> | undefined, evidence: ClipTimeEvidence): Compared {
  const { name, media, sidecar, timeZone } = evidence;
  if (startedAt === undefined || sidecar?.startedAt !== undefined) return { startedAt };
  if (startedAt.source === 'media' && media?.otherStartMs !== undefined) {
    const note = `a later signature states ${formatUtc(media.otherStartMs)}; neither is proven`;
    return { startedAt: { ...startedAt, confidence: 'low', note }, flag: 'clocks-differ' };
  }
  const pair = otherClock(startedAt, evidence);
  if (pair === undefined) return { startedAt };
  const { knownMs, shiftMs, other, otherMs } = pair;
  const agreeing = pair.localMs.find((ms) => compareClocks(ms, knownMs, timeZone).kind === 'agree');
  if (agreeing !== undefined) {
    const isOfName = startedAt.source === 'file-name' && name?.beside === undefined;
    const { value, source } = startedAt;
    return {
      startedAt: {
        value: isOfName ? agreeing + shiftMs : value,
        source,
        confidence: 'high',
        note: `${other} the same`,
      },
    };
  }
  const verdict = compareClocks(pair.localMs[0] ?? knownMs, knownMs, timeZone);
  if (verdict.kind !== 'zone') {
    const note = `${other} ${formatUtc(otherMs)}`;
    return { startedAt: { ...startedAt, note }, flag: 'clocks-differ' };
  }
  const { zone } = verdict;
  const fits = zone === undefined ? '' : `; ${zone} would fit`;
  const note = `${other} ${formatUtc(otherMs)}: the time zone ${timeZone} looks wrong${fits}`;
  return { startedAt: { ...startedAt, note, ...(zone !== undefined && { zone }) }, flag: 'zone-unlikely' };
}

/** The start by a local clock and by one that states its zone. Milliseconds since 1970 UTC. */
interface ClockPair {
  /** More than one if the hour is doubled. */
  readonly localMs: readonly number[];
  readonly knownMs: number;
  /** Added to the local time to correct its clock. */
  readonly shiftMs: number;
  readonly other: string;
  readonly otherMs: number;
}

function otherClock(startedAt: Sourced<number>, evidence: ClipTimeEvidence): ClockPair | undefined {
  const { name, media } = evidence;
  if (name?.beside !== undefined && startedAt.source === 'file-name') {
    const [other, otherMs] = ['the other clock in the name says', name.beside.value];
    return { localMs: instantsOf(name.beside, 0), knownMs: startedAt.value, shiftMs: 0, other, otherMs };
  }
  const local = name?.startedAt;
  // A time that states its zone says nothing about the local zone
  if (local === undefined || local.isInstant === true) return undefined;
  if (startedAt.source === 'media' && media?.statedStartMs !== undefined) {
    const [other, otherMs] = ['the name says', local.value];
    return { localMs: instantsOf(local, 0), knownMs: startedAt.value, shiftMs: 0, other, otherMs };
  }
  const createdMs = believedCreation(evidence);
  if (createdMs === undefined || startedAt.source !== 'file-name') return undefined;
  // Both come from the recorder's clock, so its offset is left out
  const shiftMs = local.value - local.recordedMs;
  const apartMs = createdMs - local.recordedMs;
  // Many exporters write the time of the export: only whole hours between the two mean a zone, not chance
  if (Math.abs(apartMs - Math.round(apartMs / HOUR_MS) * HOUR_MS) > SURE_MS) return undefined;
  if (Math.abs(apartMs) > WIDEST_ZONES_MS) return undefined;
  const other = "the file's metadata says";
  return { localMs: instantsOf(local, shiftMs), knownMs: createdMs, shiftMs, other, otherMs: createdMs };
}

/** The instants that a time can mean: two in a doubled hour. */
function instantsOf({ value, laterMs }: NameTime, shiftMs: number): readonly number[] {
  return [value - shiftMs, ...(laterMs === undefined ? [] : [laterMs - shiftMs])];
}

/** Every candidate for the end, in order of trust. */
export function endCandidates(
  { sidecar, name, media }: ClipTimeEvidence,
  startedAt: Sourced<number> | undefined,
): readonly Candidate<number>[] {
  const durationMs = plausibleDuration(media?.durationMs);
  const isOfName = startedAt === undefined || startedAt.source === 'file-name';
  const ofName = name?.endedAt && plain(name.endedAt);
  // No recording continues after its file was last written
  const isStart = startedAt !== undefined && startedAt.source !== 'file-time';
  const sum = isStart && durationMs !== undefined && startedAt.value + durationMs;
  return [
    ...(sidecar?.endedAt === undefined ? [] : [fromSidecar(sidecar.endedAt)]),
    ...(ofName === undefined
      ? []
      : [isOfName ? ofName : { ...ofName, refused: 'the start comes from another source' }]),
    ...(typeof sum === 'number' && startedAt
      ? [{ ...startedAt, value: sum, source: 'media' as const, note: 'start time plus the duration' }]
      : []),
  ];
}

/** Creation time of the container; refused if it is an epoch's zero, in the future, or the moment of the export. */
function startFromCreation(evidence: ClipTimeEvidence): readonly Candidate<number>[] {
  const createdMs = evidence.media?.createdAtMs;
  if (createdMs === undefined) return [];
  const refused = creationRefusal(createdMs, evidence);
  const value = createdMs + evidence.clockOffsetSeconds * 1000;
  const note = 'creation time in the file';
  return [{ value, source: 'media', confidence: 'medium', note, ...(refused !== undefined && { refused }) }];
}

/** The date in the header of an AVI, from a clock without a zone. */
function startFromClock(evidence: ClipTimeEvidence): readonly Candidate<number>[] {
  const { media, timeZone, clockOffsetSeconds } = evidence;
  const written = media?.clockText === undefined ? undefined : parseRfc3339(media.clockText);
  const time = written?.kind === 'wall' ? resolveWallTime(written.wall, timeZone) : undefined;
  if (time === undefined) return [];
  const refused = creationRefusal(time.ms, evidence);
  const confidence = time.ambiguous || time.nonexistent ? 'low' : 'medium';
  const value = time.ms + clockOffsetSeconds * 1000;
  const note = "date in the file, from the recorder's clock";
  return [{ value, source: 'media', confidence, note, ...(refused !== undefined && { refused }) }];
}

function creationRefusal(
  createdMs: number,
  { file, exportedAtMs, settledAtMs }: ClipTimeEvidence,
): string | undefined {
  if (!isPlausible(createdMs, settledAtMs, 0)) return unlikely;
  const exportTimes = [fileTimeMs(file), exportedAtMs];
  const isOfExport = exportTimes.some((timeMs) => Math.abs(createdMs - timeMs) <= EXPORT_TIME_MARGIN_MS);
  return isOfExport ? 'it is the time of the export' : undefined;
}

function believedCreation(evidence: ClipTimeEvidence): number | undefined {
  const createdMs = evidence.media?.createdAtMs;
  if (createdMs === undefined || creationRefusal(createdMs, evidence) !== undefined) return undefined;
  return createdMs;
}

function fromSidecar(time: SidecarTime): Sourced<number> {
  const { ms, note } = time;
  if (note === undefined) return { value: ms, source: 'sidecar', confidence: 'high' };
  return { value: ms, source: 'sidecar', confidence: 'low', note };
}

function plain({ value, source, confidence, note }: Sourced<number>): Sourced<number> {
  return { value, source, confidence, ...(note !== undefined && { note }) };
}

function plausibleDuration(durationMs: number | undefined): number | undefined {
  if (durationMs === undefined || !(durationMs > 0) || durationMs > LONGEST_CLIP_MS) return undefined;
  return Math.round(durationMs);
}

function differs(spanMs: number, durationMs: number): boolean {
  return Math.abs(spanMs - durationMs) > Math.max(DIFFERENCE_MS, durationMs * DIFFERENCE_SHARE);
}
