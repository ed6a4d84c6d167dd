import { dirname, resolve, posix, win32 } from 'node:path';
import { z } from 'zod';
import type { Failure } from '../../../shared/domain/failure.ts';
import { type Settings, settingsSchema } from '../../../shared/domain/settings.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { checkBaseUrl } from '../core/settings/check-connection.ts';
import { checkProxyUrl, type ProxyVariables } from '../core/settings/choose-proxy.ts';
import { patternProblems } from '../core/naming/recognisers.ts';
import { layerSettings, type Origin, type SettingsGroup } from '../core/settings/layer-settings.ts';
import { suggestKey } from '../core/settings/suggest-key.ts';
import { readConfigFile, readConfigOrNothing } from './config-file.ts';
import { describeIssue, rangeFailure } from './describe-issue.ts';
import { noPolicy, type Policy } from './policy/policy.ts';

/** Settings that passed every check; all paths in them are absolute. */
export interface LoadedSettings {
  readonly settings: Settings;
  readonly apiKeyPath?: string;
  readonly configPath: string;
  /** Source of each setting, by its path (`upload.concurrentFiles`); the others are defaults. */
  readonly origins: ReadonlyMap<string, Origin>;
}

type Loaded = Result<LoadedSettings, readonly Failure[]>;

/** Reads and checks a configuration file. All problems are reported at once; the file is never changed. */
export async function loadSettings(file: string, policy: Policy = noPolicy): Promise<Loaded> {
  const configPath = resolve(file);
  const input = await readConfigFile(configPath);
  return input.ok ? checkSettings(input.value, configPath, policy) : err([input.error]);
}

/** The same, but a missing file counts as empty, so that the desk can be set up on its pages. */
export async function loadSettingsOrDefaults(file: string, policy: Policy = noPolicy): Promise<Loaded> {
  const configPath = resolve(file);
  const input = await readConfigOrNothing(configPath);
  return input.ok ? checkSettings(input.value, configPath, policy) : err([input.error]);
}

/** Checks the current or future content of the file `configPath` (absolute). All problems are reported at once. */
export function checkSettings(input: unknown, configPath: string, policy: Policy = noPolicy): Loaded {
  const parsed = settingsSchema.safeParse(input);
  const issues = parsed.success ? [] : parsed.error.issues;
  const failures = [
    ...issues.flatMap((issue) => describeIssue(issue, input, configPath)),
    ...checkMeaning(input, configPath),
  ];
  return failures.length > 0 ? err(failures) : ok(underPolicy(input, configPath, policy));
}

/** Each layer was checked on its own, so their combination is valid too. */
function underPolicy(written: unknown, configPath: string, policy: Policy): LoadedSettings {
  const { managed, recommended } = policy;
  const { values, origins } = layerSettings({ managed, user: wholePaths(written, configPath), recommended });
  const { baseUrl, ...settings } = settingsSchema.parse(values);
  return {
    settings: { ...settings, ...(baseUrl !== undefined && { baseUrl: baseUrl.replace(/\/+$/, '') }) },
    ...(settings.apiKeyFile !== undefined && { apiKeyPath: settings.apiKeyFile }),
    configPath,
    origins,
  };
}

const writtenSchema = z.looseObject({
  apiKeyFile: z.string().exactOptional(),
  proxyCredentialsFile: z.string().exactOptional(),
  metrics: z.looseObject({ textfile: z.string().exactOptional() }).exactOptional(),
  watch: z.array(z.looseObject({ path: z.string() })).exactOptional(),
  patterns: z.array(z.looseObject({ folder: z.string().exactOptional() })).exactOptional(),
  cameras: z.array(z.looseObject({ folder: z.string().exactOptional() })).exactOptional(),
});

/** Paths in the file are relative to it. */
function wholePaths(written: unknown, configPath: string): SettingsGroup {
  const whole = (path: string): string => resolve(dirname(configPath), path);
  const { apiKeyFile, proxyCredentialsFile, metrics, watch, patterns, cameras, ...others } =
    writtenSchema.parse(written);
  const inFolder = <Rule extends { readonly folder?: string }>(rule: Rule): Rule =>
    rule.folder === undefined ? rule : { ...rule, folder: whole(rule.folder) };
  return {
    ...others,
    ...(apiKeyFile !== undefined && { apiKeyFile: whole(apiKeyFile) }),
    ...(proxyCredentialsFile !== undefined && { proxyCredentialsFile: whole(proxyCredentialsFile) }),
    ...(metrics && {
      metrics: { ...metrics, ...(metrics.textfile !== undefined && { textfile: whole(metrics.textfile) }) },
    }),
    ...(watch && { watch: watch.map((root) => ({ ...root, path: whole(root.path) })) }),
    ...(patterns && { patterns: patterns.map(inFolder) }),
    ...(cameras && { cameras: cameras.map(inFolder) }),
  };
}

/**
 * Values that need checks beyond the schema; parsed leniently, so that both kinds of problems are reported together.
 */
const meaningSchema = z
  .object({
    baseUrl: z.string().min(1).optional().catch(undefined),
    proxy: z.object({ url: z.string().min(1).optional() }).catch({}),
    watch: z.array(z.object({ timeZone: z.string().min(1).optional() }).catch({})).catch([]),
    // Only well-formed ones: the schema reports problems of form
    auth: settingsSchema.shape.auth.catch({ scheme: 'bearer' }),
    patterns: settingsSchema.shape.patterns.catch([]),
  })
  .catch({ proxy: {}, watch: [], auth: { scheme: 'bearer' }, patterns: [] });

/** Parameters that calls already use: the key would replace one of them. */
const ownParameters = new Set(['page', 'per_page', 'file_id', 'filename', 'storage_key', 'upload_id']);

/** Problems with a well-formed address, proxy, time zone or parameter name. */
export function checkMeaning(input: unknown, file: string): readonly Failure[] {
  const { baseUrl, proxy, watch, auth, patterns } = meaningSchema.parse(input);
  const url = baseUrl === undefined ? ok('') : checkBaseUrl(baseUrl);
  const proxyProblem = proxy.url === undefined ? undefined : checkProxyUrl(proxy.url);
  const zones = watch.flatMap(({ timeZone }, index) =>
    timeZone === undefined || isTimeZone(timeZone) ? [] : [zoneFailure(index, timeZone, file)],
  );
  return [
    ...(url.ok ? [] : [withField(url.error, 'baseUrl')]),
    ...(proxyProblem === undefined ? [] : [withField(proxyProblem, 'proxy.url')]),
    ...zones,
    ...(auth.scheme === 'query' && ownParameters.has(auth.name)
      ? [rangeFailure('auth.name', 'is a parameter that the service uses for something else', file)]
      : []),
    ...patternProblems(patterns).map(({ path, text }) => rangeFailure(path, text, file)),
  ];
}

/** Adds the field to a failure whose message is the setting's name and the problem. */
function withField(failure: Failure, name: string): Failure {
  return { ...failure, fields: [{ name, text: failure.message.slice(name.length + 1, -1) }] };
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function zoneFailure(index: number, name: string, file: string): Failure {
  const near = suggestKey(name, Intl.supportedValuesOf('timeZone'));
  const hint =
    near === undefined ? 'it must be a name like "Europe/London"' : `the closest match is "${near}"`;
  return rangeFailure(`watch[${index}].timeZone`, `is not a known time zone; ${hint}`, file);
}

/** Configuration for `createAgent`. Paths in `settings` are absolute. */
export interface AgentConfig {
  readonly settings: Settings;
  /** Folder of the queue database and the desk ID; on a local disk, with one owner at a time. */
  readonly dataDir: string;
  /** False: the folders in the settings are not watched, and only what is pushed is sent. Default: true. */
  readonly watchFolders?: boolean;
  /** The file that the settings come from, absolute; without it, they cannot be saved. */
  readonly settingsFile?: string;
  /** The organisation's policy; `settings` already follow it. Default: none. */
  readonly policy?: Policy;
  /** The proxy from the environment, for settings that name none. Default: none. */
  readonly proxyVariables?: ProxyVariables;
  /** True for a trial against the simulated service: the pages then offer one. */
  readonly isDemo?: boolean;
  /** Agent version for the user-agent header. */
  readonly version: string;
}

/** Facts that determine the locations of files. */
export interface Places {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
  /** Base of relative paths on the command line. */
  readonly workingDir: string;
}

/** Locations of an account, whatever its working directory. */
type AccountPlaces = Omit<Places, 'workingDir'>;

const PROGRAM = 'vms-export-agent';
/** Name of the configuration file in the account's folder. */
export const CONFIG_NAME = `${PROGRAM}.json`;

/** Location of the queue if `--data-dir` is not given: local and not roaming on every system. */
export function defaultDataDir(places: AccountPlaces): string {
  switch (places.platform) {
    case 'win32':
      return win32.join(windowsDir(places, 'LOCALAPPDATA', 'Local'), PROGRAM);
    case 'darwin':
      return posix.join(places.homeDir, 'Library', 'Application Support', PROGRAM);
    default:
      return posix.join(xdgDir(places, 'XDG_DATA_HOME', '.local/share'), PROGRAM);
  }
}

/**
 * The configuration that is used if `--config` is not given. The working directory is not searched: whoever can write
 * there would decide where the key goes.
 */
export function defaultConfigFile(places: AccountPlaces): string {
  switch (places.platform) {
    case 'win32':
      return win32.join(windowsDir(places, 'APPDATA', 'Roaming'), PROGRAM, CONFIG_NAME);
    case 'darwin':
      return posix.join(places.homeDir, 'Library', 'Application Support', PROGRAM, CONFIG_NAME);
    default:
      return posix.join(xdgDir(places, 'XDG_CONFIG_HOME', '.config'), PROGRAM, CONFIG_NAME);
  }
}

// The specification of these variables requires that relative values are ignored
function xdgDir(places: AccountPlaces, name: string, fallback: string): string {
  const value = places.environment[name];
  return value?.startsWith('/') ? value : posix.join(places.homeDir, fallback);
}

function windowsDir(places: AccountPlaces, name: string, fallback: string): string {
  const value = places.environment[name];
  return value !== undefined && win32.isAbsolute(value)
    ? value
    : win32.join(places.homeDir, 'AppData', fallback);
}
