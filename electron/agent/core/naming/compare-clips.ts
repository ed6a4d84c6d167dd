/**
 * Finds what shows only when the clips of an export are compared: a camera whose clock is out of step with the others,
 * a recorder that started at its default date, and series with a gap. Nothing is corrected: the clip is flagged, and
 * its times are no longer trusted.
 */
import type { ClipFlag } from '../../../../shared/domain/upload-view.ts';
import { visibleName } from '../../../../shared/lib/visible-name.ts';
import { baseName, folderOf, splitName, stemPath } from './file-kinds.ts';
import type { DescribedClip } from './described-export.ts';
import type { ExportWarning, ExportWarningCode } from './recognise-export.ts';

/** Cameras of one incident record within this time of each other, milliseconds. */
const IN_STEP_MS = 10 * 60_000;
const HALF_DAY_MS = 12 * 3_600_000;
const DAY_MS = 86_400_000;
/**
 * A recorder that lost its clock starts on 1 January of some year; a real New Year event is exported sooner than this.
 */
const DEFAULT_AGE_MS = 60 * DAY_MS;
/** Pieces of one recording follow each other this closely, milliseconds: exports end on key frames. */
const SEAMLESS_MS = 10_000;
/** How many missing numbers of a series a message names. */
const MOST_NAMED = 5;

/** Result of comparing the clips of an export. */
export interface ComparedClips {
  /** By path of the clip. */
  readonly flags: ReadonlyMap<string, readonly ClipFlag[]>;
  readonly warnings: readonly ExportWarning[];
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Compares the clips of an export. `settledAtMs`: when the export settled. */
export function compareClips(described: readonly DescribedClip[], settledAtMs: number): ComparedClips {
  const clips = described.map(byClock);
  const flags = new Map<string, ClipFlag[]>();
  const flag = (path: string, ...more: readonly ClipFlag[]): void =>
    void flags.set(path, [...(flags.get(path) ?? []), ...more]);
  const byCamera = Map.groupBy(clips, cameraOf);
  for (const clip of clips) if (isOfDefaultDate(clip, settledAtMs)) flag(clip.path, 'clock-reset');
  for (const [camera, verdict] of outOfStep(byCamera))
    for (const { path, startedAt } of byCamera.get(camera) ?? [])
      if (startedAt !== undefined) flag(path, verdict);
  const gaps = [...byCamera.values()].flatMap((ofCamera) => [
    ...missingTimes(ofCamera),
    ...cutStarts(ofCamera),
  ]);
  const missing = [...gaps, ...missingNumbers(clips)];
  for (const { path } of missing) flag(path, 'gap-before');
  return {
    flags,
    warnings: missing.map(({ path, text }) => ({
      code: 'SERIES_GAP',
      message: `${text} Check that the export is complete.`,
      file: path,
    })),
  };
}

/** Leaves out the last write time of a file, which is not from a camera's clock. */
function byClock(clip: DescribedClip): DescribedClip {
  const { startedAt, ...rest } = clip;
  return startedAt?.source === 'file-time' ? rest : clip;
}

const cameraOf = ({ path, cameraId, cameraName }: DescribedClip): string =>
  JSON.stringify([cameraId?.value, cameraName?.value, cameraName === undefined ? folderOf(path) : '']);

/**
 * Whether the start is from the recorder's clock. A person, a sidecar and a clock that states its zone are not doubted.
 */
const isOfRecorder = ({ startedAt }: DescribedClip): boolean =>
  startedAt?.source === 'file-name' || (startedAt?.source === 'media' && startedAt.confidence !== 'high');

function isOfDefaultDate(clip: DescribedClip, settledAtMs: number): boolean {
  const { startedAt } = clip;
  if (startedAt === undefined || !isOfRecorder(clip)) return false;
  const start = new Date(startedAt.value);
  const isFirstDays = start.getUTCMonth() === 0 && start.getUTCDate() <= 2;
  return isFirstDays && settledAtMs - startedAt.value > DEFAULT_AGE_MS;
}

function spanOf(clips: readonly DescribedClip[]): Span | undefined {
  const times = clips.flatMap(({ startedAt, endedAt }) =>
    startedAt === undefined ? [] : [startedAt.value, endedAt?.value ?? startedAt.value],
  );
  if (times.length === 0) return undefined;
  return {
    fromMs: times.reduce((least, time) => Math.min(least, time)),
    toMs: times.reduce((most, time) => Math.max(most, time)),
  };
}

const apart = (one: Span, other: Span): number =>
  Math.max(0, one.fromMs - other.toMs, other.fromMs - one.toMs);

/** The one camera that is far from all others while those agree; if two are half a day apart, both. */
function outOfStep(
  byCamera: ReadonlyMap<string, readonly DescribedClip[]>,
): readonly (readonly [string, ClipFlag])[] {
  const spans = [...byCamera].flatMap(([camera, clips]) => {
    const span = spanOf(clips);
    return span === undefined ? [] : [{ camera, span, isOwnClock: clips.some(isOfRecorder) }];
  });
  // This many cameras do not record one incident: each has its own times
  if (spans.length < 2 || spans.length > 30) return [];
  return spans.flatMap(({ camera, span, isOwnClock }): (readonly [string, ClipFlag])[] => {
    const others = spans.filter((each) => each.camera !== camera).map((each) => each.span);
    const [first] = others;
    if (!isOwnClock || first === undefined || !lieTogether(others)) return [];
    const distanceMs = Math.min(...others.map((other) => apart(span, other)));
    const fromStartMs = Math.min(...others.map((other) => Math.abs(span.fromMs - other.fromMs)));
    if (Math.abs(fromStartMs - HALF_DAY_MS) <= IN_STEP_MS && distanceMs > IN_STEP_MS)
      return [[camera, 'clock-half-day']];
    return others.length > 1 && distanceMs > IN_STEP_MS ? [[camera, 'clock-out-of-step']] : [];
  });
}

/** Whether each span lies near the one before it. */
function lieTogether(spans: readonly Span[]): boolean {
  const ordered = spans.toSorted((one, other) => one.fromMs - other.fromMs);
  let endMs = ordered[0]?.toMs ?? 0;
  for (const span of ordered) {
    if (span.fromMs - endMs > IN_STEP_MS) return false;
    endMs = Math.max(endMs, span.toMs);
  }
  return true;
}

/** Something is missing before this clip. */
interface Gap {
  readonly path: string;
  readonly text: string;
}

const quoted = (path: string): string => `"${visibleName(path)}"`;

/** Recordings are cut into pieces, often of an hour: if most follow each other closely, a hole is a missing piece. */
function missingTimes(clips: readonly DescribedClip[]): readonly Gap[] {
  const pieces = clips
    .flatMap(({ path, startedAt, endedAt }) =>
      startedAt === undefined || endedAt === undefined
        ? []
        : [{ path, fromMs: startedAt.value, toMs: endedAt.value }],
    )
    .toSorted((one, other) => one.fromMs - other.fromMs);
  if (pieces.length < 3) return [];
  const seams = pieces.slice(1).map((piece, index) => ({
    piece,
    before: pieces[index] ?? piece,
    holeMs: piece.fromMs - (pieces[index]?.toMs ?? piece.fromMs),
  }));
  const seamless = seams.filter(({ holeMs }) => Math.abs(holeMs) <= SEAMLESS_MS).length;
  if (seamless * 2 < seams.length) return [];
  const lengths = pieces.map(({ fromMs, toMs }) => toMs - fromMs).toSorted((one, other) => one - other);
  const usualMs = lengths[Math.floor(lengths.length / 2)] ?? 0;
  return seams
    .filter(({ holeMs }) => holeMs > SEAMLESS_MS && holeMs >= usualMs / 2)
    .map(({ piece, before, holeMs }) => ({
      path: piece.path,
      text: `${minutesOf(holeMs)} are missing between ${quoted(before.path)} and ${quoted(piece.path)}.`,
    }));
}

const minutesOf = (ms: number): string =>
  ms < 120_000 ? `${Math.round(ms / 1000)} seconds` : `${Math.round(ms / 60_000)} minutes`;

/** A name that ends with `+` continues the recording before it. */
function cutStarts(clips: readonly DescribedClip[]): readonly Gap[] {
  const ordered = clips.toSorted((one, other) => (one.startedAt?.value ?? 0) - (other.startedAt?.value ?? 0));
  const [first] = ordered;
  if (first === undefined || !splitName(baseName(first.path)).stem.endsWith('+')) return [];
  const text = `${quoted(first.path)} continues a recording whose beginning is not in the export.`;
  return [{ path: first.path, text }];
}

const dated = /(?<!\d)(?:19|20)\d{2}[-_.]?\d{2}[-_.]?\d{2}(?!\d)|(?<!\d)\d{14}(?!\d)/;

/** Finds holes in `_1` to `_n` after the same name. If that has no date, the numbers may be those of cameras. */
function missingNumbers(clips: readonly DescribedClip[]): readonly Gap[] {
  const numbered = clips.flatMap(({ path }) => {
    const [, prefix = '', digits = ''] = /^(.*)_(\d{1,3})$/.exec(stemPath(path)) ?? [];
    const isSeries = dated.test(baseName(prefix)) || /\.g64x?$/i.test(path);
    return isSeries ? [{ path, prefix, number: Number(digits) }] : [];
  });
  return [...Map.groupBy(numbered, ({ prefix }) => prefix).values()].flatMap((series) => {
    const present = new Map(series.map(({ number, path }) => [number, path]));
    const last = Math.max(...present.keys());
    const missing = Array.from({ length: last }, (_, index) => index + 1).filter(
      (each) => !present.has(each),
    );
    // A single number, or a series that is mostly holes, does not count
    if (present.size < 2 || missing.length === 0 || missing.length >= present.size) return [];
    const path =
      present.get(Math.min(...[...present.keys()].filter((each) => each > (missing[0] ?? 0)))) ?? '';
    const named = missing.slice(0, MOST_NAMED).join(', ');
    const more = missing.length > MOST_NAMED ? ` and ${missing.length - MOST_NAMED} more` : '';
    const [one] = series;
    const of = quoted(`${one?.prefix ?? ''}_…`);
    return [
      {
        path,
        text: `${missing.length === 1 ? 'Number' : 'Numbers'} ${named}${more} of the series ${of} ${missing.length === 1 ? 'is' : 'are'} missing.`,
      },
    ];
  });
}

const doubts: ReadonlySet<ClipFlag> = new Set(['clock-reset', 'clock-half-day', 'clock-out-of-step']);

/** Whether the clock of a clip with these flags is probably wrong. */
export const isClockDoubted = (flags: readonly ClipFlag[]): boolean => flags.some((flag) => doubts.has(flag));

/** Adds flags. A time that another camera contradicts is kept with low confidence, as nothing better is known. */
export function withFlags(clip: DescribedClip, more: readonly ClipFlag[]): DescribedClip {
  if (more.length === 0) return clip;
  const isDoubted = isClockDoubted(more);
  const { startedAt, endedAt } = clip;
  const low = { confidence: 'low' as const };
  return {
    ...clip,
    ...(isDoubted && startedAt && { startedAt: { ...startedAt, ...low } }),
    ...(isDoubted && endedAt && { endedAt: { ...endedAt, ...low } }),
    flags: [...clip.flags, ...more],
  };
}

const flagWarnings: Partial<Record<ClipFlag, readonly [ExportWarningCode, string]>> = {
  'needs-vendor-player': [
    'NEEDS_VENDOR_PLAYER',
    "is in a vendor's own format: it is sent as is and needs the vendor's player",
  ],
  'time-doubled-hour': ['TIME_DOUBLED', 'has a time that the clock showed twice at the end of summer time'],
  'time-nonexistent': ['TIME_MISSING_HOUR', 'has a time that the clock skipped at the start of summer time'],
  'time-order': ['TIME_ORDER', 'ends before it starts, or lasts longer than a week'],
  'time-unlikely': ['FILE_TIME_UNLIKELY', 'has a time before 2000 or in the future'],
  'clocks-differ': ['CLOCKS_DIFFER', 'has start times from two clocks that disagree'],
  'zone-unlikely': [
    'ZONE_UNLIKELY',
    'has start times from two clocks that disagree: the time zone of its folder looks wrong',
  ],
  'not-listed': ['FILE_NOT_LISTED', 'is not in the file list of its folder'],
  'clock-reset': [
    'CAMERA_CLOCK',
    "starts in the first days of January: its recorder's clock may have been reset",
  ],
  'clock-half-day': [
    'CAMERA_CLOCK',
    "is from a camera whose times differ from every other camera's by about twelve hours: its clock may be set wrong",
  ],
  'clock-out-of-step': [
    'CAMERA_CLOCK',
    'is from a camera whose times are more than ten minutes away from those of any other camera: if its clock is wrong, correct it in Settings, Cameras ("cameras" in the settings file)',
  ],
  'duration-differs': ['DURATION_DIFFERS', 'has a duration that does not match its start and end'],
};

/** The flags of a clip in words. */
export function clipWarnings(clip: DescribedClip): readonly ExportWarning[] {
  return clip.flags.flatMap((flag) => {
    const [code, text] = flagWarnings[flag] ?? [];
    if (code === undefined || text === undefined) return [];
    return [{ code, message: `"${visibleName(clip.path)}" ${text}.`, file: clip.path }];
  });
}
