import type { Clock, Logger } from '../agent/index.ts';
import type { Refusal } from './refusal.ts';

/** Refusals are told at most so often: a page that tries all night must not fill the log, milliseconds. */
const TELL_EVERY_MS = 60_000;

/** Counts what was refused, by the reason. Addresses are not told: one of them carries the launch code. */
export interface RefusalLog {
  note(refusal: Refusal): void;
}

export function createRefusalLog(logger: Logger, clock: Pick<Clock, 'monotonic'>): RefusalLog {
  const counts = new Map<string, number>();
  const toldAtMs = new Map<string, number>();
  return {
    note({ status, text: reason }) {
      // A browser asks for what there may be, an icon for one
      if (status === 404) return;
      const count = (counts.get(reason) ?? 0) + 1;
      counts.set(reason, count);
      const toldAt = toldAtMs.get(reason);
      const nowMs = clock.monotonic();
      if (toldAt !== undefined && nowMs - toldAt < TELL_EVERY_MS) return;
      toldAtMs.set(reason, nowMs);
      logger.warn('The console refused a request.', { status, reason, count });
    },
  };
}
