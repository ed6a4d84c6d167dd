import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { parseKey } from '../core/settings/check-connection.ts';
import { readConfigOrNothing } from './config-file.ts';
import { fileAdvice, systemCode } from './file-advice.ts';
import { checkSettings, type LoadedSettings, loadSettings, loadSettingsOrDefaults } from './load-settings.ts';
import type { Policy } from './policy/policy.ts';
import { replaceFile } from './guarded-path.ts';

/** Only the agent's account may read and write the key. */
const KEY_MODE = 0o600;
const NEW_FOLDER_RIGHTS = 0o700;
/** The file beside the configuration that gets the key if no other is named. */
const KEY_NAME = 'api-key.txt';
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

interface KeyRules {
  readonly policy: Policy;
  /** Whether a missing file is created; true only while that loses nothing. */
  readonly mayCreate: boolean;
}

/**
 * Writes the key into the file that the configuration names. If it names none, the key goes into a file beside it,
 * which it then names; with `mayCreate`, both are created. Returns the path. Errors: KEY_FORMAT, those of
 * `loadSettings`, and KEY_FILE_OPEN and CONFIG_UNREADABLE if a file cannot be written. A failure never contains the
 * key.
 */
export async function storeKey(
  configFile: string,
  text: string,
  { policy, mayCreate }: KeyRules,
): Promise<Result<string, Failure>> {
  const key = parseKey(text);
  if (!key.ok) return key;
  const loaded = await (mayCreate ? loadSettingsOrDefaults : loadSettings)(configFile, policy);
  if (!loaded.ok) return firstOf(loaded.error);
  const { apiKeyPath, configPath } = loaded.value;
  const place = apiKeyPath ?? join(dirname(configPath), KEY_NAME);
  try {
    if (mayCreate) await mkdir(dirname(configPath), { recursive: true, mode: NEW_FOLDER_RIGHTS });
    await writeKeyFile(place, key.value);
  } catch (error) {
    return err(cannotWrite('KEY_FILE_OPEN', place, error));
  }
  return apiKeyPath === undefined ? nameKeyFile(configPath, place) : ok(place);
}

/** Replaces the file with a new one: owner and mode are right from the first byte on, and no link is followed. */
async function writeKeyFile(file: string, key: string): Promise<void> {
  const temporary = join(dirname(file), `.${basename(file)}.${randomUUID()}`);
  try {
    await using handle = await open(temporary, 'wx', KEY_MODE);
    await handle.chmod(KEY_MODE);
    await handle.writeFile(`${key}\n`);
    await handle.sync();
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/**
 * Removes temporary key files: they hold a key too, and one is left behind if the program is killed before the rename.
 */
export async function removeLeftovers(file: string): Promise<void> {
  const folder = dirname(file);
  const start = `.${basename(file)}.`;
  const names = await readdir(folder).catch((): readonly string[] => []);
  for (const name of names)
    if (name.startsWith(start) && UUID.test(name.slice(start.length)))
      await rm(join(folder, name), { force: true });
}

async function nameKeyFile(configPath: string, place: string): Promise<Result<string, Failure>> {
  const written = await readConfigOrNothing(configPath);
  if (!written.ok) return written;
  const named = { ...z.record(z.string(), z.unknown()).parse(written.value), apiKeyFile: basename(place) };
  const checked: Result<LoadedSettings, readonly Failure[]> = checkSettings(named, configPath);
  if (!checked.ok) return firstOf(checked.error);
  try {
    await replaceFile(configPath, `${JSON.stringify(named, undefined, 2)}\n`);
    return ok(place);
  } catch (error) {
    return err(cannotWrite('CONFIG_UNREADABLE', configPath, error));
  }
}

function firstOf(failures: readonly Failure[]): Result<never, Failure> {
  const [first] = failures;
  if (first === undefined) throw new Error('Settings were refused without a reason');
  return err(first);
}

function cannotWrite(code: 'KEY_FILE_OPEN' | 'CONFIG_UNREADABLE', file: string, error: unknown): Failure {
  const reason = systemCode(error);
  return {
    code,
    message: `Could not write ${file} (${reason}).`,
    advice: fileAdvice(
      reason,
      "Make sure that the folder exists and that the agent's account can write to the folder and the file.",
    ),
    retryable: true,
  };
}

/** Deletes the key file; a missing one counts as deleted. Errors: KEY_FILE_OPEN if it cannot be deleted. */
export async function deleteKey(file: string): Promise<Result<void, Failure>> {
  try {
    await rm(file, { force: true });
    await removeLeftovers(file);
    return ok(undefined);
  } catch (error) {
    const reason = systemCode(error);
    return err({
      code: 'KEY_FILE_OPEN',
      message: `The key file ${file} could not be deleted (${reason}), so the key may still be in use.`,
      advice: fileAdvice(reason, 'Delete the file with an account that can write to its folder.'),
      retryable: true,
    });
  }
}
