import { createRootGate, type RootGate } from '../../electron/agent/files/root-gate.ts';
import { createFakeClock } from './fake-clock.ts';

/** How long an operation may take on the gate's own clock, milliseconds. */
const DEADLINE_MS = 100;

/** A gate with a clock of its own: an operation hangs when a test says so, never because the machine is busy. */
export interface GateInHand extends RootGate {
  /** Makes an operation hang; the returned function ends it. */
  hang(): Promise<() => void>;
}

/** Creates the gate of a root. */
export function createGateInHand(rootPath: string): GateInHand {
  const clock = createFakeClock(undefined, 0);
  const gate = createRootGate({ clock, rootPath, deadlineMs: DEADLINE_MS });
  return {
    ...gate,
    async hang() {
      const never = Promise.withResolvers<void>();
      const hung = gate.run(() => never.promise).catch(() => undefined);
      await clock.untilAsleep();
      // The deadline of an earlier operation may come up first
      while (!gate.isHung()) await clock.advance(DEADLINE_MS);
      await hung;
      return never.resolve;
    },
  };
}
