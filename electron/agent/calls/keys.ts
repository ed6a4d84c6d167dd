import { createHash } from 'node:crypto';
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import type { KeyState } from '../../../shared/ipc/calls/settings.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { keyMissing, parseKey } from '../core/settings/check-connection.ts';
import type { Ports, Secrets } from '../ports.ts';
import type { SettingsFile } from '../settings/settings-file.ts';
import { deleteKey } from '../settings/store-key.ts';
import type { Calls } from './call.ts';

/** Digits of the fingerprint that are shown: enough to tell keys apart, too few to find a key. */
const FINGERPRINT_LENGTH = 8;

interface Deps {
  /** Undefined when the settings come from no file. */
  readonly file: Pick<SettingsFile, 'storeKey'> | undefined;
  readonly keyFile: KeyFileInUse;
  /** The service's address as currently saved. */
  readonly savedBaseUrl: () => Promise<string | undefined>;
  readonly ports: Pick<Ports, 'secrets' | 'logger'>;
  /** Stops uploads when the service can no longer be used: running ones go back into the queue, which waits. */
  readonly stopUploads: (failure: Failure) => Promise<void>;
}

/** Creates the calls that store, delete and describe the key; no response ever contains one. */
export function createKeyCalls({
  file,
  keyFile,
  savedBaseUrl,
  ports: { secrets, logger },
  stopUploads,
}: Deps): Calls<'settings.key' | 'settings.setKey' | 'settings.forgetKey'> {
  const readState = (): Promise<KeyState> => readKeyState(secrets, keyFile.path());

  async function storeInFile(key: string): Promise<Result<void, Failure>> {
    if (file === undefined) return err(noFile);
    const stored = await file.storeKey(key);
    if (!stored.ok) return stored;
    keyFile.use(stored.value);
    return ok(undefined);
  }

  /** If the settings name a key file, it is used even where there is a key store: whoever named it manages it. */
  async function forget(): Promise<Result<void, Failure>> {
    const path = keyFile.path();
    if (path !== undefined) return deleteKey(path);
    if (secrets.keeper !== undefined) return secrets.keeper.forget();
    const { isSet } = await readState();
    return isSet ? err(handedOver) : ok(undefined);
  }

  return {
    'settings.key': { handle: async () => ok(await readState()) },
    'settings.setKey': {
      async handle({ key }) {
        const parsed = parseKey(key);
        if (!parsed.ok) return parsed;
        const { keeper } = secrets;
        const stored =
          keeper === undefined || keyFile.path() !== undefined
            ? await storeInFile(parsed.value)
            : await keeper.store(parsed.value);
        if (!stored.ok) return stored;
        const bound = await bindKey(secrets, await savedBaseUrl());
        if (!bound.ok) return bound;
        const state = await readState();
        logger.info('A key was saved', { keptIn: state.keptIn });
        return ok(state);
      },
      audit: { done: ({ fingerprint, keptIn }) => ({ fingerprint, keptIn }) },
      changes: ['settings'],
    },
    'settings.forgetKey': {
      async handle() {
        const forgotten = await forget();
        const state = await readState();
        // A key that could not be deleted may still be out of use
        if (!state.isSet) await stopUploads(keyMissing);
        if (!forgotten.ok) return forgotten;
        logger.info('The key was removed; uploads are on hold until another one is saved');
        return ok(state);
      },
      audit: {},
      changes: ['settings'],
    },
  };
}

/**
 * Binds the key to this service, because a person entered it for the service or confirmed that it goes there from now
 * on. Without an address or a key nothing is bound yet: the first use does that. Errors: KEY_ORIGIN, and those of a key
 * that cannot be read.
 */
export async function bindKey(
  secrets: Pick<Secrets, 'apiKey' | 'origins'>,
  baseUrl: string | undefined,
): Promise<Result<void, Failure>> {
  if (baseUrl === undefined || secrets.origins === undefined) return ok(undefined);
  try {
    const key = await secrets.apiKey();
    return key === undefined ? ok(undefined) : await secrets.origins.trust(key, new URL(baseUrl).origin);
  } catch (error) {
    if (error instanceof FailureError) return err(error.failure);
    throw error;
  }
}

/** State of the key that the agent would use now; `keyFile` is the key file named in the settings. */
export async function readKeyState(secrets: Secrets, keyFile: string | undefined): Promise<KeyState> {
  const place = await placeOf(secrets, keyFile);
  try {
    const key = await secrets.apiKey();
    return key === undefined ? { isSet: false, ...place } : { ...keyState(key), ...place };
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    // A named file that does not exist yet is not an error
    if (error.failure.code === 'KEY_MISSING') return { isSet: false, ...place };
    return { isSet: false, ...place, failure: error.failure };
  }
}

async function placeOf(secrets: Secrets, keyFile: string | undefined): Promise<KeyPlaceFacts> {
  if (keyFile !== undefined) return { keptIn: 'file' };
  if (secrets.keeper !== undefined) return secrets.keeper.describe();
  const isHandedOver = await secrets.apiKey().then(
    (key) => key !== undefined,
    () => true,
  );
  // If no file is named and no credential was passed, a key that a person enters is saved to a file
  return { keptIn: isHandedOver ? 'credentials' : 'file' };
}

type KeyPlaceFacts = Pick<KeyState, 'keptIn' | 'keeperName' | 'isGuardedFromPrograms'>;

function keyState(key: string): Pick<KeyState, 'isSet' | 'fingerprint'> {
  const fingerprint = createHash('sha256').update(key).digest('hex').slice(0, FINGERPRINT_LENGTH);
  return { isSet: true, fingerprint };
}

const noFile: Failure = {
  code: 'CONFIG_MISSING',
  message: 'These settings do not come from a file, so a key cannot be saved next to them.',
  advice: 'Set the credential "api-key" in the service manager that starts the agent.',
  retryable: false,
};

const handedOver: Failure = {
  code: 'SETTING_MANAGED',
  message: 'The key comes from the service manager that starts the agent, so it cannot be deleted here.',
  advice: 'Remove the credential "api-key" from the service manager.',
  retryable: false,
};

/** The key file that the agent reads now: the one in its settings, until a key is stored in another. */
export interface KeyFileInUse {
  /** Absolute; undefined: none is named. */
  path(): string | undefined;
  use(path: string): void;
}

/** Creates the key file in use, initially the one named in the settings. */
export function createKeyFileInUse(named: string | undefined, secrets: Secrets): KeyFileInUse {
  let current = named;
  return {
    path: () => current,
    use(path) {
      current = path;
      secrets.useFile?.(path);
    },
  };
}
