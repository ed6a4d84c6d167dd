import { wallTime, withOffset, type WrittenTime } from '../times/zoned-time.ts';

/** What a file name says, before zone and clock offset are applied. */
export interface NameFields {
  readonly cameraName?: string;
  /** Name of the recorder, where channels are counted by recorder. */
  readonly recorder?: string;
  /** Channel of the recorder, as written without leading zeros. */
  readonly channel?: string;
  readonly start?: WrittenTime;
  readonly end?: WrittenTime;
}

/** What a sample must be read as; times as `YYYY-MM-DDTHH:MM:SS` of the name's own clock, or with `Z`. */
export interface ExpectedFields {
  readonly cameraName?: string;
  readonly recorder?: string;
  readonly channel?: string;
  readonly start?: string;
  readonly end?: string;
}

/** One vendor's way of naming clips. Adding a vendor is adding one entry with its samples. */
export interface ClipNameProfile {
  readonly name: string;
  /** Named groups `cam`, `rec`, `ch`, `s`, `e`. No quantifier inside a repeated group: names are read in near-linear time. */
  readonly pattern: RegExp;
  /** Whose clock the times are: the watch folder's zone, UTC, or the offset written in the name. */
  readonly zone: 'local' | 'utc' | 'zoned';
  /** `low` for shapes that any program could have made. */
  readonly trust: 'vendor' | 'generic';
  /** Reads a time group; undefined when it is no real time, and then the profile does not fit. */
  readonly readTime: (text: string) => WrittenTime | undefined;
  readonly samples: readonly { readonly name: string; readonly expect: ExpectedFields }[];
  readonly mustNotMatch: readonly string[];
}

/** Fourteen digits, separators between them do not matter. Year, month, day: never another order. */
export function readDigits(text: string): WrittenTime | undefined {
  const digits = text.replace(/\D/g, '');
  if (digits.length !== 14) return undefined;
  const parts = [digits.slice(0, 4), ...(digits.slice(4).match(/../g) ?? [])].map(Number);
  const wall = wallTime(parts);
  return wall && { kind: 'wall', wall };
}

/** A time as ISO 8601 writes it, with or without separators, fraction and zone. */
export function readIsoTime(text: string): WrittenTime | undefined {
  const match = /^([\d-]{8,10})T([\d:_.-]+?)(?:[.,](\d{3,9}))?(Z|[+-]\d{2}:?\d{2})?$/.exec(text);
  if (match === null) return undefined;
  const local = readDigits(`${match[1] ?? ''}${match[2] ?? ''}`);
  if (local?.kind !== 'wall') return undefined;
  const millisecond = Number((match[3] ?? '0').slice(0, 3).padEnd(3, '0'));
  return withOffset({ ...local.wall, millisecond }, match[4]);
}
