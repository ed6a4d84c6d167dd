import type { Health } from '../../../shared/domain/health.ts';
import { createCaller } from '../../../shared/ipc/caller.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';
import type { Agent, Clock, Logger, Progress } from '../../agent/index.ts';
import { createSetupLook } from './look-at-setup.ts';

/** Time between two looks, milliseconds: a tray is glanced at. */
const LOOK_MS = 2_000;

/** How the desk stands, for what is seen and done without a window. Undefined health: the agent does not answer (yet). */
export interface DeskState {
  readonly health: Health | undefined;
  readonly progress: Progress;
  /** What nothing can be sent without, in words; missing: nothing is lacking. */
  readonly lacking?: string;
}

interface Deps {
  readonly agent: Pick<Agent, 'call' | 'progress' | 'signals'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called with each look. */
  readonly onLook: (state: DeskState) => void;
}

/** Looks at the desk again and again; `lookNow` after an order, `stop` ends it. */
export function startDeskPulse({ agent, clock, logger, onLook }: Deps): {
  readonly lookNow: () => Promise<void>;
  readonly stop: () => void;
} {
  const stopping = new AbortController();
  const { call } = createCaller((request) => agent.call(request, stopping.signal));
  const setup = createSetupLook(agent.signals, call);

  async function look(): Promise<void> {
    try {
      const health = await call('health.get', {});
      const lacking = health.ok ? await setup.read() : undefined;
      if (stopping.signal.aborted) return;
      onLook({
        health: health.ok ? health.value : undefined,
        progress: agent.progress(),
        ...knownFields<Pick<DeskState, 'lacking'>>({ lacking }),
      });
    } catch (error) {
      logger.error('The state of the desk could not be read', { error });
    }
  }

  async function beat(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look();
      await clock.sleep(LOOK_MS, stopping.signal);
    }
  }

  // The sleep ends with the app
  beat().catch(() => undefined);
  return {
    lookNow: look,
    stop() {
      setup.stop();
      stopping.abort();
    },
  };
}
