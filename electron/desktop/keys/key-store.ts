import { rename, rm } from 'node:fs/promises';
import { z } from 'zod';
import { FailureError } from '../../../shared/domain/failure.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { removeLeftovers, type Clock, type KeyKeeper, type Logger, type Secrets } from '../../agent/index.ts';
import { createJsonFile } from '../json-file.ts';
import { decideKeyKeeping, isKnownToAll, keeperNameOf, prefixOf, type KeyKeeping } from './key-keeping.ts';

/** The system's encryption: the part of Electron's `safeStorage` that is used. */
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
  /** Receives every key before it is used, so that no log line can contain it. */
  readonly register: (key: string) => void;
}

/** How long a failed decryption is not retried, milliseconds: a keychain may ask a person each time. */
const ASK_AGAIN_MS = 60_000;
/**
 * How long to wait for the key store, milliseconds. A locked one may wait for its password forever; the app continues
 * without it.
 */
const ANSWER_MS = 10_000;

const fileSchema = z
  .object({ version: z.literal(1), backend: z.string().max(64), key: z.base64() })
  .readonly();
const waiting: KeyKeeping = { kind: 'memory', reason: 'waiting' };
/** Characters that a header can carry; a decrypted text with any other is not a key. */
const keySchema = z.string().regex(/^[\x21-\x7e]{1,512}$/);

/**
 * The key store of the desktop app: the system encrypts, a file of this account (mode 0600) holds the result. Where the
 * system has no trustworthy key store, the key stays in memory until the app ends.
 */
export function createKeyStore(deps: Deps): Required<Pick<Secrets, 'apiKey' | 'keeper'>> {
  const { safeStorage, platform, file, clock, logger, register } = deps;
  const stored = createJsonFile({ file, schema: fileSchema, logger });
  let known: string | undefined;
  let reading: Promise<string | undefined> | undefined;
  let refused: { readonly untilMs: number; readonly failure: Failure } | undefined;
  /** A person removed the key: it is not read again, even if its file could not be deleted. */
  let isForgotten = false;
  let asked: Promise<KeyKeeping> | undefined;
  /** A key that was entered while no key store was available, until one encrypts it. */
  let unsaved: string | undefined;
  let saving = Promise.resolve();

  /** On Linux only the encrypted text shows which key was used. */
  async function askSystem(): Promise<KeyKeeping> {
    if (!(await safeStorage.isAsyncEncryptionAvailable())) return decideKeyKeeping({ platform });
    if (platform !== 'linux') return decideKeyKeeping({ platform, isAvailable: true });
    const prefix = prefixOf(await safeStorage.encryptStringAsync('probe'));
    return decideKeyKeeping({
      platform,
      isAvailable: true,
      backend: safeStorage.getSelectedStorageBackend(),
      prefix,
    });
  }

  /** Asked once, because the system fixes its key at the first use. A failed query is repeated. */
  function keeping(): Promise<KeyKeeping> {
    if (asked === undefined) {
      const answer = askSystem().catch((error: unknown): KeyKeeping => {
        logger.warn('The key store of this account could not be queried', { error });
        asked = undefined;
        return { kind: 'memory', reason: 'unavailable' };
      });
      const over = new AbortController();
      const late = clock.sleep(ANSWER_MS, over.signal).then((): KeyKeeping => waiting);
      asked = Promise.race([answer, late]);
      void answer.then((now) => {
        over.abort();
        if (asked !== undefined) asked = Promise.resolve(now);
        if (now.kind === 'store') saving = saving.then(() => saveLate(now.backend));
      });
    }
    return asked;
  }

  async function readStored(): Promise<string | undefined> {
    if (isForgotten) return undefined;
    if (refused !== undefined && clock.monotonic() < refused.untilMs) throw new FailureError(refused.failure);
    const written = await stored.read();
    if (stored.isUnreadable()) throw new FailureError(cannotRead(file));
    if (written === undefined) return undefined;
    const encrypted = Buffer.from(written.key, 'base64');
    if (isKnownToAll(platform, encrypted)) throw new FailureError(knownToAll());
    const now = await keeping();
    if (now.kind === 'memory')
      throw new FailureError(now.reason === 'waiting' ? storeWaiting() : storeAway(written.backend));
    return decrypt(encrypted, written.backend, now);
  }

  async function decrypt(
    encrypted: Buffer,
    backend: string,
    now: KeyKeeping & { kind: 'store' },
  ): Promise<string> {
    try {
      const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(encrypted);
      const text = keySchema.parse(result);
      register(text);
      if (shouldReEncrypt) await encryptAgain(text, now.backend);
      return text;
    } catch (error) {
      // The encrypted key stays: it can be read again when the account gets its old key store back
      const failure = backend === now.backend ? cannotDecrypt(now.keeperName) : otherStore(now.keeperName);
      refused = { untilMs: clock.monotonic() + ASK_AGAIN_MS, failure };
      throw new FailureError(failure, { cause: error });
    }
  }

  async function encryptAgain(key: string, backend: string): Promise<void> {
    try {
      await write(key, backend);
    } catch (error) {
      logger.warn('The key could not be re-encrypted; it stays as it was', { error });
    }
  }

  async function write(key: string, backend: string): Promise<void> {
    const encrypted = await safeStorage.encryptStringAsync(key);
    if (isKnownToAll(platform, encrypted))
      throw new Error('The system encrypts with a publicly known password');
    await stored.write({ version: 1, backend, key: encrypted.toString('base64') });
  }

  /** Sets aside a key that another key store encrypted: it is useless now, but may be needed again. */
  async function keepOther(backend: string): Promise<void> {
    const written = await stored.read();
    if (written === undefined || written.backend === backend) return;
    if (!isKnownToAll(platform, Buffer.from(written.key, 'base64'))) await rename(file, `${file}.other`);
  }

  /** Returns whether it was saved. */
  async function save(key: string, backend: string): Promise<boolean> {
    try {
      await keepOther(backend);
      await write(key, backend);
    } catch (error) {
      logger.error('The key could not be saved', { error });
      return false;
    }
    logger.info('A key was saved', { keptIn: 'store', in: backend });
    return true;
  }

  async function saveLate(backend: string): Promise<void> {
    const key = unsaved;
    if (key !== undefined && (await save(key, backend)) && unsaved === key) unsaved = undefined;
  }

  const keeper: KeyKeeper = {
    async store(key): Promise<Result<void, Failure>> {
      register(key);
      const now = await keeping();
      await saving;
      if (now.kind === 'store' && !(await save(key, now.backend))) return err(cannotEncrypt());
      if (now.kind === 'memory') logger.info('A key was saved', { keptIn: 'memory' });
      unsaved = now.kind === 'memory' ? key : undefined;
      [known, refused, isForgotten] = [key, undefined, false];
      return ok(undefined);
    },
    async forget(): Promise<Result<void, Failure>> {
      [known, reading, refused, isForgotten] = [undefined, undefined, undefined, true];
      unsaved = undefined;
      await saving;
      const left: string[] = [];
      for (const copy of [file, `${file}.other`, `${file}.broken`])
        await Promise.all([rm(copy, { force: true }), removeLeftovers(copy)]).catch((error: unknown) => {
          logger.error('The saved key could not be deleted', { error });
          left.push(copy);
        });
      if (left.length > 0) return err(cannotDelete(left));
      logger.info('The key was deleted');
      return ok(undefined);
    },
    async describe() {
      const now = await keeping();
      await saving;
      if (now.kind === 'memory' || unsaved !== undefined) return { keptIn: 'memory' };
      const { keeperName, isGuardedFromPrograms } = now;
      return { keptIn: 'keyStore', keeperName, isGuardedFromPrograms };
    },
  };

  return {
    keeper,
    /** Decrypted once: a keychain may ask a person each time. */
    async apiKey() {
      if (known !== undefined) return known;
      const mine = (reading ??= readStored());
      try {
        const key = await mine;
        // Otherwise the key was forgotten or replaced in the meantime
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

/** An earlier version or another program saved it this way; the service should no longer accept that key. */
function knownToAll(): Failure {
  return keyStore(
    'The saved API key was encrypted with a publicly known password, so it is not used.',
    'Create a new API key in the service, enter it in Settings, and revoke the old one.',
  );
}

/** The file is there, so the key is not missing: nothing may replace it unasked. */
function cannotRead(file: string): Failure {
  return keyStore(
    `The saved API key cannot be read from ${file}.`,
    'Check that this account may read the file and that its disk works, or enter the API key again in Settings.',
    true,
  );
}

/** The key store is locked, and nobody has entered its password yet. */
function storeWaiting(): Failure {
  return keyStore(
    "The API key cannot be read yet: this account's key store has not responded.",
    'Unlock the key store when the system asks. Uploads then start automatically; nothing is lost in the meantime.',
    true,
  );
}

/** The key store that encrypted the key is missing or cannot be trusted. */
function storeAway(backend: string): Failure {
  return keyStore(
    `The API key was encrypted by ${keeperNameOf(backend)}, which is not available right now.`,
    'Unlock or start the key store, then restart the app. You can also enter the key again, but it is kept only until you quit the app.',
    true,
  );
}

/** The account now uses a different key store than the one that encrypted the key. */
function otherStore(keeperName: string): Failure {
  return keyStore(
    `This account no longer uses the key store that encrypted the API key; it now uses ${keeperName}.`,
    'Enter the API key again in Settings.',
  );
}

/** The system cannot decrypt what it encrypted: the prompt was refused, another account, a damaged file. */
function cannotDecrypt(keeperName: string): Failure {
  return keyStore(
    `The saved API key cannot be decrypted by ${keeperName}.`,
    'Allow the app to use the key store when the system asks, or enter the API key again in Settings.',
    true,
  );
}

/** The key could not be encrypted or written. */
function cannotEncrypt(): Failure {
  return keyStore(
    'The API key could not be encrypted or saved on this PC.',
    'Check that the key store is unlocked and the disk is not full, then enter the key again.',
    true,
  );
}

/** A file of the encrypted key could not be deleted. */
function cannotDelete(files: readonly string[]): Failure {
  return keyStore(
    `The saved API key could not be deleted, so the app may use it again after a restart. It is stored in ${files.join(', ')}.`,
    `Delete ${files.length === 1 ? 'this file' : 'these files'} before you restart the app.`,
    true,
  );
}
