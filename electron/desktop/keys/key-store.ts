import { rename, rm } from 'node:fs/promises';
import { z } from 'zod';
import { FailureError } from '../../../shared/domain/failure.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { Clock, KeyKeeper, Logger, Secrets } from '../../agent/index.ts';
import { createJsonFile } from '../json-file.ts';
import { assertNever } from '../../../shared/lib/assert-never.ts';

/** The system's encryption, as much of Electron's `safeStorage` as is used. */
export interface SafeStorage {
  isAsyncEncryptionAvailable(): Promise<boolean>;
  encryptStringAsync(text: string): Promise<Buffer>;
  decryptStringAsync(
    encrypted: Buffer,
  ): Promise<{ readonly result: string; readonly shouldReEncrypt: boolean }>;
  getSelectedStorageBackend(): string;
}

interface Deps {
  readonly safeStorage: SafeStorage;
  readonly platform: NodeJS.Platform;
  /** Where the encrypted key is kept. */
  readonly file: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Gets every key before anything is done with it, so that no log line can hold it. */
  readonly register: (key: string) => void;
}

/** Time in which a failed decryption is not tried again, milliseconds: a key chain may ask a person each time. */
const ASK_AGAIN_MS = 60_000;

const fileSchema = z
  .object({ version: z.literal(1), backend: z.string().max(64), key: z.base64() })
  .readonly();
/** What can travel in a header line: whatever else comes out of a decryption is no key. */
const keySchema = z.string().regex(/^[\x21-\x7e]{1,512}$/);

/**
 * The key store of the desktop app: the system encrypts, a file of this account (mode 0600) holds the result. Where the
 * system has nothing that may be trusted the key stays in memory till the app ends.
 */
export function createKeyStore(deps: Deps): Required<Pick<Secrets, 'apiKey' | 'keeper'>> {
  const { safeStorage, platform, file, clock, logger, register } = deps;
  const stored = createJsonFile({ file, schema: fileSchema, logger });
  let known: string | undefined;
  let reading: Promise<string | undefined> | undefined;
  let refused: { readonly untilMs: number; readonly failure: Failure } | undefined;

  async function keeping(): Promise<KeyKeeping> {
    const isAvailable = await safeStorage.isAsyncEncryptionAvailable().catch(() => false);
    const backend = platform === 'linux' ? { backend: safeStorage.getSelectedStorageBackend() } : {};
    return decideKeyKeeping({ platform, isAvailable, ...backend });
  }

  async function readStored(): Promise<string | undefined> {
    if (refused !== undefined && clock.monotonic() < refused.untilMs) throw new FailureError(refused.failure);
    const written = await stored.read();
    if (written === undefined) return undefined;
    const now = await keeping();
    if (now.kind === 'memory') throw new FailureError(storeAway(written.backend));
    // The old one stays: it can be read again when the account gets its old key store back
    if (now.backend !== written.backend) throw new FailureError(otherStore(now.keeperName));
    return decrypt(written.key, now);
  }

  async function decrypt(key: string, now: KeyKeeping & { kind: 'store' }): Promise<string> {
    try {
      const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(Buffer.from(key, 'base64'));
      const text = keySchema.parse(result);
      register(text);
      if (shouldReEncrypt) await encryptAgain(text, now.backend);
      return text;
    } catch (error) {
      const failure = cannotDecrypt(now.keeperName);
      refused = { untilMs: clock.monotonic() + ASK_AGAIN_MS, failure };
      throw new FailureError(failure, { cause: error });
    }
  }

  async function encryptAgain(key: string, backend: string): Promise<void> {
    try {
      await write(key, backend);
    } catch (error) {
      logger.warn('The key could not be encrypted anew; it stays as it was', { error });
    }
  }

  async function write(key: string, backend: string): Promise<void> {
    const encrypted = await safeStorage.encryptStringAsync(key);
    await stored.write({ version: 1, backend, key: encrypted.toString('base64') });
  }

  /** What another key store encrypted is of no use now, and may be again: it is kept beside the new one. */
  async function keepOther(backend: string): Promise<void> {
    const written = await stored.read();
    if (written !== undefined && written.backend !== backend) await rename(file, `${file}.other`);
  }

  const keeper: KeyKeeper = {
    async store(key): Promise<Result<void, Failure>> {
      register(key);
      const now = await keeping();
      try {
        if (now.kind === 'store') {
          await keepOther(now.backend);
          await write(key, now.backend);
        }
      } catch (error) {
        logger.error('The key could not be stored', { error });
        return err(cannotEncrypt());
      }
      logger.info('A key was stored', { keptIn: now.kind, ...(now.kind === 'store' && { in: now.backend }) });
      [known, refused] = [key, undefined];
      return ok(undefined);
    },
    async forget(): Promise<Result<void, Failure>> {
      [known, reading, refused] = [undefined, undefined, undefined];
      try {
        for (const each of [file, `${file}.other`, `${file}.broken`]) await rm(each, { force: true });
      } catch (error) {
        logger.error('The stored key could not be deleted', { error });
        return err(cannotDelete(file));
      }
      logger.info('The key was forgotten');
      return ok(undefined);
    },
    async describe() {
      const now = await keeping();
      if (now.kind === 'memory') return { keptIn: 'memory' };
      const { keeperName, isGuardedFromPrograms } = now;
      return { keptIn: 'keyStore', keeperName, isGuardedFromPrograms };
    },
  };

  return {
    keeper,
    /** Decrypted once: a key chain may ask a person at each question. */
    async apiKey() {
      if (known !== undefined) return known;
      const mine = (reading ??= readStored());
      try {
        const key = await mine;
        // Forgotten or replaced meanwhile
        if (reading === mine) known = key;
        return reading === mine ? key : known;
      } finally {
        if (reading === mine) reading = undefined;
      }
    },
  };
}

const keyStore = (message: string, advice: string, retryable = false): Failure => ({
  code: 'KEY_STORE',
  message,
  advice,
  retryable,
});

/** What encrypted the key is not there, or is one that cannot be trusted. */
function storeAway(backend: string): Failure {
  return keyStore(
    `The API key was encrypted by the key store of this account (${backend}), which is not available now.`,
    'Unlock or start the key store and open the app again, or enter the key again: it is then kept until the app ends.',
    true,
  );
}

/** Another key store is in use than the one that encrypted the key. */
function otherStore(keeperName: string): Failure {
  return keyStore(
    `This account uses another key store than the one that encrypted the API key; it is ${keeperName} now.`,
    'Enter the API key again in Settings.',
  );
}

/** The system does not decrypt what it encrypted: a refused question, another account, a damaged file. */
function cannotDecrypt(keeperName: string): Failure {
  return keyStore(
    `The stored API key cannot be decrypted by ${keeperName}.`,
    'Allow the app to use the key store when the system asks, or enter the API key again in Settings.',
    true,
  );
}

/** The key could not be encrypted or written. */
function cannotEncrypt(): Failure {
  return keyStore(
    'The API key could not be stored: the key store of this account or its disk refused it.',
    'Check that the key store is unlocked and the disk is not full, and enter the key again.',
    true,
  );
}

/** The file of the encrypted key could not be deleted. */
function cannotDelete(file: string): Failure {
  return keyStore(
    `The stored API key could not be deleted; it is no longer used. Its file is ${file}.`,
    'Delete the file by hand.',
    true,
  );
}

/** What Electron says about the system's key store. `backend` is known on Linux only. */
interface KeyStoreFacts {
  readonly platform: NodeJS.Platform;
  readonly isAvailable: boolean;
  readonly backend?: string;
}

/** Where a key is kept: encrypted by the system, or in memory till the app ends because nothing there can be trusted. */
type KeyKeeping =
  | {
      readonly kind: 'store';
      /** Stands beside the encrypted key: another one cannot decrypt it. */
      readonly backend: string;
      /** As people know it. */
      readonly keeperName: string;
      /** Other programs of the same account are kept away too. */
      readonly isGuardedFromPrograms: boolean;
    }
  | { readonly kind: 'memory'; readonly reason: 'unavailable' | 'no-password' };

/** Key stores of Linux desktops that encrypt with a secret of their own; any other is a password that everyone knows. */
const linuxStores: ReadonlyMap<string, string> = new Map([
  ['gnome_libsecret', 'GNOME Keyring'],
  ['kwallet', 'KDE Wallet'],
  ['kwallet5', 'KDE Wallet'],
  ['kwallet6', 'KDE Wallet'],
]);

/** Decides where the key is kept. There is no way from here to a key in plain text on a disk. */
export function decideKeyKeeping({ platform, isAvailable, backend }: KeyStoreFacts): KeyKeeping {
  if (!isAvailable) return { kind: 'memory', reason: 'unavailable' };
  switch (platform) {
    case 'darwin':
      return store('keychain', 'Keychain', true);
    case 'win32':
      // It keeps other accounts away, not other programs of this one
      return store('dpapi', 'Windows data protection', false);
    case 'linux': {
      const keeperName = linuxStores.get(backend ?? '');
      if (backend === undefined || keeperName === undefined) return { kind: 'memory', reason: 'no-password' };
      return store(backend, keeperName, false);
    }
    case 'aix':
    case 'android':
    case 'cygwin':
    case 'freebsd':
    case 'haiku':
    case 'netbsd':
    case 'openbsd':
    case 'sunos':
      return { kind: 'memory', reason: 'unavailable' };
    default:
      return assertNever(platform);
  }
}

const store = (backend: string, keeperName: string, isGuardedFromPrograms: boolean): KeyKeeping => ({
  kind: 'store',
  backend,
  keeperName,
  isGuardedFromPrograms,
});
