import { serviceIdSchema } from '../../../shared/domain/ids.ts';
import { ok } from '../../../shared/lib/result.ts';
import { usageError, type Line, type Parsed } from '../read-options.ts';
import type { ListFormat } from './team-command.ts';

/** One thing that is wrong with a value, as the schemas tell it. */
interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The part of a schema that is used here. */
interface Check<T> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: T }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
}

/** A value that fits a schema; a refusal names the option or operand that a field came from. */
export function parseValue<T>(
  { command }: Line,
  check: Check<T>,
  value: unknown,
  sources: Readonly<Record<string, string>>,
): Parsed<T> {
  const parsed = check.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const [issue] = parsed.error.issues;
  const source = Object.entries(sources).find(([field]) => field === issue?.path[0])?.[1];
  return usageError(`${source ?? 'The input'} ${problemOf(issue)}.`, command);
}

function problemOf(issue: Issue | undefined): string {
  if (issue?.code === 'too_small') return 'is blank';
  if (issue?.code === 'too_big') return 'is too long';
  return issue?.message ?? 'is not right';
}

/** The configuration that the command line names. */
export function configOf({ given }: Line): { readonly config?: string } {
  const config = given.value('config');
  return config === undefined ? {} : { config };
}

/** How a list is to be written. */
export function parseFormat({ given, command }: Line): Parsed<ListFormat> {
  const [json, csv] = [given.has('json'), given.has('csv')];
  if (json && csv) return usageError('--json and --csv exclude each other.', command);
  if (json) return ok('json');
  return ok(csv ? 'csv' : 'text');
}

/** The one id that a command is about; `what` says of which thing. */
export function parseId(line: Line, what: string): Parsed<string> {
  const [id, ...more] = line.operands;
  if (id === undefined || more.length > 0)
    return usageError(`${line.command} needs exactly one id of ${what}.`, line.command);
  return serviceIdSchema.safeParse(id).success
    ? ok(id)
    : usageError('The id is blank or too long.', line.command);
}

/** An option with a whole number from 1 on. */
export function parseNumber(
  { given, command }: Line,
  name: 'page' | 'per-page',
  most: number,
): Parsed<number | undefined> {
  const text = given.value(name);
  if (text === undefined) return ok(undefined);
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= most) return ok(number);
  return usageError(`--${name} takes a number from 1 to ${most}.`, command);
}
