import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import type { Failure } from '../../../shared/domain/failure.ts';
import { settingsSchema, type Settings } from '../../../shared/domain/settings.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { checkBaseUrl } from '../core/check-base-url.ts';
import { suggestKey } from '../core/suggest-key.ts';
import { describeIssue, rangeFailure } from './describe-issue.ts';
import { readConfigFile } from './read-config-file.ts';

/** Settings that passed every check; all paths in them are absolute. */
export interface LoadedSettings {
  readonly settings: Settings;
  readonly apiKeyPath?: string;
  readonly configPath: string;
}

/** Reads and checks a configuration file. All that is wrong is named at once; the file is never changed. */
export async function loadSettings(file: string): Promise<Result<LoadedSettings, readonly Failure[]>> {
  const configPath = resolve(file);
  const input = await readConfigFile(configPath);
  return input.ok ? checkSettings(input.value, configPath) : err([input.error]);
}

/** The same, but a file that does not exist says nothing, so that the desk can be set up on its pages. */
export async function loadSettingsOrDefaults(
  file: string,
): Promise<Result<LoadedSettings, readonly Failure[]>> {
  const configPath = resolve(file);
  const input = await readConfigFile(configPath);
  if (input.ok) return checkSettings(input.value, configPath);
  return input.error.code === 'CONFIG_MISSING' ? checkSettings({}, configPath) : err([input.error]);
}

/** Checks what stands, or is to stand, in the file `configPath` (absolute). All that is wrong is named at once. */
export function checkSettings(
  input: unknown,
  configPath: string,
): Result<LoadedSettings, readonly Failure[]> {
  const parsed = settingsSchema.safeParse(input);
  const issues = parsed.success ? [] : parsed.error.issues;
  const failures = [
    ...issues.flatMap((issue) => describeIssue(issue, input, configPath)),
    ...checkMeaning(input, configPath),
  ];
  if (!parsed.success || failures.length > 0) return err(failures);
  return ok(resolvePaths(parsed.data, configPath));
}

function resolvePaths(settings: Settings, configPath: string): LoadedSettings {
  const folder = dirname(configPath);
  const apiKeyPath =
    settings.apiKeyFile === undefined ? undefined : { apiKeyPath: resolve(folder, settings.apiKeyFile) };
  return {
    settings: {
      ...settings,
      ...(apiKeyPath && { apiKeyFile: apiKeyPath.apiKeyPath }),
      ...(settings.baseUrl !== undefined && { baseUrl: settings.baseUrl.replace(/\/+$/, '') }),
      watch: settings.watch.map((root) => ({ ...root, path: resolve(folder, root.path) })),
    },
    ...apiKeyPath,
    configPath,
  };
}

/** What only the meaning tells; read leniently, so that it is said together with what the schema finds. */
const meaningSchema = z
  .object({
    baseUrl: z.string().min(1).optional().catch(undefined),
    watch: z.array(z.object({ timeZone: z.string().min(1).optional() }).catch({})).catch([]),
  })
  .catch({ watch: [] });

function checkMeaning(input: unknown, file: string): readonly Failure[] {
  const { baseUrl, watch } = meaningSchema.parse(input);
  const url = baseUrl === undefined ? undefined : checkBaseUrl(baseUrl);
  const zones = watch.flatMap(({ timeZone }, index) =>
    timeZone === undefined || isTimeZone(timeZone) ? [] : [zoneFailure(index, timeZone, file)],
  );
  if (url === undefined || url.ok) return zones;
  const text = url.error.message.replace(/^baseUrl (.*)\.$/, '$1');
  return [{ ...url.error, fields: [{ name: 'baseUrl', text }] }, ...zones];
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
  const hint = near === undefined ? 'it must be a name like "Europe/London"' : `did you mean "${near}"?`;
  return rangeFailure(
    `watch[${index}].timeZone`,
    `is not a known time zone; ${hint}`.replace(/\?$/, ''),
    file,
  );
}
