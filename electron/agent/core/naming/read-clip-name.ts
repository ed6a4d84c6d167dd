import type { Confidence, Sourced } from '../../../../shared/domain/sourced.ts';
import { clipNameProfiles } from './clip-name-profiles.ts';
import { type ClipNameProfile, type NameFields } from './clip-name-profile.ts';
import { resolveWallTime, type WrittenTime } from '../times/zoned-time.ts';

/** Longest file name that is read, characters: what file systems allow. */
export const MAX_NAME_LENGTH = 255;

/** How the names of a watched folder are read. `timeZone` is a known IANA zone. */
export interface ClipNameRules {
  /** Name of a profile, or `auto` to try all in order. */
  readonly profile: string;
  readonly timeZone: string;
  /** True time = time in the name + this many seconds. */
  readonly clockOffsetSeconds: number;
}

/** A time read from a name, milliseconds since 1970 UTC, corrected by the clock offset. */
export interface NameTime extends Sourced<number> {
  /** The time as the recorder wrote it, before the clock offset. */
  readonly recordedMs: number;
  /** The other instant of a doubled hour, corrected like `value`. */
  readonly laterMs?: number;
  /** The clock never showed this time (start of summer time). */
  readonly isNonexistent: boolean;
}

/** What a file name says. */
export interface ClipNameReading {
  readonly profile: string;
  readonly trust: ClipNameProfile['trust'];
  readonly cameraName?: string;
  readonly recorder?: string;
  readonly channel?: string;
  readonly startedAt?: NameTime;
  readonly endedAt?: NameTime;
}

/** Whether `name` is `auto` or the name of a profile. */
export function isProfileName(name: string): boolean {
  return name === 'auto' || clipNameProfiles.some((profile) => profile.name === name);
}

/** Reads camera and times out of a file name; undefined when no profile fits. Never guesses the order of day and month. */
export function readClipName(fileName: string, rules: ClipNameRules): ClipNameReading | undefined {
  for (const profile of clipNameProfiles) {
    if (rules.profile !== 'auto' && rules.profile !== profile.name) continue;
    const fields = readFields(fileName, profile);
    if (fields !== undefined) return toReading(fields, profile, rules);
  }
  return undefined;
}

/** What one profile reads out of a name, as the recorder wrote it; undefined when it does not fit. */
export function readFields(fileName: string, profile: ClipNameProfile): NameFields | undefined {
  if (fileName.length > MAX_NAME_LENGTH) return undefined;
  const groups = profile.pattern.exec(fileName)?.groups;
  if (groups === undefined) return undefined;
  const { cam, rec, ch, s, e } = groups;
  const start = s === undefined ? undefined : profile.readTime(s);
  const end = e === undefined ? undefined : profile.readTime(e);
  if ((s !== undefined && start === undefined) || (e !== undefined && end === undefined)) return undefined;
  return {
    ...(cam !== undefined && cam.trim() !== '' && { cameraName: cam.trim() }),
    ...(rec !== undefined && { recorder: rec }),
    ...(ch !== undefined && { channel: ch.replace(/^0+(?=\d)/, '') }),
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
  };
}

function toReading(fields: NameFields, profile: ClipNameProfile, rules: ClipNameRules): ClipNameReading {
  const startedAt = fields.start && toNameTime(fields.start, profile, rules);
  const endedAt = fields.end && toNameTime(fields.end, profile, rules);
  return {
    profile: profile.name,
    trust: profile.trust,
    ...(fields.cameraName !== undefined && { cameraName: fields.cameraName }),
    ...(fields.recorder !== undefined && { recorder: fields.recorder }),
    ...(fields.channel !== undefined && { channel: fields.channel }),
    ...(startedAt && { startedAt }),
    ...(endedAt && { endedAt: startedAt ? afterStart(endedAt, startedAt) : endedAt }),
  };
}

function toNameTime(
  written: WrittenTime,
  profile: ClipNameProfile,
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
    };
  }
  const time = resolveWallTime(written.wall, profile.zone === 'utc' ? 'UTC' : rules.timeZone);
  if (time === undefined) return undefined;
  const confidence: Confidence =
    time.ambiguous || time.nonexistent || profile.trust === 'generic' ? 'low' : 'medium';
  return {
    ...base,
    value: time.ms + offsetMs,
    recordedMs: time.ms,
    confidence,
    isNonexistent: time.nonexistent,
    ...(time.laterMs !== undefined && {
      laterMs: time.laterMs + offsetMs,
      note: 'hour that the clock showed twice: the earlier one',
    }),
    ...(time.nonexistent && { note: 'time that the clock skipped: read with the offset from before' }),
  };
}

/** A clip that runs from the first into the second of two doubled hours seems to end before it starts. */
function afterStart(end: NameTime, start: NameTime): NameTime {
  return end.value < start.value ? laterReading(end) : end;
}

/** The same time, read as the second of its two possible instants; itself when there is only one. */
export function laterReading(time: NameTime): NameTime {
  const { laterMs, ...rest } = time;
  if (laterMs === undefined) return time;
  const shiftMs = laterMs - time.value;
  return {
    ...rest,
    value: laterMs,
    recordedMs: time.recordedMs + shiftMs,
    note: 'hour that the clock showed twice: the later one, by the order of the files',
  };
}
