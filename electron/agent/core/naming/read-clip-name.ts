import type { Confidence, Sourced } from '../../../../shared/domain/file-account.ts';
import { resolveWallTime, type WrittenTime } from '../times/zoned-time.ts';
import { isFreeCameraName } from './camera-registry.ts';
import type { FindCamera } from './camera-registry.ts';
import type { OwnPattern } from './own-patterns.ts';
import { readGroups, type NameFields, type PathShape, type Recogniser } from './recogniser.ts';
import { recognisers, systems } from './recognisers.ts';
import { inDayOrder } from './systems/generic.ts';
import type { DayOrder } from '../../../../shared/domain/naming-settings.ts';

/** Longest file name that is read, characters: the limit of file systems. */
export const MAX_NAME_LENGTH = 255;
/** Most parts of a path that any system's shape looks at. */
const MOST_PARTS = 8;

/** How the names of a watched folder are read. `timeZone` is a known IANA zone. */
export interface ClipNameRules {
  /** Name of a recogniser, or `auto` to try all. */
  readonly profile: string;
  readonly timeZone: string;
  /** True time = time in the name + this many seconds. */
  readonly clockOffsetSeconds: number;
  /**
   * Whether day or month comes first in a date that ends with its year; missing: unknown, so such dates are not read.
   */
  readonly dateOrder?: DayOrder;
  /** Position of incidents if nothing else states it, degrees. */
  readonly position?: { readonly latitude: number; readonly longitude: number };
  /** Patterns written at the desk, in their order: they are tried first. */
  readonly patterns?: readonly OwnPattern[];
  /** Finds the camera of a clip among those known to the desk. */
  readonly findCamera?: FindCamera;
  /** Use the last write time of a file if nothing else says when it was recorded. */
  readonly sendsFileTimes?: boolean;
}

/** A time read from a name, milliseconds since 1970 UTC, corrected by the clock offset. */
export interface NameTime extends Sourced<number> {
  /** The time as the recorder wrote it, before the clock offset. */
  readonly recordedMs: number;
  /** The other instant of a doubled hour, corrected like `value`. */
  readonly laterMs?: number;
  /** The clock never showed this time (start of summer time). */
  readonly isNonexistent: boolean;
  /** The name states the zone, or needs none. */
  readonly isInstant?: true;
}

/** What was read from a path. */
export interface ClipNameReading {
  readonly profile: string;
  /** The system's name for people. */
  readonly system: string;
  readonly trust: Recogniser['trust'];
  readonly cameraName?: string;
  readonly recorder?: string;
  readonly channel?: string;
  readonly device?: string;
  readonly startedAt?: NameTime;
  readonly endedAt?: NameTime;
  /** The start by a second clock in the same name. */
  readonly beside?: NameTime;
  /** There is no camera, so no folder may name it. */
  readonly isNoCamera?: true;
  /** Systems that fit equally well but read different values, so nothing is read. */
  readonly tied?: readonly Pick<Recogniser, 'name' | 'system'>[];
}

/** Whether `name` is `auto`, the name of a recogniser, or that of a pattern of the desk. */
export function isProfileName(name: string, patterns: readonly OwnPattern[] = []): boolean {
  const known = [...patterns.map(({ recogniser }) => recogniser), ...recognisers];
  return name === 'auto' || known.some((recogniser) => recogniser.name === name);
}

/** One recogniser that fits a path, and what it reads. */
export interface Fit {
  readonly recogniser: Recogniser;
  readonly shape: PathShape;
  readonly fields: NameFields;
}

/**
 * Reads camera and times from a path; undefined if nothing fits. Never guesses the order of day and month.
 * `exportPath`: the export's own folders. They may carry a date, but an incident's folder names no camera.
 */
export function readClipName(
  path: string,
  rules: ClipNameRules,
  exportPath = '',
): ClipNameReading | undefined {
  const parts = partsOf(path, exportPath);
  if (parts === undefined) return undefined;
  const own = path.split('/').length;
  const byPattern = readByPatterns(parts, rules);
  if (byPattern !== undefined) return byPattern;
  if (rules.profile !== 'auto') {
    const chosen = recognisers.filter(({ name }) => name === rules.profile);
    const [fit] = fitsOf(chosen, parts, own);
    return fit && toReading(fit, rules, parts);
  }
  const fits = mostParts(fitsOf(systems, parts, own));
  const [first, ...others] = fits;
  if (first === undefined) {
    const [fit] = fitsOf(candidatesOf(rules), parts, own);
    return fit && toReading(fit, rules, parts);
  }
  const reads = JSON.stringify(first.fields);
  if (others.every(({ fields }) => JSON.stringify(fields) === reads)) return toReading(first, rules, parts);
  const tied = fits.map(({ recogniser: { name, system } }) => ({ name, system }));
  return { profile: 'auto', system: '', trust: 'generic', tied };
}

/** All recognisers that apply in a folder. */
export const candidatesOf = ({ dateOrder }: Pick<ClipNameRules, 'dateOrder'>): readonly Recogniser[] =>
  dateOrder === undefined ? recognisers : [...recognisers, inDayOrder(dateOrder)];

/** The reading of the desk's first pattern that fits; if the settings name one, only that one is tried. */
function readByPatterns(parts: readonly string[], rules: ClipNameRules): ClipNameReading | undefined {
  const { patterns = [], profile } = rules;
  const named = patterns.filter(({ recogniser }) => recogniser.name === profile);
  const path = parts.join('/');
  for (const { recogniser, timeZone = rules.timeZone, read } of named.length > 0 ? named : patterns) {
    const fields = read(path);
    if (fields === undefined) continue;
    return toReading({ recogniser, shape: { parts: [] }, fields }, { ...rules, timeZone }, parts);
  }
  return undefined;
}

/** The names in a path, from the export's folders to the file; undefined if one is longer than any system writes. */
export function partsOf(path: string, exportPath: string): readonly string[] | undefined {
  const parts = [...exportPath.split('/').filter((part) => part !== ''), ...path.split('/')];
  const near = parts.slice(-MOST_PARTS);
  return near.some((part) => part.length > MAX_NAME_LENGTH) ? undefined : near;
}

/** All recognisers that fit, each with its first shape that does. The last `own` parts lie inside the export. */
export function fitsOf(
  candidates: readonly Recogniser[],
  parts: readonly string[],
  own: number,
): readonly Fit[] {
  return candidates.flatMap((recogniser) => {
    for (const shape of recogniser.shapes) {
      const fields = readShape(shape, parts, own);
      if (fields !== undefined) return [{ recogniser, shape, fields }];
    }
    return [];
  });
}

/** Keeps the fits that explain the most parts: their shapes know most about the path. */
function mostParts(fits: readonly Fit[]): readonly Fit[] {
  const most = Math.max(...fits.map(({ shape }) => shape.parts.length));
  return fits.filter(({ shape }) => shape.parts.length === most);
}

function readShape(shape: PathShape, parts: readonly string[], own: number): NameFields | undefined {
  const skipped = parts.length - shape.parts.length;
  if (skipped < 0) return undefined;
  const groups: Record<string, string | undefined> = {};
  // From the file name upwards, where most shapes already fail
  for (let index = shape.parts.length - 1; index >= 0; index -= 1) {
    const match = shape.parts[index]?.exec(parts[skipped + index] ?? '');
    if (match === null || match === undefined) return undefined;
    Object.assign(groups, match.groups);
    const isFolder = index < shape.parts.length - 1;
    const isInside = skipped + index >= parts.length - own;
    const { cam } = match.groups ?? {};
    if (cam !== undefined && isFolder && !(isInside && isFreeCameraName(cam))) delete groups['cam'];
  }
  return (shape.read ?? readGroups)(groups);
}

function toReading(
  { recogniser, shape, fields }: Fit,
  rules: ClipNameRules,
  parts: readonly string[],
): ClipNameReading {
  const { name, system, trust, isNoCamera } = recogniser;
  const clock = shape.clock ?? recogniser.clock;
  const timed = (time: WrittenTime | undefined): NameTime | undefined =>
    time && toNameTime(time, { trust, clock }, rules);
  const startedAt = timed(fields.start);
  const onSameDay = fields.end?.kind === 'wall' && fields.end.sameDay;
  const sameDay = onSameDay ? timed({ kind: 'wall', wall: onSameDay }) : undefined;
  const endedAt =
    startedAt && sameDay && isPutBack(startedAt, sameDay) ? laterReading(sameDay) : timed(fields.end);
  // The second clock in a name shows local time
  const beside = fields.beside && toNameTime(fields.beside, { trust, clock: 'local' }, rules);
  const free = shape.hasFreeFileName === true ? freeTimes(parts, rules) : {};
  const { cameraName } = fields;
  const isNamed =
    cameraName !== undefined && (trust === 'vendor' || trust === 'desk' || isFreeCameraName(cameraName));
  return {
    profile: name,
    system,
    trust,
    ...(isNamed && { cameraName }),
    ...(fields.recorder !== undefined && { recorder: fields.recorder }),
    ...(fields.channel !== undefined && { channel: fields.channel }),
    ...(fields.device !== undefined && { device: fields.device }),
    ...(startedAt && { startedAt }),
    ...(endedAt && { endedAt: startedAt ? afterStart(endedAt, startedAt) : endedAt }),
    ...(beside && { beside }),
    ...(isNoCamera && { isNoCamera }),
    ...free,
  };
}

/** The times in a file name that its system does not define. */
function freeTimes(
  parts: readonly string[],
  rules: ClipNameRules,
): Pick<ClipNameReading, 'startedAt' | 'endedAt'> {
  const reading = readClipName(parts.at(-1) ?? '', rules);
  return {
    ...(reading?.startedAt && { startedAt: reading.startedAt }),
    ...(reading?.endedAt && { endedAt: reading.endedAt }),
  };
}

function toNameTime(
  written: WrittenTime,
  { trust, clock }: Pick<Recogniser, 'trust' | 'clock'>,
  rules: ClipNameRules,
): NameTime | undefined {
  const offsetMs = rules.clockOffsetSeconds * 1000;
  const base = { source: 'file-name' as const };
  if (written.kind === 'instant') {
    return {
      ...base,
      value: written.ms + offsetMs,
      recordedMs: written.ms,
      confidence: 'high',
      isNonexistent: false,
      isInstant: true,
    };
  }
  const time = resolveWallTime(written.wall, clock === 'utc' ? 'UTC' : rules.timeZone);
  if (time === undefined) return undefined;
  const isDoubtful = time.ambiguous || time.nonexistent || trust === 'generic' || clock === 'unsaid';
  const confidence: Confidence = isDoubtful ? 'low' : trust === 'desk' ? 'high' : 'medium';
  return {
    ...base,
    value: time.ms + offsetMs,
    recordedMs: time.ms,
    confidence,
    isNonexistent: time.nonexistent,
    ...(clock === 'utc' && { isInstant: true }),
    ...(clock === 'unsaid' && {
      note: 'the vendor does not document which clock this is: read as local time',
    }),
    ...(time.laterMs !== undefined && {
      laterMs: time.laterMs + offsetMs,
      note: 'the clock showed this hour twice: read as the earlier one',
    }),
    ...(time.nonexistent && { note: 'the clock skipped this time: read as if it had not changed yet' }),
  };
}

/** Whether the clock was put back between a start and an end that seems to be earlier or the same. */
const isPutBack = (start: NameTime, { value, laterMs = value }: NameTime): boolean =>
  value <= start.value && laterMs > start.value;

/** A clip that runs from the first into the second of two doubled hours seems to end before it starts. */
function afterStart(end: NameTime, start: NameTime): NameTime {
  return end.value < start.value ? laterReading(end) : end;
}

/** The same time, read as the second of its two possible instants; unchanged if there is only one. */
export function laterReading(time: NameTime): NameTime {
  const { laterMs, ...rest } = time;
  if (laterMs === undefined) return time;
  const shiftMs = laterMs - time.value;
  return {
    ...rest,
    value: laterMs,
    recordedMs: time.recordedMs + shiftMs,
    note: 'the clock showed this hour twice: read as the later one, because the earlier one would be out of order',
  };
}
