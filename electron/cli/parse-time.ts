import { err, ok, type Result } from '../../shared/lib/result.ts';

const ISO_TIME =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?$/i;
const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;

const boundOfDay = { start: 'T00:00:00.000Z', end: 'T23:59:59.999Z' } as const;

/** A time from the command line as ISO 8601 in UTC with milliseconds. A time without offset could be any hour. */
export function parseTime(option: string, text: string): Result<string, string> {
  const parts = ISO_TIME.exec(text.trim());
  if (parts === null) return err(`${option} takes a time like 2026-05-01T19:30:05Z.`);
  if (parts[8] === undefined)
    return err(`${option} needs Z or an offset at its end, like 2026-05-01T19:30:05+01:00.`);
  const time = timeOf(parts, parts[8]);
  return time === undefined ? err(`${option} names a time that does not exist.`) : ok(time);
}

/** A time, or a date for the start or the end of that day in UTC; ISO 8601 in UTC with milliseconds. */
export function parseTimeOrDay(
  option: string,
  text: string,
  bound: keyof typeof boundOfDay,
): Result<string, string> {
  const trimmed = text.trim();
  if (ISO_DAY.test(trimmed)) return parseTime(option, trimmed + boundOfDay[bound]);
  if (ISO_TIME.test(trimmed)) return parseTime(option, trimmed);
  return err(`${option} takes a date like 2026-05-01 or a time like 2026-05-01T19:30:05Z.`);
}

function timeOf(parts: RegExpExecArray, offset: string): string | undefined {
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0));
  const date = new Date(0);
  date.setUTCFullYear(year ?? 0, (month ?? 0) - 1, day ?? 0);
  date.setUTCHours(hour ?? 0, minute ?? 0, second ?? 0, Number((parts[7] ?? '0').padEnd(3, '0').slice(0, 3)));
  // Dates roll over (30 February becomes 2 March): what was typed must be what came out
  const isReal =
    date.getUTCMonth() + 1 === month &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hour &&
    date.getUTCMinutes() === minute &&
    date.getUTCSeconds() === second;
  const offsetMinutes = minutesOf(offset);
  if (!isReal || offsetMinutes === undefined) return undefined;
  return new Date(date.getTime() - offsetMinutes * 60_000).toISOString();
}

function minutesOf(offset: string): number | undefined {
  if (offset.toUpperCase() === 'Z') return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(-2));
  if (hours > 14 || minutes > 59) return undefined;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
