import { getPriority, setPriority } from 'node:os';

/** On a busy processor, a third of the main thread's share. */
const NICER_BY = 5;
const NICEST = 19;

/**
 * Lets the main thread, which answers the operator and the service, go before the calling worker thread when processors
 * are busy. Linux alone gives each thread a priority; elsewhere it would be that of the whole program.
 */
export function letMainThreadGoFirst(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(NICEST, getPriority() + NICER_BY));
  } catch {
    // A sandbox may forbid it: work continues at the usual priority
  }
}
