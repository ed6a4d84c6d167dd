import { serviceIdSchema } from '../../shared/domain/ids.ts';
import { didYouMean, UsageError, type Line } from './command.ts';

/** The one id that a command is about, of a `thing` whose ids another command lists. */
export function parseId({ command, operands }: Line<never>, thing: 'period' | 'user'): string {
  const [id, ...more] = operands;
  if (id === undefined || more.length > 0)
    throw new UsageError(`${command} needs one ${thing} id; "${listedBy[thing]}" lists them.`);
  if (!serviceIdSchema.safeParse(id).success) throw new UsageError('The id is blank or too long.');
  return id;
}

const listedBy = { period: 'periods', user: 'users list' } as const;

/** One of a few words; `remark` follows the list of them. */
export function parseChoice<Word extends string>(
  option: string,
  typed: string,
  words: readonly Word[],
  remark = '',
): Word {
  const found = words.find((word) => word === typed);
  if (found !== undefined) return found;
  throw new UsageError(`${option} takes one of: ${words.join(', ')}${remark}.`, didYouMean(typed, words));
}

/** The part of a schema that is used here. */
interface Schema<T> {
  safeParse(value: unknown):
    | { readonly success: true; readonly data: T }
    | {
        readonly success: false;
        readonly error: {
          readonly issues: readonly {
            readonly code?: string | undefined;
            readonly path: readonly PropertyKey[];
            readonly message: string;
          }[];
        };
      };
}

/** A value that fits a schema; a refusal names the option that the field came from. */
export function parseValue<T>(
  schema: Schema<T>,
  value: unknown,
  optionOf: Readonly<Record<string, string>>,
): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const option = Object.entries(optionOf).find(([field]) => field === issue?.path[0])?.[1];
  const problems: Readonly<Record<string, string>> = { too_small: 'is blank', too_big: 'is too long' };
  throw new UsageError(
    `${option ?? 'The input'} ${problems[issue?.code ?? ''] ?? issue?.message ?? 'is not right'}.`,
  );
}

const ISO_TIME =
  /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:(Z)|([+-])(\d{2}):?(\d{2}))?$/i;
const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;

const boundOfDay = { start: 'T00:00:00.000Z', end: 'T23:59:59.999Z' } as const;

/** A time as ISO 8601 in UTC with milliseconds. A time without an offset could be any hour. */
export function parseTime(option: string, text: string): string {
  const parts = ISO_TIME.exec(text.trim());
  if (parts === null) throw new UsageError(`${option} takes a time like 2026-05-01T19:30:05Z.`);
  const [, day, minute, second = '00', fraction = '', zulu, sign, hours = '00', minutes = '00'] = parts;
  if (zulu === undefined && sign === undefined)
    throw new UsageError(`${option} needs Z or an offset at its end, like 2026-05-01T19:30:05+01:00.`);
  const wall = `${day}T${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
  const date = new Date(wall);
  // Dates roll over (30 February becomes 2 March): what was typed must be what came out
  const isReal = !Number.isNaN(date.getTime()) && date.toISOString() === wall;
  if (!isReal || Number(hours) > 14 || Number(minutes) > 59)
    throw new UsageError(`${option} names a time that does not exist.`);
  const offsetMinutes = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  return new Date(date.getTime() - offsetMinutes * 60_000).toISOString();
}

/** A time, or a date for the start or the end of that day in UTC; ISO 8601 in UTC with milliseconds. */
export function parseTimeOrDay(option: string, text: string, bound: keyof typeof boundOfDay): string {
  const trimmed = text.trim();
  if (ISO_DAY.test(trimmed)) return parseTime(option, trimmed + boundOfDay[bound]);
  if (ISO_TIME.test(trimmed)) return parseTime(option, trimmed);
  throw new UsageError(`${option} takes a date like 2026-05-01 or a time like 2026-05-01T19:30:05Z.`);
}
