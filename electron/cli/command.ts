import { suggestKey } from '../agent/core/settings/suggest-key.ts';
import { visibleName } from '../../shared/lib/visible-name.ts';
import type { ConfigOptions, Deps } from './deps.ts';
import type { ExitCode } from './exit-codes.ts';
import { serviceIdSchema } from '../../shared/domain/ids.ts';

/** One option of a command. */
export interface Option {
  /** Name of its value in the help; an option without one is a switch. */
  readonly value?: string;
  /** Missing for options that only this project's programs use: neither help nor suggestions name them. */
  readonly help?: string;
  /** Whether it can be given more than once. */
  readonly repeatable?: true;
}

/** A command as its file defines it. `Name` is a name of its options, without dashes. */
export interface CommandDefinition<Name extends string, Input> {
  /** One word, or two for a command of a group: "users list". */
  readonly name: string;
  /** How it is called, without the program's name; a line that starts with a space continues the previous one. */
  readonly usage: readonly string[];
  /** Its purpose, in lines of at most 80 characters. */
  readonly purpose: string;
  /** Help for the operands. */
  readonly operands?: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<Name, Option>>;
  /** Further information, below the options. */
  readonly remark?: string;
  /** Parses the command line; throws `UsageError`. */
  parse(line: Line<Name>): Input;
  run(input: Input, deps: Deps): Promise<ExitCode>;
}

/** A command in the table. */
export interface Command extends Omit<CommandDefinition<string, unknown>, 'run'> {
  /** Parses the line and runs the command; rejects with `UsageError`. */
  start(line: Line, deps: Deps): Promise<ExitCode>;
}

/** Defines a command for the table in commands.ts. */
export function defineCommand<Name extends string, Input>(
  definition: CommandDefinition<Name, Input>,
): CommandDefinition<Name, Input> & Pick<Command, 'start'> {
  return {
    ...definition,
    start: async (line, deps) => definition.run(definition.parse(line), deps),
  };
}

/** The options and operands of one command line. */
export interface Line<Name extends string = string> {
  readonly command: string;
  readonly operands: readonly string[];
  has(name: Name): boolean;
  /** The value of an option. */
  text(name: Name): string | undefined;
  /** The values of a repeatable option, in order. */
  texts(name: Name): readonly string[];
}

/** An invalid command line. */
export class UsageError extends Error {
  readonly advice: string | undefined;

  constructor(message: string, advice?: string) {
    super(message);
    this.advice = advice;
  }
}

/** The suggestion of a known word that is close to what was typed. */
export function didYouMean(typed: string, known: readonly string[]): string | undefined {
  const near = suggestKey(typed, known);
  return near === undefined ? undefined : `Did you mean "${near}"?`;
}

/** Refuses operands, for commands that take none. */
export function refuseOperands({ command, operands }: Line<never>): void {
  const [first] = operands;
  if (first !== undefined) throw new UsageError(`${command} does not take "${visibleName(first)}".`);
}

/** The option of all commands. */
export const configOption = {
  config: {
    value: 'FILE',
    help: "configuration file (default: vms-export-agent.json in this account's configuration folder)",
  },
} as const satisfies Readonly<Record<string, Option>>;

/** The options of all commands that use the queue. */
export const queueOptions = {
  ...configOption,
  'data-dir': { value: 'DIR', help: 'data directory, on a local disk' },
} as const satisfies Readonly<Record<string, Option>>;

/** The configuration and queue that the command line names. */
export const parseQueueOptions = (line: Line<'config' | 'data-dir'>): ConfigOptions => ({
  config: line.text('config'),
  dataDir: line.text('data-dir'),
});

/** Parses the only ID of a command, of a `thing` whose IDs another command lists. */
export function parseId({ command, operands }: Line<never>, thing: 'period' | 'user'): string {
  const [id, ...more] = operands;
  if (id === undefined || more.length > 0)
    throw new UsageError(`${command} needs one ${thing} ID.`, `Run "${listedBy[thing]}" to see the IDs.`);
  if (!serviceIdSchema.safeParse(id).success) throw new UsageError('The ID is blank or too long.');
  return id;
}

const listedBy = { period: 'periods', user: 'users list' } as const;

const orWords = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Parses one of a few words; `remark` follows the list of them in the error. */
export function parseChoice<Word extends string>(
  option: string,
  typed: string,
  words: readonly Word[],
  remark = '',
): Word {
  const found = words.find((word) => word === typed);
  if (found !== undefined) return found;
  throw new UsageError(`${option} must be ${orWords.format(words)}${remark}.`, didYouMean(typed, words));
}

/** The part of a schema that is used. */
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

/** Validates a value; the error names the option that the field came from. */
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
    `${option ?? 'The input'} ${problems[issue?.code ?? ''] ?? issue?.message ?? 'is not valid'}.`,
  );
}

const ISO_TIME =
  /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:(Z)|([+-])(\d{2}):?(\d{2}))?$/i;
const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;

const boundOfDay = { start: 'T00:00:00.000Z', end: 'T23:59:59.999Z' } as const;

/**
 * Parses a time and returns it as ISO 8601 in UTC with milliseconds. An offset is required: the time is ambiguous
 * without.
 */
export function parseTime(option: string, text: string): string {
  const parts = ISO_TIME.exec(text.trim());
  if (parts === null) throw new UsageError(`${option} must be a time like 2026-05-01T19:30:05Z.`);
  const [, day, minute, second = '00', fraction = '', zulu, sign, hours = '00', minutes = '00'] = parts;
  if (zulu === undefined && sign === undefined)
    throw new UsageError(`${option} must end in Z or an offset, like 2026-05-01T19:30:05+01:00.`);
  const wall = `${day}T${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
  const date = new Date(wall);
  // Dates roll over (30 February becomes 2 March), so the result must match what was typed
  const isReal = !Number.isNaN(date.getTime()) && date.toISOString() === wall;
  if (!isReal || Number(hours) > 14 || Number(minutes) > 59)
    throw new UsageError(`${option} is not a valid date or time.`);
  const offsetMinutes = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  return new Date(date.getTime() - offsetMinutes * 60_000).toISOString();
}

/** Parses a time, or a date as the start or end of that day in UTC; returns ISO 8601 in UTC with milliseconds. */
export function parseTimeOrDay(option: string, text: string, bound: keyof typeof boundOfDay): string {
  const trimmed = text.trim();
  if (ISO_DAY.test(trimmed)) return parseTime(option, trimmed + boundOfDay[bound]);
  if (ISO_TIME.test(trimmed)) return parseTime(option, trimmed);
  throw new UsageError(`${option} must be a date like 2026-05-01 or a time like 2026-05-01T19:30:05Z.`);
}
