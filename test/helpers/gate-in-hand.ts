import { createRootGate, type RootGate } from '../../electron/agent/files/root-gate.ts';
import { createFakeClock } from './fake-clock.ts';

/** How long an operation may take on the gate's own clock, milliseconds. */
const DEADLINE_MS = 100;

/** A gate on a clock of its own: an operation hangs when a test says so, never because the machine is busy. */
export interface GateInHand extends RootGate {
  /** Lets an operation hang; the answer ends it. */
  hang(): Promise<() => void>;
}

/** Makes the gate of a root. */
export function createGateInHand(rootPath: string): GateInHand {
  const clock = createFakeClock(undefined, 0);
  const gate = createRootGate({ clock, rootPath, deadlineMs: DEADLINE_MS });
  return {
    ...gate,
    async hang() {
      const never = Promise.withResolvers<void>();
      const hung = gate.run(() => never.promise).catch(() => undefined);
      await clock.untilAsleep();
      // A deadline that was set for an earlier operation is looked at first
      while (!gate.isHung()) await clock.advance(DEADLINE_MS);
      await hung;
      return never.resolve;
    },
  };
}
