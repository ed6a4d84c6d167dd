import { policyOf } from '../../shared/domain/failure-policy.ts';
import type { Failure } from '../../shared/domain/failure.ts';
import type { Result } from '../../shared/lib/result.ts';
import { retryDelayMs } from './core/failures/failure-policy.ts';
import type { JobRunner } from './queue/job-runner.ts';
import type { Clock, Logger } from './ports.ts';

/** Tries to reach the service after a sleep before the queue continues on its own: about two minutes. */
const MOST_TRIES = 6;

interface Parts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly runner: Pick<JobRunner, 'suspend' | 'resume'>;
  /** One harmless request to the service. */
  readonly probe: (signal: AbortSignal) => Promise<Result<void, Failure>>;
  /** Aborted when the agent stops. */
  readonly stopping: AbortSignal;
}

/** The queue across a sleep of the PC. */
export interface WakeUp {
  /** Nothing starts from now on. Resolves once what was under way is back in the queue, not counted as an attempt. */
  suspend(): Promise<void>;
  /**
   * Continues once the service can be reached, or after some two minutes by the queue's own rules, which wait and probe
   * too. URLs are requested again. Resolves then, or when the PC goes back to sleep.
   */
  resume(): Promise<void>;
}

/** Creates the wake-up for the job runner. */
export function createWakeUp({ clock, logger, runner, probe, stopping }: Parts): WakeUp {
  let waiting: AbortController | undefined;
  let isAsleep = false;

  /** A network card needs seconds after a sleep: uploads that start earlier would all fail, and pause for longer. */
  async function untilReached(signal: AbortSignal): Promise<void> {
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      const answer = await probe(signal);
      if (answer.ok || !lacksNetwork(answer.error)) return;
      signal.throwIfAborted();
      await clock.sleep(retryDelayMs(tries, clock.random()), signal);
    }
    logger.warn('The service could not be reached after sleep; the queue continues');
  }

  return {
    async suspend() {
      isAsleep = true;
      waiting?.abort(new Error('the PC went to sleep again'));
      waiting = undefined;
      await runner.suspend();
    },
    async resume() {
      if (!isAsleep || waiting !== undefined) return;
      const mine = new AbortController();
      waiting = mine;
      const signal = AbortSignal.any([mine.signal, stopping]);
      try {
        await untilReached(signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      if (waiting !== mine) return;
      waiting = undefined;
      if (stopping.aborted) return;
      isAsleep = false;
      runner.resume();
    },
  };
}

/** No answer, or that of a login page in between: the network itself is not there yet. */
function lacksNetwork({ code }: Failure): boolean {
  const { answer } = policyOf(code);
  return answer === 'none' || answer === 'untrusted';
}
