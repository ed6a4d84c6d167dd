import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../ports.ts';

/** Files processed at a time: a check of a container is a few reads, which queue at the gate anyway. */
const AT_ONCE = 4;
/** How long checks continue after an inspection, milliseconds: settled files are handed over before the rest. */
const SLICE_MS = 2_000;
/**
 * If no file has to be read, the event loop gets a turn after this many for each that is processed at a time: some
 * milliseconds.
 */
const FILES_PER_TURN = 250;

/** Processes these files, a few at a time. Those that are not reached in time stay as they are. */
export async function inSlice<File>(
  files: readonly File[],
  workOn: (file: File) => Promise<void>,
  clock: Pick<Clock, 'monotonic'>,
  signal: AbortSignal,
): Promise<void> {
  const untilMs = clock.monotonic() + SLICE_MS;
  let next = 0;
  const work = async (): Promise<void> => {
    for (let file = files[next++]; file !== undefined; file = files[next++]) {
      await workOn(file);
      if (clock.monotonic() >= untilMs) return;
      if (next % FILES_PER_TURN === 0) await nextTurn();
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  signal.throwIfAborted();
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}
