import { ok } from '../../shared/lib/result.ts';
import { suggestKey } from '../agent/core/suggest-key.ts';
import { visibleName } from '../../shared/lib/visible-name.ts';
import { logLevels, type LogLevel } from '../agent/log/create-logger.ts';
import type { Command, CommonOptions } from './command.ts';
import { parseIncidentAt, parseText } from './incident-details.ts';
import { readOptions, tokenize, usageError, type OptionName, type Parsed } from './read-options.ts';
import { commandNames, type CommandName } from './usage.ts';

/** Ports under 1024 need rights that this program should not have. */
const LOWEST_PORT = 1024;
const HIGHEST_PORT = 65_535;

/** The options of one command line: the text of those with a value, '' for those without. */
interface Line {
  readonly command: CommandName;
  readonly given: ReadonlyMap<OptionName, string>;
  readonly operands: readonly string[];
}

/** Reads the arguments after the program's name. Anything that is not understood is an error with a suggestion. */
export function parseArguments(args: readonly string[]): Parsed<Command> {
  const tokens = tokenize(args);
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const [first, ...operands] = words;
  const asked = (name: OptionName): boolean =>
    tokens.some((token) => token.kind === 'option' && token.name === name);
  if (asked('help') || first === 'help') return ok(helpFor(first === 'help' ? operands[0] : first));
  if (asked('version') && first === undefined) return ok({ kind: 'version' });
  if (first === undefined) {
    const given = readOptions(tokens, undefined);
    return given.ok ? usageError('A command is missing.') : given;
  }
  const command = commandNames.find((name) => name === first);
  if (command === undefined) return unknownCommand(first);
  const given = readOptions(tokens, command);
  return given.ok ? build({ command, given: given.value, operands }) : given;
}

function helpFor(word: string | undefined): Command {
  const about = commandNames.find((name) => name === word);
  return about === undefined ? { kind: 'help' } : { kind: 'help', about };
}

function unknownCommand(word: string): Parsed<never> {
  const near = suggestKey(word, commandNames);
  const advice = near === undefined ? undefined : `Did you mean "${near}"?`;
  return usageError(`"${visibleName(word)}" is not a command.`, undefined, advice);
}

function build(line: Line): Parsed<Command> {
  switch (line.command) {
    case 'run':
      return buildRun(line);
    case 'push':
      return buildPush(line);
    case 'retry':
      return buildRetry(line);
    case 'status':
    case 'check':
      return noOperands(line) ?? ok({ kind: line.command, json: line.given.has('json'), ...common(line) });
  }
}

function buildRun(line: Line): Parsed<Command> {
  const port = parseConsole(line.given.get('console'));
  const level = parseLevel(line.given.get('log-level'));
  const wrong = noOperands(line) ?? (port.ok ? undefined : port) ?? (level.ok ? undefined : level);
  if (wrong !== undefined || !port.ok || !level.ok) return wrong ?? usageError('Wrong arguments.', 'run');
  return ok({
    kind: 'run',
    once: line.given.has('once'),
    console: port.value,
    logLevel: level.value,
    json: line.given.has('json'),
    ...common(line),
  });
}

function parseConsole(text: string | undefined): Parsed<number | 'off' | undefined> {
  if (text === undefined || text === 'off') return ok(text);
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= LOWEST_PORT && port <= HIGHEST_PORT) return ok(port);
  return usageError(`--console takes a port from ${LOWEST_PORT} to ${HIGHEST_PORT}, or off.`, 'run');
}

function parseLevel(text = 'warn'): Parsed<LogLevel> {
  const level = logLevels.find((each) => each === text);
  if (level !== undefined) return ok(level);
  const near = suggestKey(text, logLevels);
  const advice = near === undefined ? undefined : `Did you mean "${near}"?`;
  return usageError(`--log-level takes one of: ${logLevels.join(', ')}.`, 'run', advice);
}

function buildPush(line: Line): Parsed<Command> {
  const { given, operands } = line;
  if (operands.length === 0) return usageError('push needs at least one folder.', 'push');
  if (operands.includes('')) return usageError('A folder name is empty.', 'push');
  if (given.has('title') && operands.length > 1)
    return usageError('--title is for one folder; push the others on their own.', 'push');
  const details = parseDetails(given);
  if (!details.ok) return usageError(details.error, 'push');
  return ok({ kind: 'push', folders: operands, json: given.has('json'), ...details.value, ...common(line) });
}

function parseDetails(given: Line['given']) {
  const title = parseText('--title', given.get('title'));
  const description = parseText('--description', given.get('description'));
  const incidentAt = parseIncidentAt(given.get('incident-at'));
  for (const each of [title, description, incidentAt]) if (!each.ok) return each;
  return ok({
    ...(title.ok && title.value !== undefined && { title: title.value }),
    ...(description.ok && description.value !== undefined && { description: description.value }),
    ...(incidentAt.ok && incidentAt.value !== undefined && { incidentAt: incidentAt.value }),
  });
}

function buildRetry(line: Line): Parsed<Command> {
  const all = line.given.has('all');
  const [id, ...more] = line.operands;
  if (all === (id !== undefined) || more.length > 0)
    return usageError('retry needs either one id or --all.', 'retry', 'status shows the ids.');
  return ok({
    kind: 'retry',
    target: id === undefined ? { kind: 'all' } : { kind: 'id', id },
    ...common(line),
  });
}

function noOperands(line: Line): Parsed<never> | undefined {
  const [first] = line.operands;
  if (first === undefined) return undefined;
  return usageError(`${line.command} takes no "${visibleName(first)}".`, line.command);
}

function common(line: Line): CommonOptions {
  const config = line.given.get('config');
  const dataDir = line.given.get('data-dir');
  return { ...(config !== undefined && { config }), ...(dataDir !== undefined && { dataDir }) };
}
