import { fromAbsolute } from '@internationalized/date';

/** No recorder wrote files before this: earlier times are zeros of some epoch. 2000-01-01, milliseconds since 1970. */
export const EARLIEST_PLAUSIBLE_MS = 946_684_800_000;

/** A date and time as a wall clock shows it, in no particular zone. Month and day count from 1. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
}

/** A wall time resolved to an instant. */
export interface ZonedTime {
  /** Milliseconds since 1970 UTC; the earlier one when the hour is doubled. */
  readonly ms: number;
  /** The clock showed this time twice (end of summer time). */
  readonly ambiguous: boolean;
  /** The clock never showed this time (start of summer time). */
  readonly nonexistent: boolean;
  /** The second time the clock showed this, when `ambiguous`. */
  readonly laterMs?: number;
}

/** A written time: with an offset it is an instant, without one it needs a zone. */
export type WrittenTime =
  | { readonly kind: 'instant'; readonly ms: number }
  | {
      readonly kind: 'wall';
      readonly wall: WallTime;
      /** For an end without a date: the same time on the day of the start. */
      readonly sameDay?: WallTime;
    };

/** Whether the runtime knows this IANA time zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    // Offsets such as "+01:00" are accepted by Intl but are not zones: they have no summer time
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

/** Whether the calendar has this date and a clock this time; leap seconds are refused. */
export function isRealWallTime(wall: WallTime): boolean {
  const ms = utcMs(wall);
  const back = new Date(ms);
  return (
    wall.year >= 1 &&
    wall.year <= 9999 &&
    back.getUTCFullYear() === wall.year &&
    back.getUTCMonth() + 1 === wall.month &&
    back.getUTCDate() === wall.day &&
    back.getUTCHours() === wall.hour &&
    back.getUTCMinutes() === wall.minute &&
    back.getUTCSeconds() === wall.second
  );
}

function utcMs(wall: WallTime): number {
  const date = new Date(0);
  // Date.UTC would read years 0 to 99 as 19xx
  date.setUTCFullYear(wall.year, wall.month - 1, wall.day);
  date.setUTCHours(wall.hour, wall.minute, wall.second, wall.millisecond);
  return date.getTime();
}

/** Resolves a wall time of a zone to an instant; undefined if it is not a real one. `timeZone` must be a known zone. */
export function resolveWallTime(wall: WallTime, timeZone: string): ZonedTime | undefined {
  if (!isRealWallTime(wall)) return undefined;
  const localMs = utcMs(wall);
  // Clocks are changed by a day at most, and never twice within two days
  const beforeMs = localMs - offsetMs(localMs - DAY_MS, timeZone);
  const afterMs = localMs - offsetMs(localMs + DAY_MS, timeZone);
  const shows = (ms: number): boolean => ms + offsetMs(ms, timeZone) === localMs;
  if (shows(beforeMs)) {
    const isAmbiguous = afterMs !== beforeMs && shows(afterMs);
    return {
      ms: beforeMs,
      ambiguous: isAmbiguous,
      nonexistent: false,
      ...(isAmbiguous && { laterMs: afterMs }),
    };
  }
  if (shows(afterMs)) return { ms: afterMs, ambiguous: false, nonexistent: false };
  // The clock may not have been put forward yet: use the offset from before the gap
  return { ms: beforeMs, ambiguous: false, nonexistent: true };
}

/** The wall time of a zone at an instant. `timeZone` must be a known zone. */
export function wallTimeAt(ms: number, timeZone: string): WallTime {
  const shown = new Date(ms + offsetMs(ms, timeZone));
  return {
    year: shown.getUTCFullYear(),
    month: shown.getUTCMonth() + 1,
    day: shown.getUTCDate(),
    hour: shown.getUTCHours(),
    minute: shown.getUTCMinutes(),
    second: shown.getUTCSeconds(),
    millisecond: shown.getUTCMilliseconds(),
  };
}

const DAY_MS = 86_400_000;
/**
 * Cached offsets by UTC day and zone, milliseconds; undefined for days on which the clocks are changed. Asking `Intl`
 * takes longer than everything else that is done with a name.
 */
const offsetsOfDays = new Map<string, number | undefined>();
const MOST_DAYS = 10_000;

/** How far a zone's clocks are ahead of UTC at an instant, milliseconds. */
function offsetMs(atMs: number, timeZone: string): number {
  const day = Math.floor(atMs / DAY_MS);
  const key = `${day} ${timeZone}`;
  if (!offsetsOfDays.has(key)) {
    if (offsetsOfDays.size >= MOST_DAYS) offsetsOfDays.clear();
    const [first, last] = [day, day + 1].map((at) => fromAbsolute(at * DAY_MS, timeZone).offset);
    offsetsOfDays.set(key, first === last ? first : undefined);
  }
  return offsetsOfDays.get(key) ?? fromAbsolute(atMs, timeZone).offset;
}

/** `YYYY-MM-DDTHH:MM:SS.sssZ`, service.md "Dates". */
export function formatUtc(ms: number): string {
  return new Date(ms).toISOString();
}

/** `YYYY-MM-DD HH:MM:SS` in a zone, for people. */
export function formatLocal(ms: number, timeZone: string): string {
  const wall = wallTimeAt(ms, timeZone);
  const two = (value: number): string => String(value).padStart(2, '0');
  const date = `${String(wall.year).padStart(4, '0')}-${two(wall.month)}-${two(wall.day)}`;
  return `${date} ${two(wall.hour)}:${two(wall.minute)}:${two(wall.second)}`;
}

const rfc3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})?$/;

/** Reads RFC 3339, with or without an offset; undefined for any other form and for dates that do not exist. */
export function parseRfc3339(text: string): WrittenTime | undefined {
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number);
  const wall = wallTime([year, month, day, hour, minute, second], match[7]);
  if (wall === undefined) return undefined;
  return withOffset(wall, match[8]);
}

/** A wall time from its six numbers and the digits after the second; undefined if it does not exist. */
export function wallTime(
  parts: readonly (number | undefined)[],
  fraction: string | undefined = undefined,
): WallTime | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  const millisecond = fraction === undefined ? 0 : Number(fraction.slice(0, 3).padEnd(3, '0'));
  const wall = { year, month, day, hour, minute, second, millisecond };
  return isRealWallTime(wall) ? wall : undefined;
}

/**
 * Applies the offset (`Z`, `+01:00`, `+0100`), if one was written; undefined for one that no zone has. RFC 3339 writes
 * `-00:00` if the zone is unknown; without its colon that is not an offset.
 */
export function withOffset(wall: WallTime, offset: string | undefined): WrittenTime | undefined {
  if (offset === undefined || offset === '') return { kind: 'wall', wall };
  if (offset === 'Z' || offset === 'z') return { kind: 'instant', ms: utcMs(wall) };
  const isWest = offset.startsWith('-');
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(-2))];
  const total = hours * 60 + minutes;
  // Zones range from -12:00 to +14:00, in quarters of an hour
  if (minutes > 59 || minutes % 15 !== 0 || total > (isWest ? 12 : 14) * 60) return undefined;
  if (isWest && hours === 0 && offset !== '-00:00') return undefined;
  return { kind: 'instant', ms: utcMs(wall) - total * 60_000 * (isWest ? -1 : 1) };
}

/** What the difference between two clocks' times of the same moment means. */
type ClockVerdict =
  | { readonly kind: 'agree' }
  /** They differ as clocks of two zones do; `zone` is one that would make them agree, if one is known. */
  | { readonly kind: 'zone'; readonly zone?: string }
  | { readonly kind: 'differ' };

/** Offsets of zones are whole quarters of an hour, milliseconds. */
const QUARTER_MS = 900_000;
/**
 * Times this close count as the same, milliseconds: exports begin on a key frame, a few seconds before the requested
 * start.
 */
const SAME_MS = 10_000;
/** Largest difference between two zones, milliseconds. */
const WIDEST_MS = 26 * 3_600_000;

/**
 * Compares the time of a clock without a zone, as resolved in `timeZone`, with the same moment by a clock that states
 * its zone. Milliseconds since 1970 UTC.
 */
export function compareClocks(localMs: number, knownMs: number, timeZone: string): ClockVerdict {
  const apartMs = localMs - knownMs;
  if (Math.abs(apartMs) <= SAME_MS) return { kind: 'agree' };
  const quarters = Math.round(apartMs / QUARTER_MS);
  const isOfZone =
    quarters !== 0 && Math.abs(apartMs - quarters * QUARTER_MS) <= SAME_MS && Math.abs(apartMs) <= WIDEST_MS;
  if (!isOfZone) return { kind: 'differ' };
  const zone = zoneThatFits(knownMs, offsetMs(knownMs, timeZone) + quarters * QUARTER_MS, timeZone);
  return { kind: 'zone', ...(zone !== undefined && { zone }) };
}

/** Zones that a desk is likely to be in, the most likely of each offset first. */
const LIKELY_ZONES =
  'UTC Europe/London Europe/Berlin Europe/Athens Europe/Moscow America/New_York America/Chicago America/Denver America/Los_Angeles America/Phoenix America/Anchorage Pacific/Honolulu America/Halifax America/St_Johns America/Sao_Paulo America/Bogota America/Mexico_City Atlantic/Azores Africa/Lagos Africa/Johannesburg Africa/Nairobi Africa/Cairo Asia/Dubai Asia/Tehran Asia/Kabul Asia/Karachi Asia/Kolkata Asia/Kathmandu Asia/Dhaka Asia/Yangon Asia/Bangkok Asia/Singapore Asia/Shanghai Asia/Tokyo Australia/Perth Australia/Adelaide Australia/Darwin Australia/Brisbane Australia/Sydney Australia/Eucla Australia/Lord_Howe Pacific/Noumea Pacific/Auckland Pacific/Chatham Pacific/Tongatapu Pacific/Apia Pacific/Kiritimati Pacific/Marquesas Pacific/Pago_Pago Atlantic/South_Georgia'.split(
    ' ',
  );

/**
 * Finds a zone with the wanted offset, preferably on the configured zone's continent: most wrong zones are a
 * neighbour's, or UTC.
 */
function zoneThatFits(atMs: number, wantedMs: number, timeZone: string): string | undefined {
  const area = timeZone.split('/')[0];
  const fitting = LIKELY_ZONES.filter((zone) => isTimeZone(zone) && offsetMs(atMs, zone) === wantedMs);
  return fitting.find((zone) => zone.startsWith(`${area}/`)) ?? fitting[0];
}

/** A time (ISO 8601 UTC) as written in sentences: `2026-05-01 19:30 UTC`. */
export const utcMinute = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`;
