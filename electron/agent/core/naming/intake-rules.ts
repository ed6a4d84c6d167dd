import type { WatchSettings } from '../../../../shared/domain/settings.ts';

/** How the names and times of an export are read, and what a person said of it. */
export interface IntakeRules {
  readonly watch: Pick<WatchSettings, 'profile' | 'clockOffsetSeconds'> & { readonly timeZone: string };
  /** Said on the command line; wins over everything. */
  readonly overrides?: {
    readonly title?: string;
    readonly description?: string;
    readonly incidentAtMs?: number;
  };
}
