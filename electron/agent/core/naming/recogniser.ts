import { wallTime, withOffset, type WallTime, type WrittenTime } from '../times/zoned-time.ts';

/**
 * How the recordings of one system are recognised. A recogniser reads the path of a file, including the names of its
 * folders, and says what each part means. Nothing undocumented is read: a wrong camera or time is worse than none.
 * Adding a system takes one file in `systems`, its line in `recognisers.ts`, and its printer in
 * `test/formats/printers.ts`.
 */

/** What was read from a path, before zone and clock offset are applied. */
export interface NameFields {
  readonly cameraName?: string;
  /** Name of the recorder, if channels are counted per recorder. */
  readonly recorder?: string;
  /** Channel of the recorder, as written without leading zeros. */
  readonly channel?: string;
  /** What identifies the camera as a device: its address, MAC, serial number or id. */
  readonly device?: string;
  readonly start?: WrittenTime;
  readonly end?: WrittenTime;
  /** The start by another clock in the same name. */
  readonly beside?: WrittenTime;
}

/** The expected reading of a sample; times as `YYYY-MM-DDTHH:MM:SS` by the name's own clock, or with `Z`. */
export interface ExpectedFields extends Omit<NameFields, 'start' | 'end' | 'beside'> {
  readonly start?: string;
  readonly end?: string;
}

/** Texts of the named groups of all parts of a shape. */
export type Groups = Readonly<Record<string, string | undefined>>;

/**
 * The clock of the times in a name: the folder's zone, UTC, the offset in the name, or not documented by the vendor.
 */
export type NameClock = 'local' | 'utc' | 'zoned' | 'unsaid';

/** One way in which a system writes a path. */
export interface PathShape {
  /**
   * From the topmost folder to the file name, each matched whole. Named groups as in `readGroups`. No quantifier inside
   * a repeated group: paths are read in near-linear time.
   */
  readonly parts: readonly RegExp[];
  /** Undefined if it is not a real time or contradicts itself: the shape then does not fit. */
  readonly read?: (groups: Groups) => NameFields | undefined;
  readonly clock?: NameClock;
  /** The folders name the camera, and the file name is undocumented: its times are read by any recogniser that fits. */
  readonly hasFreeFileName?: true;
}

/** One system. */
export interface Recogniser {
  /** Its name in the settings. */
  readonly name: string;
  /** Its name for people. */
  readonly system: string;
  readonly clock: NameClock;
  /**
   * `generic`: any program could have written such names; `standard`: the names themselves say what they mean; `desk`:
   * written at the desk.
   */
  readonly trust: 'vendor' | 'standard' | 'generic' | 'desk';
  /** Documented by the vendor, a standard or the program's own source; or seen in third-party material. */
  readonly label: 'documented' | 'seen' | 'generic' | 'own';
  readonly source: string;
  /** What is not known, or not read on purpose; for docs/formats.md. */
  readonly notKnown?: string;
  /** Its recordings are not from a camera of the desk: neither name nor folder counts as one. */
  readonly isNoCamera?: true;
  readonly shapes: readonly PathShape[];
  readonly samples: readonly { readonly path: string; readonly expect: ExpectedFields }[];
  readonly refuses: readonly string[];
}

/**
 * Reads the usual groups: `cam`, `rec`, `ch`, `dev`; `d` a date in a folder or before two times; `s` start and `e` end,
 * with their date or after that of `d`. An end without a date is on the day of the start, or the next one.
 */
export function readGroups(groups: Groups): NameFields | undefined {
  const { cam, rec, ch, dev, d, s, e } = groups;
  const start = s === undefined ? undefined : readDigits(`${d ?? ''} ${s}`);
  const end = e === undefined ? undefined : readEnd(e, start);
  if ((s !== undefined && start === undefined) || (e !== undefined && end === undefined)) return undefined;
  return {
    ...(cam !== undefined && cam.trim() !== '' && { cameraName: cam.trim() }),
    ...(rec !== undefined && { recorder: rec }),
    ...(ch !== undefined && { channel: withoutZeros(ch) }),
    ...(dev !== undefined && { device: dev }),
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
  };
}

const withoutZeros = (digits: string): string => digits.replace(/^0+(?=\d)/, '');

function readEnd(text: string, start: WrittenTime | undefined): WrittenTime | undefined {
  const digits = text.replace(/\D/g, '');
  if (digits.length > 6) return readDigits(digits);
  if (start?.kind !== 'wall') return undefined;
  return laterThan(start.wall, digits);
}

/** The first moment after `start` at which the clock shows these six digits, unless it is put back in between. */
export function laterThan(start: WallTime, digits: string): WrittenTime | undefined {
  const [hour = 0, minute = 0, second = 0] = (digits.match(/../g) ?? []).map(Number);
  const sameDay = wallTime([start.year, start.month, start.day, hour, minute, second]);
  if (sameDay === undefined) return undefined;
  const seconds = (wall: WallTime): number => (wall.hour * 60 + wall.minute) * 60 + wall.second;
  const isLater = seconds(sameDay) >= seconds(start);
  return { kind: 'wall', wall: isLater ? sameDay : plusSeconds(sameDay, 86_400), sameDay };
}

/** The wall time this many seconds later, by a clock that is never put forward or back. */
export function plusSeconds(wall: WallTime, seconds: number): WallTime {
  const { year, month, day, hour, minute, second, millisecond } = wall;
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second + seconds, millisecond));
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    millisecond,
  };
}

/** Reads fourteen digits and up to six of a fraction, ignoring separators. Always in the order year, month, day. */
export function readDigits(text: string): WrittenTime | undefined {
  const digits = text.replace(/\D/g, '');
  if (digits.length < 14 || digits.length > 20) return undefined;
  const parts = [digits.slice(0, 4), ...(digits.slice(4, 14).match(/../g) ?? [])].map(Number);
  const fraction = digits.slice(14);
  const wall = wallTime(parts, fraction === '' ? undefined : fraction);
  return wall && { kind: 'wall', wall };
}

/**
 * The hour of the day from an hour and, on a 12-hour clock, AM or PM; undefined for 12-hour hours other than 1 to 12.
 */
export function hourOf(text: string, half: string | undefined): number | undefined {
  const hour = Number(text);
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
}

/** A time from its six numbers; undefined if they are not a real one. */
export function written(parts: readonly (number | undefined)[], fraction?: string): WrittenTime | undefined {
  if (parts.includes(undefined)) return undefined;
  const wall = wallTime(parts, fraction);
  return wall && { kind: 'wall', wall };
}

/** From 2000 to 2100: numbers outside are counters or have another unit. */
const EARLIEST_EPOCH_S = 946_684_800;
const LATEST_EPOCH_S = 4_102_444_800;

/** Reads seconds since 1970. */
export function readEpoch(text: string): WrittenTime | undefined {
  const seconds = Number(text);
  if (!/^\d{9,10}$/.test(text) || seconds < EARLIEST_EPOCH_S || seconds >= LATEST_EPOCH_S) return undefined;
  return { kind: 'instant', ms: seconds * 1000 };
}

/** Reads a time in ISO 8601, with or without separators, fraction and zone. */
export function readIsoTime(text: string): WrittenTime | undefined {
  const match = /^([\d-]{8,10})T([\d:_.-]+?)(?:[.,](\d{3,9}))?(Z|[+-]\d{2}:?\d{2})?$/.exec(text);
  if (match === null) return undefined;
  const local = readDigits(`${match[1] ?? ''}${match[2] ?? ''}`);
  if (local?.kind !== 'wall') return undefined;
  const millisecond = Number((match[3] ?? '0').slice(0, 3).padEnd(3, '0'));
  return withOffset({ ...local.wall, millisecond }, match[4]);
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** Number of an English month's first three letters, from 1; undefined for any other word. */
export function monthOf(text: string): number | undefined {
  const index = MONTHS.indexOf(text.toLowerCase());
  return index < 0 ? undefined : index + 1;
}
