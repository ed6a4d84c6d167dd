import { parseArgs } from 'node:util';
import { err, ok, type Result } from '../../shared/lib/result.ts';
import { suggestKey } from '../agent/core/settings/suggest-key.ts';
import { visibleName } from '../../shared/lib/visible-name.ts';
import { commandNames, type CommandName, type Topic } from './command-names.ts';
import type { UsageError } from './command.ts';
import {
  hiddenOptions,
  optionNames,
  options,
  optionsOf,
  repeatedOf,
  type OptionName,
} from './option-table.ts';

/** One word of the command line, sorted into options and operands. */
export type Token = ReturnType<typeof tokenize>[number];
/** What was understood, or why not. */
export type Parsed<T> = Result<T, UsageError>;

/** The options as given. */
export interface GivenOptions {
  has(name: OptionName): boolean;
  /** The text of an option with a value. */
  value(name: OptionName): string | undefined;
  /** The texts of an option that can be given more than once, in their order. */
  values(name: OptionName): readonly string[];
}

/** The options and operands of one command line. */
export interface Line {
  readonly command: CommandName;
  readonly given: GivenOptions;
  readonly operands: readonly string[];
}

/** Sorts the words of a command line; nothing is checked yet. */
export const tokenize = (args: readonly string[]) =>
  parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true }).tokens;

/** The options as given. Each must belong to the command, and most can be given only once. */
export function readOptions(
  tokens: readonly Token[],
  command: CommandName | undefined,
): Parsed<GivenOptions> {
  const given = new Map<OptionName, readonly string[]>();
  const repeated = (command && repeatedOf[command]) ?? [];
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const option = readOption(token, command);
    if (!option.ok) return option;
    const [name, value] = option.value;
    const before = given.get(name) ?? [];
    if (before.length > 0 && !repeated.includes(name))
      return usageError(`${token.rawName} is given twice.`, command);
    given.set(name, [...before, value]);
  }
  return ok({
    has: (name) => given.has(name),
    value: (name) => given.get(name)?.[0],
    values: (name) => given.get(name) ?? [],
  });
}

function readOption(
  token: Extract<Token, { readonly kind: 'option' }>,
  command: CommandName | undefined,
): Parsed<readonly [OptionName, string]> {
  const name = optionNames.find((each) => each === token.name);
  const allowed = command === undefined ? optionNames : optionsOf[command];
  if (name === undefined || !allowed.includes(name))
    return unknownOption(token.rawName, name, command, allowed);
  if (options[name].type === 'boolean') {
    if (token.value === undefined) return ok([name, '']);
    return usageError(`${token.rawName} takes no value.`, command);
  }
  // A value that looks like an option is one whose own value was forgotten; --title=-x says it otherwise
  const isForgotten = token.value === undefined || (!token.inlineValue && /^-./.test(token.value));
  if (isForgotten || token.value === '') return usageError(`${token.rawName} needs a value.`, command);
  return ok([name, token.value]);
}

function unknownOption(
  rawName: string,
  name: OptionName | undefined,
  command: CommandName | undefined,
  allowed: readonly OptionName[],
): Parsed<never> {
  const shown = visibleName(rawName);
  if (name !== undefined) {
    const owners = commandNames.filter((each) => optionsOf[each].includes(name)).join(', ');
    const advice = owners === '' ? undefined : `It belongs to: ${owners}.`;
    return usageError(`${shown} is not an option of ${command ?? 'this program'}.`, command, advice);
  }
  const shownOptions = allowed.filter((each) => !hiddenOptions.includes(each));
  const near = suggestKey(rawName.replace(/^-+/, ''), shownOptions);
  const advice = near === undefined ? undefined : `Did you mean --${near}?`;
  return usageError(`${shown} is not a known option.`, command, advice);
}

/** The refusal of operands, for commands that have none. */
export function noOperands({ command, operands }: Line): Parsed<never> | undefined {
  const [first] = operands;
  if (first === undefined) return undefined;
  return usageError(`${command} takes no "${visibleName(first)}".`, command);
}

/** A command line that cannot be understood, as a result. */
export function usageError(
  message: string,
  about?: Topic,
  advice?: string,
): { readonly ok: false; readonly error: UsageError } {
  return err({
    message,
    ...(advice !== undefined && { advice }),
    ...(about !== undefined && { about }),
  });
}

/** The advice to take the known word that is near to what was typed. */
export function didYouMean(typed: string, known: readonly string[]): string | undefined {
  const near = suggestKey(typed, known);
  return near === undefined ? undefined : `Did you mean "${near}"?`;
}
