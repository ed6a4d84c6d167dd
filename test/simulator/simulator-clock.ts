/** The simulator's clock: the machine's, shifted by an offset that can change while it runs. */
export interface SimulatorClock {
  now(): number;
}

/** A clock that reads its offset on each call, so that a test can shift it. */
export function createSimulatorClock(offsetMs: () => number): SimulatorClock {
  return { now: () => Date.now() + offsetMs() };
}
