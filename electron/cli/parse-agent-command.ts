import { ok } from '../../shared/lib/result.ts';
import { logLevels, type LogLevel } from '../agent/log/create-logger.ts';
import type { Command, CommonOptions } from './command.ts';
import { parseIncidentAt, parseText } from './incident-details.ts';
import { didYouMean, noOperands, usageError, type Line, type Parsed } from './read-options.ts';

/** Ports under 1024 need rights that this program should not have. */
const LOWEST_PORT = 1024;
const HIGHEST_PORT = 65_535;

/** `run`. */
export function parseRun(line: Line): Parsed<Command> {
  const port = parseConsole(line.given.value('console'));
  const level = parseLevel(line.given.value('log-level'));
  const wrong = noOperands(line) ?? (port.ok ? undefined : port) ?? (level.ok ? undefined : level);
  if (wrong !== undefined || !port.ok || !level.ok) return wrong ?? usageError('Wrong arguments.', 'run');
  return ok({
    kind: 'run',
    once: line.given.has('once'),
    console: port.value,
    ...(line.given.has('demo') && { demo: true }),
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
  return usageError(`--log-level takes one of: ${logLevels.join(', ')}.`, 'run', didYouMean(text, logLevels));
}

/** `push`. */
export function parsePush(line: Line): Parsed<Command> {
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
  const title = parseText('--title', given.value('title'));
  const description = parseText('--description', given.value('description'));
  const incidentAt = parseIncidentAt(given.value('incident-at'));
  for (const each of [title, description, incidentAt]) if (!each.ok) return each;
  return ok({
    ...(title.ok && title.value !== undefined && { title: title.value }),
    ...(description.ok && description.value !== undefined && { description: description.value }),
    ...(incidentAt.ok && incidentAt.value !== undefined && { incidentAt: incidentAt.value }),
  });
}

/** `retry`. */
export function parseRetry(line: Line): Parsed<Command> {
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

/** `status`. */
export const parseStatus = (line: Line): Parsed<Command> =>
  noOperands(line) ?? ok({ kind: 'status', json: line.given.has('json'), ...common(line) });

/** `check`. */
export const parseCheck = (line: Line): Parsed<Command> =>
  noOperands(line) ?? ok({ kind: 'check', json: line.given.has('json'), ...common(line) });

function common({ given }: Line): CommonOptions {
  const config = given.value('config');
  const dataDir = given.value('data-dir');
  return { ...(config !== undefined && { config }), ...(dataDir !== undefined && { dataDir }) };
}
