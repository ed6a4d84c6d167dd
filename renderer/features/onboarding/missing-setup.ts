import type { SettingsView } from '../../../shared/ipc/calls/agent.ts';
import type { KeyState } from '../../../shared/ipc/calls/setup.ts';

/** The steps of the first run, in their order. */
export const setupSteps = ['service', 'test', 'folder', 'trial'] as const;
/** One of `setupSteps`. */
export type SetupStep = (typeof setupSteps)[number];

/** The step to begin with; undefined when the desk can work as it is. */
export function firstMissingStep(
  { settings }: Pick<SettingsView, 'settings'>,
  { isSet }: Pick<KeyState, 'isSet'>,
): SetupStep | undefined {
  if (settings.baseUrl.trim() === '' || !isSet) return 'service';
  return settings.watch.length === 0 ? 'folder' : undefined;
}

/** True for the simulated service of the demo: it runs on this machine, and its key is there from the start. */
export function isSimulated({ settings }: Pick<SettingsView, 'settings'>): boolean {
  if (!URL.canParse(settings.baseUrl)) return false;
  const { hostname } = new URL(settings.baseUrl);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
