import { dirname, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Failure } from '../../../shared/domain/failure.ts';
import { settingsSchema } from '../../../shared/domain/settings.ts';
import type { SettingsChange } from '../../../shared/ipc/calls/settings.ts';
import { err, type Result } from '../../../shared/lib/result.ts';
import { leavesOf, type SettingsGroup, valueAt, withValue } from '../core/settings/layer-settings.ts';
import {
  type AgentConfig,
  checkSettings,
  type LoadedSettings,
  loadSettings,
  loadSettingsOrDefaults,
} from './load-settings.ts';
import { parseConfig, readConfigFile, readConfigOrNothing } from './config-file.ts';
import { fileAdvice, systemCode } from './file-advice.ts';
import { noPolicy, type Policy } from './policy/policy.ts';
import { replaceFile } from './guarded-path.ts';
import { storeKey } from './store-key.ts';

/** A last check of what is about to be written; any failure prevents the write. */
export type CheckBeforeSaving = (loaded: LoadedSettings) => Promise<readonly Failure[]>;

type Loaded = Promise<Result<LoadedSettings, readonly Failure[]>>;

/** The settings file as a running agent uses it. */
export interface SettingsFile {
  load(): Loaded;
  /** Saves run one at a time: two that read, merge and write in parallel would lose a change. */
  save(change: SettingsChange, check: CheckBeforeSaving): Loaded;
  /** Returns the path of the key file. */
  storeKey(key: string): Promise<Result<string, Failure>>;
}

/**
 * Does not open the file yet. The file may be missing only while the agent runs with defaults, on a desk that is being
 * set up: later, a missing file is a loss. It must not be read as a choice of defaults, nor replaced by a file with one
 * section.
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

/** Rules for saving. */
export interface SavingRules {
  readonly check: CheckBeforeSaving;
  readonly policy: Policy;
  /** Whether a missing file is created; true only while that loses nothing. */
  readonly mayCreate: boolean;
}

/**
 * Replaces the named sections of a configuration file and leaves the others as written. The file is read again, since
 * it may have been edited, and is written only if the result is valid as a whole; returns the new settings. Errors:
 * those of `loadSettings`, of `check`, SETTING_MANAGED, and CONFIG_UNREADABLE if it cannot be written.
 */
export async function saveSettings(
  file: string,
  change: SettingsChange,
  { check, policy, mayCreate }: SavingRules,
): Promise<Result<LoadedSettings, readonly Failure[]>> {
  const configPath = resolve(file);
  const managed = managedChange(change, policy);
  if (managed !== undefined) return err([managed]);
  const written = await (mayCreate ? readConfigOrNothing : readConfigFile)(configPath);
  if (!written.ok) return err([written.error]);
  const text = `${JSON.stringify(merge(written.value, change, configPath, policy), undefined, 2)}\n`;
  // Read as the next start will read it, with the same limits
  const next = parseConfig(Buffer.from(text), configPath);
  const checked = next.ok ? checkSettings(next.value, configPath, policy) : err([next.error]);
  if (!checked.ok) return checked;
  const problems = await check(checked.value);
  if (problems.length > 0) return err(problems);
  try {
    await replaceFile(configPath, text);
    return checked;
  } catch (error) {
    return err([cannotWrite(configPath, error)]);
  }
}

const groupSchema = z.record(z.string(), z.unknown());
const rootsSchema = z.object({
  watch: z.array(z.object({ path: z.string() }).catch({ path: '' })).catch([]),
});

/** A file that is not a group is returned unchanged: the check reports it. */
function merge(written: unknown, change: SettingsChange, configPath: string, policy: Policy): unknown {
  const group = groupSchema.safeParse(written);
  if (!group.success) return written;
  const named = Object.entries(change).filter(([, section]) => section !== undefined);
  const merged = keepPolicyOut({ ...group.data, ...Object.fromEntries(named) }, group.data, policy);
  if (change.watch === undefined || merged['watch'] !== change.watch) return merged;
  const pathOf = spellings(group.data, dirname(configPath));
  return { ...merged, watch: change.watch.map((root) => ({ ...root, path: pathOf(root.path) })) };
}

/** Keeps relative paths relative: windows show full paths, but the file may have a relative one. */
function spellings(written: unknown, folder: string): (path: string) => string {
  const { watch } = rootsSchema.parse(written);
  const named = watch.filter(({ path }) => path !== '');
  const known = new Map(named.map(({ path }) => [resolve(folder, path), path]));
  return (path) => known.get(resolve(folder, path)) ?? path;
}

function cannotWrite(file: string, error: unknown): Failure {
  const code = systemCode(error);
  return {
    code: 'CONFIG_UNREADABLE',
    message: `Could not write ${file} (${code}).`,
    advice: `Nothing was changed. ${fileAdvice(code, "Make the file and its folder writable by the agent's account.")}`,
    retryable: true,
  };
}

/** The failure for managed settings that a change would alter; undefined if there are none. */
function managedChange(change: SettingsChange, policy: Policy): Failure | undefined {
  const fixed = withDefaults(policy.managed);
  const paths = leavesOf(policy.managed)
    .map(({ path }) => path)
    .filter(([section = '']) => Object.hasOwn(change, section))
    .filter((path) => !isDeepStrictEqual(valueAt({ ...change }, path), valueAt(fixed, path)))
    .map((path) => path.join('.'));
  if (paths.length === 0) return undefined;
  const text = `set by your organisation's policy in ${policy.places.join(' and ')}`;
  return {
    code: 'SETTING_MANAGED',
    message: `${paths.join(', ')} cannot be changed here: ${paths.length === 1 ? 'it is' : 'they are'} ${text}.`,
    advice: 'Nothing was saved. Ask whoever manages this PC to make the change.',
    retryable: false,
    fields: paths.map((name) => ({ name, text: `is ${text}` })),
  };
}

/**
 * The new file content without values that come only from the policy: windows send whole sections, and a value that
 * nobody here chose must not outlive the policy, nor override a new recommendation.
 */
function keepPolicyOut(next: SettingsGroup, written: SettingsGroup, policy: Policy): SettingsGroup {
  const advised = withDefaults(policy.recommended);
  const managed = leavesOf(policy.managed).map(({ path }) => path);
  const untouched = leavesOf(policy.recommended)
    .map(({ path }) => path)
    .filter((path) => valueAt(written, path) === undefined)
    .filter((path) => isDeepStrictEqual(valueAt(next, path), valueAt(advised, path)));
  return [...managed, ...untouched].reduce(
    (kept, path) =>
      valueAt(kept, path) === undefined ? kept : withValue(kept, path, valueAt(written, path)),
    next,
  );
}

/** Values as shown in windows: list entries have their defaults, and the address has no trailing slash. */
function withDefaults(group: SettingsGroup): SettingsGroup {
  const { baseUrl, ...settings } = settingsSchema.parse(group);
  return { ...settings, ...(baseUrl !== undefined && { baseUrl: baseUrl.replace(/\/+$/, '') }) };
}
