import { isDeepStrictEqual } from 'node:util';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { SettingsChange } from '../../../shared/ipc/calls/settings.ts';
import type { Result } from '../../../shared/lib/result.ts';
import type { AgentConfig } from './agent-config.ts';
import { checkSettings, loadSettings, loadSettingsOrDefaults, type LoadedSettings } from './load-settings.ts';
import { noPolicy } from './policy/policy.ts';
import { saveSettings, type CheckBeforeSaving } from './save-settings.ts';
import { storeKey } from './store-key.ts';

type Loaded = Promise<Result<LoadedSettings, readonly Failure[]>>;

/** The file of the settings as a running agent deals with it. */
export interface SettingsFile {
  load(): Loaded;
  /** One after the other: two that read, merge and write at once would lose one change. */
  save(change: SettingsChange, check: CheckBeforeSaving): Loaded;
  /** Answers the path of the key file. */
  storeKey(key: string): Promise<Result<string, Failure>>;
}

/**
 * Opens nothing yet. The file may be missing only while the agent runs with defaults, on a desk that is being set up:
 * later its absence is a loss, which must not be taken for a wish and not be sealed by a file with one section.
 */
export function createSettingsFile(
  path: string,
  { settings, policy = noPolicy }: Pick<AgentConfig, 'settings' | 'policy'>,
): SettingsFile {
  const unset = checkSettings({}, path, policy);
  const mayCreate = unset.ok && isDeepStrictEqual(unset.value.settings, settings);
  let lastChange: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = lastChange.then(work);
    lastChange = done.catch(() => undefined);
    return done;
  }

  return {
    load: () => (mayCreate ? loadSettingsOrDefaults : loadSettings)(path, policy),
    save: (change, check) => inTurn(() => saveSettings(path, change, { check, policy, mayCreate })),
    storeKey: (key) => inTurn(() => storeKey(path, key, { policy, mayCreate })),
  };
}
