import type { SettingsView } from '../../../shared/ipc/calls/settings.ts';
import type { KeyState } from '../../../shared/ipc/calls/settings.ts';

/** The steps of the first run, in their order. */
export const setupSteps = ['service', 'test', 'folder', 'trial'] as const;
/** One of `setupSteps`. */
export type SetupStep = (typeof setupSteps)[number];

/** The step to begin with; undefined when the desk can work as it is. */
export function firstMissingStep(
  { settings }: Pick<SettingsView, 'settings'>,
  { isSet }: Pick<KeyState, 'isSet'>,
): SetupStep | undefined {
  if (settings.baseUrl === undefined || !isSet) return 'service';
  return settings.watch.length === 0 ? 'folder' : undefined;
}
