import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { SettingsChange } from '../../../shared/ipc/calls/settings.ts';
import { err, type Result } from '../../../shared/lib/result.ts';
import { keepPolicyOut, managedChange } from './keep-policy-out.ts';
import { checkSettings, type LoadedSettings } from './load-settings.ts';
import type { Policy } from './policy/policy.ts';
import { parseConfig, readConfigFile, readConfigOrNothing } from './read-config-file.ts';
import { replaceFile } from './replace-file.ts';

/** A last look at what is about to be written; its failures keep it from being written. */
export type CheckBeforeSaving = (loaded: LoadedSettings) => Promise<readonly Failure[]>;

/** What saving depends on. */
export interface SavingRules {
  readonly check: CheckBeforeSaving;
  readonly policy: Policy;
  /** True while nothing would be lost: a file that does not exist is made. */
  readonly mayCreate: boolean;
}

/**
 * Replaces the named sections of a configuration file and leaves the others as they are written there. The file is
 * read anew, since it may have been edited, and is written only when all of it is right then; answers what it says now.
 * Errors: those of `loadSettings`, what `check` finds, SETTING_MANAGED, CONFIG_UNREADABLE when it cannot be written.
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
  // As the next start will read it, with its limits
  const next = parseConfig(Buffer.from(text), configPath);
  const checked = next.ok ? checkSettings(next.value, configPath, policy) : err([next.error]);
  if (!checked.ok) return checked;
  const troubles = await check(checked.value);
  if (troubles.length > 0) return err(troubles);
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

/** A file that is no group stays what it is: the check says so. */
function merge(written: unknown, change: SettingsChange, configPath: string, policy: Policy): unknown {
  const group = groupSchema.safeParse(written);
  if (!group.success) return written;
  const named = Object.entries(change).filter(([, section]) => section !== undefined);
  const merged = keepPolicyOut({ ...group.data, ...Object.fromEntries(named) }, group.data, policy);
  if (change.watch === undefined || merged['watch'] !== change.watch) return merged;
  const pathOf = spellings(group.data, dirname(configPath));
  return { ...merged, watch: change.watch.map((root) => ({ ...root, path: pathOf(root.path) })) };
}

/** Windows show whole paths; a folder that is written there as a relative one stays so. */
function spellings(written: unknown, folder: string): (path: string) => string {
  const { watch } = rootsSchema.parse(written);
  const named = watch.filter(({ path }) => path !== '');
  const known = new Map(named.map(({ path }) => [resolve(folder, path), path]));
  return (path) => known.get(resolve(folder, path)) ?? path;
}

function cannotWrite(file: string, error: unknown): Failure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return {
    code: 'CONFIG_UNREADABLE',
    message: `${file} cannot be written (${code}).`,
    advice:
      'Nothing was changed. Make the file and its folder writable for the account that runs this program.',
    retryable: true,
  };
}
