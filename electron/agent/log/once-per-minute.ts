import type { Clock, LogFields, Logger } from '../ports.ts';

/** Least time between two lines of the same message, milliseconds. */
const PAUSE_MS = 60_000;

/**
 * A logger that writes each warning and each error, by its message, once a minute at the most; the next line says in
 * `leftOut` how many there were in between. For what may go wrong many times a second for as long as one cause lasts.
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
