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
  /** https; missing: the one that the app was built with. */
  readonly feedUrl?: string;
}

/** What becomes of exports whose clips are proved stored, and when. */
export interface CleanUpPolicy {
  readonly afterDays: number;
  readonly action: 'move' | 'delete';
  /** Absolute; where they are moved. */
  readonly folder?: string;
}

/** What one place says at one level; of several places at a level the first one counts. */
export interface PolicyPart {
  /** As administrators know it: a file, a key of the registry, an address. */
  readonly place: string;
  readonly level: 'managed' | 'recommended';
  readonly values: SettingsGroup;
  /** It came from the signed address: it cannot say where the next one comes from. */
  readonly isSigned?: boolean;
}

/** Where the signed policy of an organisation lies, and the key that vouches for it. */
export interface SignedSource {
  /** https. */
  readonly url: string;
  /** The 32 bytes of an Ed25519 key, base64. */
  readonly publicKey: string;
}

/** What applies of a policy by a signed address. Times are ISO 8601 UTC. */
export interface SignedState extends SignedSource {
  /** Each policy from the address has a higher one than the policy before. */
  readonly sequence: number;
  readonly issuedAt: string;
  readonly validUntil?: string;
  /** When the address last confirmed it. */
  readonly checkedAt: string;
  /** What the PC itself says, which comes first. */
  readonly local: readonly PolicyPart[];
}

/** What an organisation says about its desks, read once at the start of a host and checked as a whole. */
export interface Policy {
  /** Where it was found, as administrators know the places; none: there is no policy. */
  readonly places: readonly string[];
  /** How many values it sets. */
  readonly count: number;
  /** Settings that nobody can change at the desk, as they are written in a configuration. */
  readonly managed: SettingsGroup;
  /** Settings that count while nobody at the desk chose otherwise. */
  readonly recommended: SettingsGroup;
  readonly updates: UpdatePolicy;
  /** Missing: exports stay in their folders. Only what is managed counts. */
  readonly cleanUp?: CleanUpPolicy;
  /** Whether the web console may run: what is managed, and what counts unless the command line says otherwise. */
  readonly console: { readonly managed?: boolean; readonly recommended?: boolean };
  /** Where figures are sent by OTLP; missing: nowhere. `headers`: lines `Name: value`, which may be secret. */
  readonly otlp?: { readonly url: string; readonly headers?: readonly string[] };
  /** Why nothing is cleaned up though the PC and its signed address together say something about it; a sentence. */
  readonly cleanUpProblem?: string;
  /** What the program was started with where another policy came since: both are read at its start alone. */
  readonly started?: Pick<Policy, 'updates' | 'console'>;
  /** Missing: the policy is only that of the PC. */
  readonly signed?: SignedState;
}

/** A file and who could have written it. */
export interface GuardedFile {
  readonly bytes: Uint8Array;
  /** The file and every folder above it, in this order: numeric owner and mode. */
  readonly guards: readonly { readonly path: string; readonly ownerId: number; readonly mode: number }[];
}

/** What reading a policy needs of the system. */
export interface PolicyTools {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Name of the account that runs this program. */
  readonly userName: string;
  /** The file; undefined: there is none. Error: the system's code. */
  readFile(path: string): Promise<Result<GuardedFile | undefined, string>>;
  /** Runs a program of the system by its absolute path. Error: the system's code, when it could not run to its end. */
  run(
    program: string,
    args: readonly string[],
  ): Promise<Result<{ readonly exitCode: number; readonly printed: Uint8Array }, string>>;
}

const DEFAULT_UPDATES: UpdatePolicy = { enabled: true, channel: 'stable' };

/** A desk that is nobody's but its own. */
export const noPolicy: Policy = {
  places: [],
  count: 0,
  managed: {},
  recommended: {},
  updates: DEFAULT_UPDATES,
  console: {},
};

/** Whether the console is to run; `wish`: what the command line says about it. Without any word it runs. */
export function isConsoleOn(
  { console: { managed, recommended } }: Policy,
  wish: boolean | undefined,
): boolean {
  const said = (value: boolean | undefined): SettingsGroup => (value === undefined ? {} : { enabled: value });
  const layers = { managed: said(managed), commandLine: said(wish), recommended: said(recommended) };
  return layerSettings(layers).values['enabled'] !== false;
}

/** How many values the groups set. */
export function countSettings(...groups: readonly SettingsGroup[]): number {
  return groups.reduce((count, group) => count + leavesOf(group).length, 0);
}

/** The settings whose origin is `origin`, as paths. */
export function pathsFrom(origins: ReadonlyMap<string, Origin>, origin: Origin): readonly string[] {
  return [...origins].filter(([, each]) => each === origin).map(([path]) => path);
}

/** Half a rule about deleting files is none. Error: what is lacking, a sentence. */
export function cleanUpOf(
  rule: Partial<CleanUpPolicy> | undefined,
): Result<CleanUpPolicy | undefined, string> {
  if (rule === undefined) return ok(undefined);
  const { afterDays, action = 'move', folder } = rule;
  if (afterDays === undefined) return err('The policy does not set cleanUp.afterDays.');
  if (action === 'move' && folder === undefined) return err('The policy does not set cleanUp.folder.');
  return ok({ afterDays, action, ...(folder !== undefined && { folder }) });
}

/** What one level says of the console. */
export function said(
  level: PolicyPart['level'],
  rule: { readonly enabled?: boolean } | undefined,
): Policy['console'] {
  return rule?.enabled === undefined ? {} : { [level]: rule.enabled };
}
