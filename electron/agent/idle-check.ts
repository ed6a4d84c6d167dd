import { policyOf } from '../../shared/domain/failure-policy.ts';
import type { Failure } from '../../shared/domain/failure.ts';
import type { AgentEvents } from './events.ts';
import type { JobRunner } from './queue/job-runner.ts';
import type { CircuitPause, Circuits } from './queue/circuits.ts';
import type { Clock } from './ports.ts';
import type { Watcher } from './watch/watcher.ts';

/** How often a run that is to end looks whether it may, milliseconds. */
const IDLE_LOOK_MS = 100;

/** Pauses in a row after which a side counts as out of reach for a run that is to end: some ten seconds. */
const UNREACHABLE_AFTER_PAUSES = 4;

/** Why a run that is to end by itself should not wait any longer; undefined while waiting makes sense. */
function hopeless(pauses: readonly CircuitPause[]): Failure | undefined {
  const refused = pauses.find((pause) => policyOf(pause.failure.code).mends === 'person');
  if (refused !== undefined) return refused.failure;
  return pauses.find((pause) => pause.times >= UNREACHABLE_AFTER_PAUSES)?.failure;
}

interface Deps {
  readonly clock: Clock;
  readonly events: AgentEvents;
  readonly circuits: Pick<Circuits, 'pauses'>;
  readonly runner: Pick<JobRunner, 'active'>;
  readonly watchers: readonly Watcher[];
  /** Jobs that are to be run, now or later, without a person's word. */
  readonly openJobs: () => number;
}

/** Resolves when all is done, or with the reason why waiting makes no sense; rejects with the signal's reason. */
export async function untilIdle(
  { clock, events, circuits, runner, watchers, openJobs }: Deps,
  signal: AbortSignal | undefined,
): Promise<Failure | undefined> {
  let rootTrouble: Failure | undefined;
  const unsubscribe = events.on((event) => {
    if (event.event !== 'root.offline') return;
    const { code, message } = event;
    rootTrouble = { code, message, advice: 'Check the path in the configuration.', retryable: true };
  });
  try {
    for (;;) {
      const isBusy = runner.active() > 0;
      const failure = hopeless(circuits.pauses().filter(({ isWhole }) => isWhole || !isBusy));
      if (failure !== undefined) return failure;
      const isOffline = watchers.some((watcher) => !watcher.state().online);
      if (isOffline && rootTrouble !== undefined) return rootTrouble;
      const isQuiet = watchers.every((watcher) => watcher.state().idle);
      if (isQuiet && runner.active() === 0 && openJobs() === 0) return undefined;
      await clock.sleep(IDLE_LOOK_MS, signal);
    }
  } finally {
    unsubscribe();
  }
}
