import type { LogLine } from '../../../shared/ipc/calls/health.ts';
import type { Logger } from '../ports.ts';

/** Lines that are kept in memory: some hours of a busy desk, about 100 KB. */
const MOST_LINES = 500;

/** The last lines of a log, oldest first, and how many were there before them. */
export interface RecentLines {
  readonly lines: readonly LogLine[];
  readonly dropped: number;
}

/** Keeps the last lines that were logged, whatever else is done with them. */
export interface RecentLog {
  keep(line: Omit<LogLine, 'number'>): void;
  read(): RecentLines;
}

/** An empty log. */
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

/** A logger that can be asked for what it wrote last. */
export interface RememberingLogger extends Logger {
  recent(): RecentLines;
}

/** What a logger wrote last; nothing when it is of a kind that keeps nothing. */
export function recentLines(logger: Logger): RecentLines {
  return remembers(logger) ? logger.recent() : { lines: [], dropped: 0 };
}

const remembers = (logger: Logger): logger is RememberingLogger =>
  'recent' in logger && typeof logger.recent === 'function';
