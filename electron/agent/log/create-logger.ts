import { redactValue, type Plain, redactText, type RedactRules } from '../core/text/redact.ts';
import type { Clock, LogFields, Logger } from '../ports.ts';
import { FailureError } from '../../../shared/domain/failure.ts';
import type { LogLine } from '../../../shared/ipc/calls/health.ts';

/** Levels from least to most important; a logger writes its own level and those above. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
/** One of `logLevels`. */
export type LogLevel = (typeof logLevels)[number];

/** Options of a logger. `write` gets one line without its line end. */
export interface LoggerOptions {
  readonly level: LogLevel;
  readonly format: 'json' | 'text';
  readonly write: (line: string) => void;
  readonly clock: Clock;
  /** Called for each line, since keys become known while the program runs. */
  readonly rules: () => RedactRules;
}

/** Characters that could forge a line or control a terminal, and those that change the text direction. */
const STEERING = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Lines from this level on are kept for the windows, even if fewer are written. */
const KEPT_LEVEL: LogLevel = 'info';

/**
 * Writes lines, each redacted here and not by its caller, so that a careless call cannot leak. The latest ones are
 * kept, also redacted. A persistent fault is logged once a minute, and all lines together are limited to 50 MB a day,
 * unless everything (`debug`) was requested. Never throws.
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
    if (lines > 0) write('warn', 'Lines were dropped to keep the log under 50 MB a day', { lines });
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

/** How often a repeated fault is logged, milliseconds. */
const INTERVAL_MS = 60_000;

/** Most faults that are tracked; beyond that, the oldest is forgotten. */
const MOST_FAULTS = 1_000;

/** Burst size and daily refill in bytes: 50 MB on the worst day. */
const BURST_BYTES = 10_000_000;

const DAILY_BYTES = 40_000_000;

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A line that summarizes those that were left out. */
interface LeftOut {
  readonly level: 'warn' | 'error';
  readonly message: string;
  readonly fields: LogFields;
}

/** Keeps the log small whatever goes wrong, and counts what it left out. */
interface LineLimit {
  /** Whether a line about a fault is due: at most one a minute per message, error code and clip. */
  isDue(level: 'warn' | 'error', message: string, fields: LogFields | undefined): boolean;
  /** Faults whose minute is over and that had lines left out. */
  leftOut(): readonly LeftOut[];
  /** Whether a line of this size still fits today's limit. */
  fits(bytes: number): boolean;
  /** Number of lines dropped since the last call, for when lines fit again. */
  takeDropped(): number;
}

interface Fault extends Omit<LeftOut, 'fields'> {
  readonly sinceMs: number;
  readonly facts: LogFields;
  leftOut: number;
}

/** Creates a limit with nothing logged yet. */
export function createLineLimit(clock: Pick<Clock, 'monotonic'>): LineLimit {
  /** By key, ordered by the start of their minute. */
  const faults = new Map<string, Fault>();
  let bytesLeft = BURST_BYTES;
  let filledMs = clock.monotonic();
  let dropped = 0;

  return {
    isDue(level, message, fields) {
      const facts = factsOf(fields);
      const key = JSON.stringify([message, facts]);
      const fault = faults.get(key);
      if (fault !== undefined && clock.monotonic() - fault.sinceMs < INTERVAL_MS) {
        fault.leftOut += 1;
        return false;
      }
      faults.delete(key);
      faults.set(key, { level, message, facts, sinceMs: clock.monotonic(), leftOut: 0 });
      const [oldest] = faults.keys();
      if (faults.size > MOST_FAULTS && oldest !== undefined) faults.delete(oldest);
      return true;
    },
    leftOut() {
      const over: LeftOut[] = [];
      for (const [key, { sinceMs, leftOut, level, message, facts }] of faults) {
        if (clock.monotonic() - sinceMs < INTERVAL_MS) break;
        faults.delete(key);
        if (leftOut > 0) over.push({ level, message, fields: { ...facts, sameLines: leftOut } });
      }
      return over;
    },
    fits(bytes) {
      const now = clock.monotonic();
      bytesLeft = Math.min(BURST_BYTES, bytesLeft + ((now - filledMs) / DAY_MS) * DAILY_BYTES);
      filledMs = now;
      if (bytes > bytesLeft) {
        dropped += 1;
        return false;
      }
      bytesLeft -= bytes;
      return true;
    },
    takeDropped() {
      const lines = dropped;
      dropped = 0;
      return lines;
    },
  };
}

/** The facts that distinguish faults with the same message. */
function factsOf(fields: LogFields | undefined): LogFields {
  const code = codeOf(fields?.['error']) ?? codeOf(fields?.['failure']) ?? codeOf(fields);
  const clipId = fields?.['clipId'];
  return {
    ...(code !== undefined && { code }),
    ...(typeof clipId === 'string' && { clipId }),
  };
}

function codeOf(value: unknown): string | undefined {
  if (value instanceof FailureError) return value.failure.code;
  if (typeof value !== 'object' || value === null || !('code' in value)) return undefined;
  return typeof value.code === 'string' ? value.code : undefined;
}

/** Lines kept in memory: some hours of a busy desk, about 100 KB. */
const MOST_LINES = 500;

/** The latest lines of a log, oldest first, and how many came before them. */
interface RecentLines {
  readonly lines: readonly LogLine[];
  readonly dropped: number;
}

/** Keeps the latest log lines, whatever else happens to them. */
interface RecentLog {
  keep(line: Omit<LogLine, 'number'>): void;
  read(): RecentLines;
}

/** Creates an empty log. */
export function createRecentLog(mostLines = MOST_LINES): RecentLog {
  let lines: readonly LogLine[] = [];
  let count = 0;
  return {
    keep(line) {
      count += 1;
      lines = [...lines, { number: count, ...line }].slice(-mostLines);
    },
    read: () => ({ lines, dropped: count - lines.length }),
  };
}

/** A logger that remembers its latest lines. */
interface RememberingLogger extends Logger {
  recent(): RecentLines;
}

/** The latest lines of a logger; empty for a logger that keeps none. */
export function recentLines(logger: Logger): RecentLines {
  return remembers(logger) ? logger.recent() : { lines: [], dropped: 0 };
}

const remembers = (logger: Logger): logger is RememberingLogger =>
  'recent' in logger && typeof logger.recent === 'function';

/** Shortest interval between two lines with the same message, milliseconds. */
const PAUSE_MS = 60_000;

/**
 * Limits each warning and error, by its message, to once a minute; the next line has the number of suppressed ones as
 * `leftOut`. For problems that may occur many times a second while one cause lasts.
 */
export function oncePerMinute(logger: Logger, clock: Pick<Clock, 'monotonic'>): Logger {
  const lines = new Map<string, { readonly untilMs: number; leftOut: number }>();

  function limited(level: 'warn' | 'error') {
    return (message: string, fields?: LogFields): void => {
      const line = lines.get(message);
      if (line !== undefined && clock.monotonic() < line.untilMs) {
        line.leftOut += 1;
        return;
      }
      const leftOut = line?.leftOut ?? 0;
      lines.set(message, { untilMs: clock.monotonic() + PAUSE_MS, leftOut: 0 });
      logger[level](message, leftOut === 0 ? fields : { ...fields, leftOut });
    };
  }

  return { ...logger, warn: limited('warn'), error: limited('error') };
}
