/*
 * The command line: arguments in, lines and an exit code out.
 * commands/ has a file for each command, and commands.ts the table of them; run-cli.ts uses that table to parse the
 * arguments and to write the help. Commands that run an agent share agent-session.ts; those that only talk to the
 * service share `runTeamWork` in report-failure.ts. All their dependencies come in as `Deps`, from
 * electron/headless-program.ts.
 * Results go to stdout, everything else to stderr. All output passes through output.ts, which removes secrets and
 * characters that could control a terminal.
 */
import { parseArgs } from 'node:util';
import { suggestKey } from '../agent/core/settings/suggest-key.ts';
import { visibleName } from '../../shared/lib/visible-name.ts';
import { didYouMean, UsageError, type Command, type Line, type Option, queueOptions } from './command.ts';
import { commands, commandsOf, firstWords } from './commands.ts';
import type { Deps } from './deps.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';
import { reportUsage } from './report-failure.ts';

/** The parsed arguments: a command with its line, the version, or help (about a command or a group). */
export type Request =
  | { readonly kind: 'command'; readonly command: Command; readonly line: Line }
  | { readonly kind: 'help'; readonly about?: string }
  | { readonly kind: 'version' };

/** The command-line program: arguments in, exit code out. */
export async function runCli(args: readonly string[], deps: Deps): Promise<ExitCode> {
  const { output, version } = deps;
  const words = tokenize(args).flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  try {
    const request = parseArguments(args);
    if (request.kind === 'command') return await request.command.start(request.line, deps);
    output.line(request.kind === 'version' ? version : usageText(request.about));
    return exitCodes.ok;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const json = tokenize(args).some((token) => token.kind === 'option' && token.name === 'json');
    reportUsage(error, { output, clock: deps.clock, json });
    output.note(`\n${usageText(topicOf(words))}`);
    return exitCodes.usage;
  }
}

/** Parses the arguments after the program's name; throws `UsageError`, with a suggestion if there is one. */
export function parseArguments(args: readonly string[]): Request {
  const tokens = tokenize(args);
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const [first, second] = words;
  const isGiven = (name: string): boolean =>
    tokens.some((token) => token.kind === 'option' && token.name === name);
  if (isGiven('help') || first === 'help') {
    const about = topicOf(first === 'help' ? words.slice(1) : words);
    return about === undefined ? { kind: 'help' } : { kind: 'help', about };
  }
  if (isGiven('version') && first === undefined) return { kind: 'version' };
  if (first === undefined) {
    readOptions(tokens, undefined);
    throw new UsageError('No command was given.');
  }
  const command = commandsOf(first).find(({ name }) => name === first || name === `${first} ${second}`);
  if (command === undefined) throw unknownCommand(first, second);
  const given = readOptions(tokens, command);
  const line: Line = {
    command: command.name,
    operands: words.slice(command.name.split(' ').length),
    has: (name) => given.has(name),
    text: (name) => given.get(name)?.[0],
    texts: (name) => given.get(name) ?? [],
  };
  return { kind: 'command', command, line };
}

/** Options that also work without a command. */
const programOptions = {
  help: { help: 'shows this help, or the help for one command' },
  version: { help: 'shows the version' },
} as const satisfies Readonly<Record<string, Option>>;

const allOptions = new Map<string, Option>(
  [...commands.map(({ options }) => options), programOptions].flatMap((options) => Object.entries(options)),
);

type Token = ReturnType<typeof tokenize>[number];

/** Splits a command line into options and operands, without checking them. */
const tokenize = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    options: {
      ...Object.fromEntries(
        [...allOptions].map(([name, { value }]) => [
          name,
          { type: value === undefined ? 'boolean' : 'string' } as const,
        ]),
      ),
      help: { type: 'boolean', short: 'h' },
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  }).tokens;

/** The topic of help for these words: a command, a group of commands, or undefined for the program. */
function topicOf([first = '', second]: readonly string[]): string | undefined {
  const found = commandsOf(first);
  return (
    found.find(({ name }) => name === `${first} ${second}`)?.name ?? (found.length > 0 ? first : undefined)
  );
}

function unknownCommand(first: string, second: string | undefined): UsageError {
  const group = commandsOf(first).map(({ name }) => name.slice(first.length + 1));
  if (group.length === 0)
    return new UsageError(`"${visibleName(first)}" is not a command.`, didYouMean(first, firstWords));
  if (second === undefined) return new UsageError(`${first} needs one of: ${group.join(', ')}.`);
  return new UsageError(`"${visibleName(second)}" is not a command of ${first}.`, didYouMean(second, group));
}

/** Reads the options and their values. Each must belong to the command, and most can be given only once. */
function readOptions(
  tokens: readonly Token[],
  command: Command | undefined,
): ReadonlyMap<string, readonly string[]> {
  const allowed = command === undefined ? allOptions : new Map(Object.entries(command.options));
  const given = new Map<string, readonly string[]>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const option = allowed.get(token.name);
    if (option === undefined) throw unknownOption(token, command, allowed);
    const before = given.get(token.name) ?? [];
    if (before.length > 0 && option.repeatable !== true)
      throw new UsageError(`${token.rawName} can be given only once.`);
    given.set(token.name, [...before, valueOf(token, option)]);
  }
  return given;
}

function valueOf(token: Extract<Token, { readonly kind: 'option' }>, option: Option): string {
  if (option.value === undefined) {
    if (token.value !== undefined) throw new UsageError(`${token.rawName} takes no value.`);
    return '';
  }
  // A value that looks like an option usually means a forgotten value; --title=-x passes one deliberately
  const isForgotten = token.value === undefined || (!token.inlineValue && /^-\D/.test(token.value));
  if (isForgotten || token.value === '') throw new UsageError(`${token.rawName} needs a value.`);
  return token.value;
}

function unknownOption(
  { name, rawName }: Extract<Token, { readonly kind: 'option' }>,
  command: Command | undefined,
  allowed: ReadonlyMap<string, Option>,
): UsageError {
  const shown = visibleName(rawName);
  if (allOptions.has(name)) {
    const owners = commands.filter(({ options }) => name in options).map((owner) => owner.name);
    const advice = owners.length === 0 ? undefined : `It belongs to: ${owners.join(', ')}.`;
    return new UsageError(`${shown} is not an option of ${command?.name ?? 'this program'}.`, advice);
  }
  const names = [...allowed].flatMap(([each, { help }]) => (help === undefined ? [] : [each]));
  const near = suggestKey(rawName.replace(/^-+/, ''), names);
  const advice = near === undefined ? undefined : `Did you mean --${near}?`;
  return new UsageError(`${shown} is not a known option.`, advice);
}

const PROGRAM = 'vms-export-agent';

/** Column where the help text of an option starts, and the length of lines, characters. */
const TEXT_COLUMN = 21;

const WIDTH = 80;

const EXITS = `Exit codes: 0 success, 1 error, 2 wrong usage, 10 bad configuration,
  11 key refused, 12 service or storage cannot be reached or used,
  13 another agent uses the data directory, 14 some clips failed, were held
  back, paused or changed before they were sent, a folder contains no clip or
  has files missing, or the service refused an incident, 130 interrupted,
  143 terminated.`;

const inWords = new Intl.ListFormat('en-GB');

/** The help text of a command, of a group of commands, or of the program. */
export function usageText(topic?: string): string {
  if (topic === undefined) return programHelp();
  const found = commandsOf(topic);
  const [command] = found;
  if (command?.name === topic) return commandHelp(command);
  return `Usage:\n${synopses(found)}\n\nFor help with one command: ${PROGRAM} help ${command?.name}\n\n${serviceExits()}`;
}

function programHelp(): string {
  const forQueue = inWords.format(commands.filter(usesQueue).map(({ name }) => name));
  const common = {
    ...queueOptions,
    'data-dir': { ...queueOptions['data-dir'], help: `${queueOptions['data-dir'].help}; for ${forQueue}` },
    ...programOptions,
  };
  const options = `Common options:\n${optionLines(common)}`;
  const purposes = `Commands:\n${commands.map(({ name, purpose }) => helpLine(name, firstSentence(purpose))).join('\n')}`;
  return `Usage:\n${synopses(commands)}\n\n${purposes}\n\n${options}\n\n${EXITS}\n${serviceExits()}`;
}

const firstSentence = (text: string): string => text.replaceAll('\n', ' ').replace(/(?<=\.) .*/, '');

function commandHelp(command: Command): string {
  const { usage, purpose, operands = {}, options, remark } = command;
  const [first = '', ...more] = usage.map(programLine);
  const synopsis = [`Usage: ${first}`, ...more.map((line) => `       ${line}`)].join('\n');
  const common = Object.entries(options).filter(([name]) => name in queueOptions);
  const own = Object.entries(options).filter(([name]) => !(name in queueOptions));
  const details = [
    purpose,
    ...Object.entries(operands).map(([label, text]) => helpLine(label, text)),
    ...(own.length === 0 ? [] : [optionLines(Object.fromEntries(own))]),
    ...(remark === undefined ? [] : [remark]),
    optionLines({ ...Object.fromEntries(common), help: programOptions.help }),
  ].join('\n');
  return `${synopsis}\n\n${details}${usesQueue(command) ? '' : `\n\n${serviceExits()}`}`;
}

/** Commands without a queue only talk to the service. */
const usesQueue = ({ options }: Command): boolean => 'data-dir' in options;

function serviceExits(): string {
  const names = commands
    .filter((command) => !usesQueue(command))
    .map(({ name }) => name.split(' ', 1)[0] ?? '');
  return `Exit codes of ${inWords.format(new Set(names))}: 0 success, 1 refused by
  the service or not known to it, 2 wrong usage, 10 bad configuration, 11 key
  refused or permission missing, 12 service cannot be reached or used,
  130 interrupted, 143 terminated.`;
}

const synopses = (found: readonly Command[]): string =>
  found.flatMap(({ usage }) => usage.map((line) => `  ${programLine(line)}`)).join('\n');

const programLine = (line: string): string => (line.startsWith(' ') ? line : `${PROGRAM} ${line}`);

function optionLines(options: Readonly<Record<string, Option>>): string {
  return Object.entries(options)
    .flatMap(([name, { value, help }]) => {
      if (help === undefined) return [];
      const dashed = name === 'help' ? '-h, --help' : `--${name}`;
      return [helpLine(value === undefined ? dashed : `${dashed} ${value}`, help)];
    })
    .join('\n');
}

/** A label with its text beside it, wrapped as needed. */
function helpLine(label: string, text: string): string {
  const lines = [`  ${label}`.padEnd(TEXT_COLUMN - 1)];
  if (label.length + 3 > TEXT_COLUMN) lines.push(' '.repeat(TEXT_COLUMN - 1));
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${' '.repeat(TEXT_COLUMN)}${word}`);
  }
  return lines.map((line) => line.trimEnd()).join('\n');
}
