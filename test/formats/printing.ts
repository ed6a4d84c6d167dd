import type { WallTime } from '../../electron/agent/core/times/zoned-time.ts';
import { wallTimeAt } from '../../electron/agent/core/times/zoned-time.ts';

/** A recording as it happened; systems print it in their own ways below. */
export interface Recording {
  readonly camera: string;
  readonly channel: number;
  readonly device: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly zone: string;
  readonly number: number;
}

/** The facts of a recording that are in the printed path, and must be read back. */
export interface Printed {
  readonly path: string;
  readonly camera?: string;
  readonly channel?: string;
  readonly device?: string;
  /** Precision in the name, milliseconds. */
  readonly startMs?: number;
  readonly endMs?: number;
}

export const two = (value: number): string => String(value).padStart(2, '0');
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Replaces `yyyy MM dd HH mm ss SSS`, `MMM`, `h` and `ap` in a template. */
export const print = (template: string, wall: WallTime): string => {
  const parts: Readonly<Record<string, string>> = {
    yyyy: String(wall.year).padStart(4, '0'),
    MMM: MONTHS[wall.month - 1] ?? '',
    MM: two(wall.month),
    M: String(wall.month),
    dd: two(wall.day),
    d: String(wall.day),
    HH: two(wall.hour),
    h: String(wall.hour % 12 || 12),
    ap: wall.hour < 12 ? 'am' : 'pm',
    AP: wall.hour < 12 ? 'AM' : 'PM',
    mm: two(wall.minute),
    ss: two(wall.second),
    SSS: String(wall.millisecond).padStart(3, '0'),
  };
  return template.replace(/\{(\w+)\}/g, (_all, key: string) => parts[key] ?? '');
};
export const DAY = '{yyyy}-{MM}-{dd}';
export const DIGITS = '{yyyy}{MM}{dd}{HH}{mm}{ss}';
export const JOINED = '{yyyy}{MM}{dd}_{HH}{mm}{ss}';
export const seconds = (ms: number): number => Math.floor(ms / 1000);
export const hex = (value: number, length: number): string =>
  value.toString(16).toUpperCase().padStart(length, '0').slice(-length);

export type Printer = (recording: Recording) => Printed;
export const local = ({ startMs, endMs, zone }: Recording) => ({
  start: (template: string) => print(template, wallTimeAt(startMs, zone)),
  end: (template: string) => print(template, wallTimeAt(endMs, zone)),
  utc: (template: string) => print(template, wallTimeAt(startMs, 'UTC')),
  utcEnd: (template: string) => print(template, wallTimeAt(endMs, 'UTC')),
});
export const plain = (name: string): string => `yard_${name.replace(/[^\w-]/g, '')}9`;
