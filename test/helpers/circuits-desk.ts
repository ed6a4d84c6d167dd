import { AgentEvents, type AgentEvent } from '../../electron/agent/events.ts';
import { createCircuits, type Refusal } from '../../electron/agent/queue/circuits.ts';
import type { Step } from '../../electron/agent/queue/outcome.ts';
import type { FailureCode } from '../../shared/domain/failure.ts';
import { createFakeClock } from './fake-clock.ts';
import { failureOf } from './queue-fixture.ts';

/** Circuits on a clock that a test moves, with the events that they emit. */
export function openCircuitsDesk() {
  const clock = createFakeClock();
  const events = new AgentEvents();
  const told: AgentEvent[] = [];
  events.on((event) => told.push(event));
  const circuits = createCircuits(clock, events);
  return {
    clock,
    circuits,
    told,
    kinds: () => told.map((event) => event.event),
    waitMs: () => circuits.nextProbeInMs(),
    allowed: (...steps: Step[]) => circuits.allowance(steps),
    refuse: (
      step: Step,
      subject: string,
      code: FailureCode | Refusal['failure'] = 'VALIDATION',
      more: Partial<Refusal> = {},
    ) =>
      circuits.refused({
        step,
        subject,
        failure: typeof code === 'string' ? failureOf(code) : code,
        ...more,
      }),
  };
}
