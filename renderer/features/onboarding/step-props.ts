import type { SettingsView } from '../../../shared/ipc/calls/settings.ts';

/** What a step gets: the settings as they are saved, and the way on. */
export interface StepProps {
  readonly view: SettingsView;
  readonly forward: () => void;
}
