import type { Caller } from '../../../shared/ipc/caller.ts';
import type { Agent } from '../../agent/index.ts';

/** Looks at what nothing can be sent without. */
export interface SetupLook {
  /** What is lacking, as words for a person; undefined: nothing, or not known yet. */
  readonly read: () => Promise<string | undefined>;
  readonly stop: () => void;
}

interface Found {
  readonly lacking: string | undefined;
  /** It may be otherwise at the next look without a word of the agent, and asking again disturbs nobody. */
  readonly isPassing: boolean;
}

/** Whether the desk has a service and a key for it, asked again when the settings change. */
export function createSetupLook(signals: Agent['signals'], call: Caller['call']): SetupLook {
  let found: Found = unknown;
  const stop = signals.on((signal) => {
    if (signal.kind === 'changed' && signal.subject === 'settings') found = { ...found, isPassing: true };
  });

  async function look(): Promise<Found> {
    const view = await call('settings.get', {});
    if (!view.ok) return unknown;
    if (view.value.settings.baseUrl === undefined) return { lacking: 'No service yet', isPassing: true };
    const key = await call('settings.key', {});
    if (!key.ok) return unknown;
    const { isSet, failure, keptIn } = key.value;
    if (isSet) return { lacking: undefined, isPassing: false };
    if (failure === undefined) return { lacking: 'No key is stored', isPassing: true };
    // A key store may ask a person for the password each time
    return { lacking: failure.message, isPassing: keptIn !== 'keyStore' };
  }

  return {
    async read() {
      if (!found.isPassing) return found.lacking;
      const mine = { ...found, isPassing: false };
      found = mine;
      const now = await look();
      // Settings that changed meanwhile are looked at once more
      found = found === mine ? now : { ...now, isPassing: true };
      return now.lacking;
    },
    stop,
  };
}

const unknown: Found = { lacking: undefined, isPassing: true };
