import { parseArgs } from 'node:util';
import { err, ok, type Result } from '../../shared/lib/result.ts';
import { suggestKey } from '../agent/core/suggest-key.ts';
import { visibleName } from '../../shared/lib/visible-name.ts';
import type { UsageError } from './command.ts';
import { commandNames, type CommandName } from './usage.ts';

const options = {
  config: { type: 'string' },
  'data-dir': { type: 'string' },
  once: { type: 'boolean' },
  console: { type: 'string' },
  'log-level': { type: 'string' },
  json: { type: 'boolean' },
  title: { type: 'string' },
  description: { type: 'string' },
  'incident-at': { type: 'string' },
  all: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

/** Name of an option without its dashes. */
export type OptionName = keyof typeof options;

const optionsOf: Readonly<Record<CommandName, readonly OptionName[]>> = {
  run: ['config', 'data-dir', 'once', 'console', 'log-level', 'json'],
  push: ['config', 'data-dir', 'title', 'description', 'incident-at', 'json'],
  status: ['config', 'data-dir', 'json'],
  retry: ['config', 'data-dir', 'all'],
  check: ['config', 'data-dir', 'json'],
};

/** One word of the command line, sorted into options and operands. */
export type Token = ReturnType<typeof tokenize>[number];
/** What was understood, or why not. */
export type Parsed<T> = Result<T, UsageError>;

/** Sorts the words of a command line; nothing is checked yet. */
export const tokenize = (args: readonly string[]) =>
  parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true }).tokens;

/** The options as given: the text of those with a value, '' for those without. Each must belong to the command. */
export function readOptions(
  tokens: readonly Token[],
  command: CommandName | undefined,
): Parsed<ReadonlyMap<OptionName, string>> {
  const given = new Map<OptionName, string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const option = readOption(token, command);
    if (!option.ok) return option;
    const [name, value] = option.value;
    if (given.has(name)) return usageError(`${token.rawName} is given twice.`, command);
    given.set(name, value);
  }
  return ok(given);
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

const optionNames = Object.keys(options).filter((name): name is OptionName => name in options);

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
  const near = suggestKey(rawName.replace(/^-+/, ''), allowed);
  const advice = near === undefined ? undefined : `Did you mean --${near}?`;
  return usageError(`${shown} is not a known option.`, command, advice);
}

/** A command line that cannot be understood, as a result. */
export function usageError(
  message: string,
  about?: CommandName,
  advice?: string,
): { ok: false; error: UsageError } {
  return err({
    message,
    ...(advice !== undefined && { advice }),
    ...(about !== undefined && { about }),
  });
}
