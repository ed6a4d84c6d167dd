import { err, ok, type Result } from '../../../../shared/lib/result.ts';
import {
  layerSettings,
  leavesOf,
  type Origin,
  type SettingsGroup,
} from '../../core/settings/layer-settings.ts';

/** How the desktop app looks for updates. */
export interface UpdatePolicy {
  readonly enabled: boolean;
  readonly channel: 'stable' | 'beta';
  /** https; missing: the address built into the app. */
  readonly feedUrl?: string;
}

/** What happens to exports whose clips are proved stored, and when. */
export interface CleanUpPolicy {
  readonly afterDays: number;
  readonly action: 'move' | 'delete';
  /** Absolute; the folder they are moved to. */
  readonly folder?: string;
}

/** The policy of one place at one level; if several places have the same level, the first one wins. */
export interface PolicyPart {
  /** As administrators know it: a file, a registry key, an address. */
  readonly place: string;
  readonly level: 'managed' | 'recommended';
  readonly values: SettingsGroup;
  /** Whether it came from the signed address: then it cannot set the address of the next one. */
  readonly isSigned?: boolean;
}

/** Address of an organisation's signed policy, and the key that verifies it. */
export interface SignedSource {
  /** https. */
  readonly url: string;
  /** The 32 bytes of an Ed25519 key, base64. */
  readonly publicKey: string;
}

/** The policy in force from a signed address. Times are ISO 8601 UTC. */
export interface SignedState extends SignedSource {
  /** Higher in each policy from the address than in the previous one. */
  readonly sequence: number;
  readonly issuedAt: string;
  readonly validUntil?: string;
  /** When the address last confirmed it. */
  readonly checkedAt: string;
  /** The PC's own policy, which takes precedence. */
  readonly local: readonly PolicyPart[];
}

/** An organisation's policy for its desks, read once when a host starts and checked as a whole. */
export interface Policy {
  /** Where it was found, as administrators know the places; empty: there is no policy. */
  readonly places: readonly string[];
  /** How many values it sets. */
  readonly count: number;
  /** Settings that nobody can change at the desk, as written in a configuration. */
  readonly managed: SettingsGroup;
  /** Settings that apply unless someone at the desk chose otherwise. */
  readonly recommended: SettingsGroup;
  readonly updates: UpdatePolicy;
  /** Missing: exports stay in their folders. Only the managed policy can set it. */
  readonly cleanUp?: CleanUpPolicy;
  /**
   * Whether the web console may run: the managed value, and the one that applies unless the command line says
   * otherwise.
   */
  readonly console: { readonly managed?: boolean; readonly recommended?: boolean };
  /** Where metrics are sent by OTLP; missing: nowhere. `headers`: lines `Name: value`, which may be secret. */
  readonly otlp?: { readonly url: string; readonly headers?: readonly string[] };
  /**
   * Why nothing is cleaned up although the policies of the PC and its signed address together mention it; a sentence.
   */
  readonly cleanUpProblem?: string;
  /** The values at the program's start if the policy has changed since: both are read only at the start. */
  readonly started?: Pick<Policy, 'updates' | 'console'>;
  /** Missing: only the PC's own policy applies. */
  readonly signed?: SignedState;
}

/** A file and who could have written to it. */
export interface GuardedFile {
  readonly bytes: Uint8Array;
  /** The file and every folder above it, in this order: numeric owner and mode. */
  readonly guards: readonly { readonly path: string; readonly ownerId: number; readonly mode: number }[];
}

/** System access needed to read a policy. */
export interface PolicyTools {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Name of the account that runs this program. */
  readonly userName: string;
  /** Reads the file; undefined: it does not exist. Error: the system's code. */
  readFile(path: string): Promise<Result<GuardedFile | undefined, string>>;
  /** Runs a system program by its absolute path. Error: the system's code if it could not run to completion. */
  run(
    program: string,
    args: readonly string[],
  ): Promise<Result<{ readonly exitCode: number; readonly printed: Uint8Array }, string>>;
}

const DEFAULT_UPDATES: UpdatePolicy = { enabled: true, channel: 'stable' };

/** The policy of a desk that no organisation manages. */
export const noPolicy: Policy = {
  places: [],
  count: 0,
  managed: {},
  recommended: {},
  updates: DEFAULT_UPDATES,
  console: {},
};

/** Whether the console runs; `wish`: the command line's choice. Without any setting it runs. */
export function isConsoleOn(
  { console: { managed, recommended } }: Policy,
  wish: boolean | undefined,
): boolean {
  const enabledBy = (value: boolean | undefined): SettingsGroup =>
    value === undefined ? {} : { enabled: value };
  const layers = {
    managed: enabledBy(managed),
    commandLine: enabledBy(wish),
    recommended: enabledBy(recommended),
  };
  return layerSettings(layers).values['enabled'] !== false;
}

/** Number of values that the groups set. */
export function countSettings(...groups: readonly SettingsGroup[]): number {
  return groups.reduce((count, group) => count + leavesOf(group).length, 0);
}

/** The settings whose origin is `origin`, as paths. */
export function pathsFrom(origins: ReadonlyMap<string, Origin>, origin: Origin): readonly string[] {
  return [...origins].filter(([, each]) => each === origin).map(([path]) => path);
}

/**
 * Checks a clean-up rule: an incomplete rule about deleting files does not apply. Error: what is missing, as a
 * sentence.
 */
export function cleanUpOf(
  rule: Partial<CleanUpPolicy> | undefined,
): Result<CleanUpPolicy | undefined, string> {
  if (rule === undefined) return ok(undefined);
  const { afterDays, action = 'move', folder } = rule;
  if (afterDays === undefined) return err('The policy does not set cleanUp.afterDays.');
  if (action === 'move' && folder === undefined) return err('The policy does not set cleanUp.folder.');
  return ok({ afterDays, action, ...(folder !== undefined && { folder }) });
}

/** The console setting of one level. */
export function consoleRule(
  level: PolicyPart['level'],
  rule: { readonly enabled?: boolean } | undefined,
): Policy['console'] {
  return rule?.enabled === undefined ? {} : { [level]: rule.enabled };
}
