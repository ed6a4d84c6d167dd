import { logLineLevels, type LogLine } from '../../../shared/ipc/calls/health.ts';

/** Which lines of the log are shown. */
export interface LogFilter {
  /** This level and what is more important. */
  readonly level: LogLine['level'];
  /** Words that a line must all have, in any order; upper and lower case count the same. */
  readonly search: string;
}

/** The lines that fit, newest first. */
export function selectLines(lines: readonly LogLine[], { level, search }: LogFilter): readonly LogLine[] {
  const least = logLineLevels.indexOf(level);
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return lines
    .filter((line) => {
      if (logLineLevels.indexOf(line.level) < least) return false;
      const text = `${line.message} ${line.fields}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toReversed();
}

/** The lines as a text for the clipboard, oldest first. */
export function linesText(lines: readonly LogLine[]): string {
  return lines
    .toReversed()
    .map(({ at, level, message, fields }) =>
      `${at} ${level.toUpperCase().padEnd(5)} ${message} ${fields}`.trim(),
    )
    .join('\n');
}
