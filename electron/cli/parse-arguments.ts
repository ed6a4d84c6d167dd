import { ok } from '../../shared/lib/result.ts';
import { visibleName } from '../../shared/lib/visible-name.ts';
import { commandNames, commandsOf, firstWords, USERS, userWords, type Topic } from './command-names.ts';
import type { Command } from './command.ts';
import { parseCheck, parsePush, parseRetry, parseRun, parseStatus } from './parse-agent-command.ts';
import { didYouMean, readOptions, tokenize, usageError, type Line, type Parsed } from './read-options.ts';
import { parseActions, parseMessage, parsePeriods } from './team/parse-team-command.ts';
import { parseUsersCreate, parseUsersUpdate } from './commands/user-fields.ts';
import { parseUsersDelete, parseUsersGet, parseUsersList } from './team/parse-users-command.ts';

/** Reads the arguments after the program's name. Anything that is not understood is an error with a suggestion. */
export function parseArguments(args: readonly string[]): Parsed<Command> {
  const tokens = tokenize(args);
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const [first, second] = words;
  const asked = (name: string): boolean =>
    tokens.some((token) => token.kind === 'option' && token.name === name);
  if (asked('help') || first === 'help') return ok(helpFor(first === 'help' ? words.slice(1) : words));
  if (asked('version') && first === undefined) return ok({ kind: 'version' });
  if (first === undefined) {
    const given = readOptions(tokens, undefined);
    return given.ok ? usageError('A command is missing.') : given;
  }
  const command = commandNames.find((name) => name === (name.includes(' ') ? `${first} ${second}` : first));
  if (command === undefined) return unknownCommand(first, second);
  const given = readOptions(tokens, command);
  const operands = words.slice(command.split(' ').length);
  return given.ok ? parseCommand({ command, given: given.value, operands }) : given;
}

function helpFor([first, second]: readonly string[]): Command {
  const topics: readonly Topic[] = [...commandNames, USERS];
  const about = topics.find((name) => name === `${first} ${second}`) ?? topics.find((name) => name === first);
  return about === undefined ? { kind: 'help' } : { kind: 'help', about };
}

function unknownCommand(first: string, second: string | undefined): Parsed<never> {
  if (commandsOf(first).length === 0)
    return usageError(`"${visibleName(first)}" is not a command.`, undefined, didYouMean(first, firstWords));
  if (second === undefined) return usageError(`${USERS} needs one of: ${userWords.join(', ')}.`, USERS);
  const message = `"${visibleName(second)}" is not a command of ${USERS}.`;
  return usageError(message, USERS, didYouMean(second, userWords));
}

function parseCommand(line: Line): Parsed<Command> {
  switch (line.command) {
    case 'run':
      return parseRun(line);
    case 'push':
      return parsePush(line);
    case 'status':
      return parseStatus(line);
    case 'retry':
      return parseRetry(line);
    case 'check':
      return parseCheck(line);
    case 'periods':
      return parsePeriods(line);
    case 'actions':
      return parseActions(line);
    case 'message':
      return parseMessage(line);
    case 'users list':
      return parseUsersList(line);
    case 'users get':
    case 'users deactivate':
      return parseUsersGet(line, line.command);
    case 'users create':
      return parseUsersCreate(line);
    case 'users update':
      return parseUsersUpdate(line);
    case 'users delete':
      return parseUsersDelete(line);
  }
}
