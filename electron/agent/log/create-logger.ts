import { redactValue, type Plain, redactText, type RedactRules } from '../core/text/redact.ts';
import type { Clock, LogFields } from '../ports.ts';
import { createLineLimit } from './limit-lines.ts';
import { createRecentLog, type RememberingLogger } from './recent-log.ts';

/** Levels from the least to the most important; a logger writes its own level and what is above. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
/** One of `logLevels`. */
export type LogLevel = (typeof logLevels)[number];

/** What a logger needs. `write` gets one line without its line end. */
export interface LoggerOptions {
  readonly level: LogLevel;
  readonly format: 'json' | 'text';
  readonly write: (line: string) => void;
  readonly clock: Clock;
  /** Asked for each line, since keys become known while the program runs. */
  readonly rules: () => RedactRules;
}

/** Characters that could forge a line or steer a terminal, and the ones that turn the reading direction. */
const STEERING = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** From this level on lines are kept for the windows, also where fewer are written. */
const KEPT_LEVEL: LogLevel = 'info';

/**
 * Writes lines, each redacted here and not by its caller: a call that forgets to cannot leak. The last ones are kept,
 * redacted as well. A fault that goes on has one line a minute, and all lines together at most 50 MB a day, unless
 * everything (`debug`) was asked for. Never throws.
 */
export function createLogger(options: LoggerOptions): RememberingLogger {
  const recent = createRecentLog();
  const limit = createLineLimit(options.clock);
  const isFrom = (level: LogLevel, least: LogLevel): boolean =>
    logLevels.indexOf(level) >= logLevels.indexOf(least);

  function write(level: LogLevel, message: string, fields?: LogFields): void {
    const rules = options.rules();
    const at = new Date(options.clock.now()).toISOString();
    const text = redactText(message, rules);
    const plain = redactFields(fields, rules);
    if (isFrom(level, KEPT_LEVEL))
      recent.keep({ at, level, message: escapeSteering(text), fields: fieldsText(plain) });
    if (!isFrom(level, options.level)) return;
    const line =
      options.format === 'json' ? jsonLine(at, level, text, plain) : textLine(at, level, text, plain);
    if (options.level !== 'debug' && !limit.fits(Buffer.byteLength(line))) return;
    options.write(line);
    const lines = limit.takeDropped();
    if (lines > 0) write('warn', 'Lines were left out: the log reached its limit of 50 MB a day', { lines });
  }

  const log = (level: LogLevel) => (message: string, fields?: LogFields) => {
    if (!isFrom(level, options.level) && !isFrom(level, KEPT_LEVEL)) return;
    for (const summary of limit.leftOut()) write(summary.level, summary.message, summary.fields);
    const isFault = level === 'warn' || level === 'error';
    if (!isFault || limit.isDue(level, message, fields)) write(level, message, fields);
  };
  return {
    debug: log('debug'),
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
    recent: recent.read,
  };
}

type PlainFields = readonly (readonly [string, Plain])[];

function redactFields(fields: LogFields | undefined, rules: RedactRules): PlainFields {
  const plain = redactValue(fields ?? {}, rules);
  return typeof plain === 'object' && plain !== null ? Object.entries(plain) : [['fields', plain]];
}

function jsonLine(at: string, level: LogLevel, message: string, fields: PlainFields): string {
  const own = new Set(['at', 'level', 'message']);
  const safe = fields.map(([key, value]): [string, Plain] => [own.has(key) ? `${key}_` : key, value]);
  return escapeSteering(JSON.stringify({ at, level, message, ...Object.fromEntries(safe) }));
}

function textLine(at: string, level: LogLevel, message: string, fields: PlainFields): string {
  const pairs = fields.map(([key, value]) => ` ${key}=${textOf(value)}`).join('');
  return escapeSteering(`${at} ${level.toUpperCase().padEnd(5)} ${message}${pairs}`);
}

function fieldsText(fields: PlainFields): string {
  return fields.length === 0 ? '' : escapeSteering(JSON.stringify(Object.fromEntries(fields)));
}

const textOf = (value: Plain): string =>
  typeof value === 'string' && /^[\w./:~@%+-]+$/.test(value) ? value : JSON.stringify(value);

const escapeSteering = (line: string): string =>
  line.replaceAll(STEERING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
