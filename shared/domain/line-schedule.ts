import { z } from 'zod';

/** Days of the week as the settings name them, in order. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
/** One of `weekdays`. */
export type Weekday = (typeof weekdays)[number];

/** Minutes of a day. */
export const DAY_MINUTES = 24 * 60;
/** Most lines of a schedule. */
const MOST_LINES = 64;
/** Lowest limit, bytes per second: below it, a signed URL expires before its part has been sent. */
const LEAST_LIMIT = 1024;

const timeOfDay = (form: RegExp, example: string) =>
  z.string().regex(form, `must be a time of day such as ${example}`);

const limitSchema = z.union([z.literal('pause'), z.literal('full'), z.number().int().min(LEAST_LIMIT)]);

/** The limit while the PC runs on its battery. */
export const onBatterySchema = limitSchema
  .optional()
  .describe(
    'Limit while the PC is on battery power: bytes per second, `pause` or `full`. The strictest limit applies. Only the desktop app can detect battery power.',
  );

/** The limit while the connection is metered. */
export const onMeteredSchema = limitSchema
  .optional()
  .describe(
    'Limit while the connection is metered: bytes per second, `pause` or `full`. The strictest limit applies. Works only on Windows, and on Linux with NetworkManager.',
  );

/** The limit that lets less through. */
export function stricterOf(one: ScheduleLimit, other: ScheduleLimit): ScheduleLimit {
  if (one === 'pause' || other === 'pause') return 'pause';
  if (one === 'full') return other;
  return other === 'full' ? one : Math.min(one, other);
}

const lineSchema = z
  .strictObject({
    days: z.array(z.enum(weekdays)).min(1).max(weekdays.length).describe('Days on which the limit begins.'),
    from: timeOfDay(/^(?:[01]\d|2[0-3]):[0-5]\d$/, '07:00').describe(
      'When the limit begins, such as `07:00`.',
    ),
    to: timeOfDay(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, '19:00 or 24:00').describe(
      'When the limit ends, up to `24:00`. A time before `from` is on the next day.',
    ),
    limit: limitSchema.describe('Bytes per second, `pause` or `full`.'),
  })
  .refine(({ from, to }) => from !== to, {
    path: ['to'],
    message: 'must differ from the start time; a whole day is 00:00 to 24:00',
  });

/**
 * Limits of the line by weekday and time of day; the last one that applies counts, otherwise
 * `upload.maxBytesPerSecond`.
 */
export const scheduleSchema = z
  .array(lineSchema)
  .max(MOST_LINES)
  .default([])
  .describe(
    'Limits by weekday and time of day, in the time zone of this PC: `[{"days": ["mon", "tue"], "from": "07:00", "to": "19:00", "limit": 2000000}]`. `limit` is bytes per second, `pause` or `full`; a `to` before `from` is on the next day. If several entries apply, the last one counts; if none does, `upload.maxBytesPerSecond` applies.',
  );

/** One line of a schedule. */
export type ScheduleLine = z.infer<typeof lineSchema>;
/** What a line allows. */
export type ScheduleLimit = ScheduleLine['limit'];

/** `07:30` as minutes of the day; `24:00` is the day's end. */
export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** Minutes of the day as `07:30`. */
export function timeOf(minutes: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Bytes that may be sent and then discarded per day; beyond that, nothing more is sent ahead. */
const DEFAULT_WASTED_BYTES_PER_DAY = 5_000_000_000;

/** Settings for what is sent before it is complete. */
export const aheadFields = {
  whileWriting: z
    .enum(['off', 'auto'])
    .default('off')
    .describe(
      '`auto`: parts of a large clip are sent while it is still being written, then compared with the finished file. Has no effect with `siteId`. Off by default in this release; `auto` will be the default in the next one.',
    ),
  wastedBytesPerDay: z
    .number()
    .int()
    .min(0)
    .default(DEFAULT_WASTED_BYTES_PER_DAY)
    .describe('With `whileWriting`, how many bytes may be sent and then discarded within a day.'),
};
