import type { Health } from '../../../shared/domain/health.ts';
import { createCaller, type Caller } from '../../../shared/ipc/caller.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';
import type { Agent, Clock, Logger, Progress } from '../../agent/index.ts';
import type { Say } from '../../../shared/words/native-words.ts';

/** Time between two polls, milliseconds: nobody looks at a tray more often. */
const POLL_MS = 2_000;

/** State of the desk, for everything outside the window. `health` is undefined while the agent does not respond. */
export interface DeskState {
  readonly health: Health | undefined;
  readonly progress: Progress;
  /** What has to be set up before anything can be sent, in words; missing if nothing. */
  readonly missingSetup?: string;
}

interface Deps {
  readonly agent: Pick<Agent, 'call' | 'progress' | 'signals'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly say: Say;
  /** Called after each poll. */
  readonly onState: (state: DeskState) => void;
}

/** Polls the state of the desk. `pollNow` polls immediately, after a person's command. */
export function startHealthPoll({ agent, clock, logger, say, onState }: Deps): {
  readonly pollNow: () => Promise<void>;
  readonly stop: () => void;
} {
  const stopping = new AbortController();
  const { call } = createCaller((request) => agent.call(request, stopping.signal));
  const setup = createSetupCheck(agent.signals, call, say);

  async function pollNow(): Promise<void> {
    try {
      const health = await call('health.get', {});
      const missingSetup = health.ok ? await setup.read() : undefined;
      if (stopping.signal.aborted) return;
      onState({
        health: health.ok ? health.value : undefined,
        progress: agent.progress(),
        ...knownFields<Pick<DeskState, 'missingSetup'>>({ missingSetup }),
      });
    } catch (error) {
      logger.error("The desk's status could not be read", { error });
    }
  }

  async function pollUntilStopped(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pollNow();
      await clock.sleep(POLL_MS, stopping.signal);
    }
  }

  // The sleep rejects when the poll is stopped
  pollUntilStopped().catch(() => undefined);
  return {
    pollNow,
    stop() {
      setup.stop();
      stopping.abort();
    },
  };
}

interface SetupCheck {
  /** What is missing, in words for a person; undefined: nothing, or not known yet. */
  readonly read: () => Promise<string | undefined>;
  readonly stop: () => void;
}

interface Setup {
  readonly missingSetup: string | undefined;
  /** Read it again at the next poll: it may change without a signal, and reading it disturbs nobody. */
  readonly isStale: boolean;
}

const unknownSetup: Setup = { missingSetup: undefined, isStale: true };

/** Whether the desk has a service and a key for it, read again when the settings change. */
export function createSetupCheck(signals: Agent['signals'], call: Caller['call'], say: Say): SetupCheck {
  let known = unknownSetup;
  const stop = signals.on((signal) => {
    if (signal.kind === 'changed' && signal.subject === 'settings') known = { ...known, isStale: true };
  });

  async function readSetup(): Promise<Setup> {
    const view = await call('settings.get', {});
    if (!view.ok) return unknownSetup;
    if (view.value.settings.baseUrl === undefined)
      return { missingSetup: say('tray.noService'), isStale: true };
    const key = await call('settings.key', {});
    if (!key.ok) return unknownSetup;
    const { isSet, failure, keptIn } = key.value;
    if (isSet) return { missingSetup: undefined, isStale: false };
    if (failure === undefined) return { missingSetup: say('tray.noKey'), isStale: true };
    // A key store may ask a person for the password each time
    return { missingSetup: failure.message, isStale: keptIn !== 'keyStore' };
  }

  return {
    async read() {
      if (!known.isStale) return known.missingSetup;
      const before = { ...known, isStale: false };
      known = before;
      const now = await readSetup();
      // When the settings changed meanwhile, the next poll reads them again
      known = known === before ? now : { ...now, isStale: true };
      return now.missingSetup;
    },
    stop,
  };
}
