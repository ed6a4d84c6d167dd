import type { Settings } from '../../../shared/domain/settings.ts';
import type { ProxyVariables } from '../core/settings/choose-proxy.ts';
import type { Policy } from './policy/policy.ts';

/** What `createAgent` needs to know. Paths in `settings` are absolute. */
export interface AgentConfig {
  readonly settings: Settings;
  /** Folder of the queue database and the desk id; local disk, one owner at a time. */
  readonly dataDir: string;
  /** False: the folders of the settings are not watched, only what is pushed is sent. Default true. */
  readonly watchFolders?: boolean;
  /** The file that the settings come from, absolute; without it they cannot be saved. */
  readonly settingsFile?: string;
  /** What the organisation says about the settings; `settings` follow it already. Default: nothing. */
  readonly policy?: Policy;
  /** The proxy of the environment, for settings that name none. Default: none. */
  readonly proxyVariables?: ProxyVariables;
  /** True for a try-out against the simulated service: the pages then offer it. */
  readonly isDemo?: boolean;
  /** Agent version for the user-agent header. */
  readonly version: string;
}
