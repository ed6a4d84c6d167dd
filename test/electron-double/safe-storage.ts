import { createCipheriv, createDecipheriv, pbkdf2Sync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DoubleOptions } from './control.ts';
import { strict } from './strict.ts';

const CIPHER = 'aes-128-cbc';
const KEY_BYTES = 16;
const PREFIX_BYTES = 3;
const IV = Buffer.alloc(KEY_BYTES, ' ');
/** The key derived from the password in Chromium's source (os_crypt_posix_key_provider). */
const KNOWN_KEY = pbkdf2Sync('peanuts', 'saltysalt', 1, KEY_BYTES, 'sha1');

/** Chromium's prefix for the key of each kind of store. */
const prefixes = { keyring: 'v11', portal: 'v12', nothing: 'v10', locked: 'v11' } as const;

/**
 * safeStorage as on Linux. It is always available; the name of the back end is one that Chromium derives from the
 * desktop's, whatever store there is; without a store everything is still encrypted, with a well-known password. A
 * locked store does not answer until a person unlocks it. Data encrypted by an older kind of store can still be read,
 * and is to be re-encrypted.
 */
export function createSafeStorage({
  home,
  keyBackend,
  keyStore,
}: Pick<DoubleOptions, 'home' | 'keyBackend' | 'keyStore'>): {
  readonly safeStorage: Electron.SafeStorage;
  readonly unlock: () => void;
} {
  const { promise: unlocked, resolve: unlock } = Promise.withResolvers<void>();
  if (keyStore !== 'locked') unlock();
  const ownPrefix = prefixes[keyStore];

  /** Each store has a key of its own, separate from the encrypted data; it is found again after a restart. */
  function keyOf(prefix: string): Buffer {
    if (prefix === prefixes.nothing) return KNOWN_KEY;
    if (prefix !== ownPrefix)
      throw new Error('Error while decrypting the ciphertext provided to safeStorage.');
    const file = join(home, 'key-store', prefix);
    if (!existsSync(file)) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, randomBytes(KEY_BYTES));
    }
    return readFileSync(file);
  }
  return {
    unlock,
    safeStorage: strict<Electron.SafeStorage>('safeStorage', {
      getSelectedStorageBackend: () => keyBackend,
      isAsyncEncryptionAvailable: () => unlocked.then(() => true),
      async encryptStringAsync(text) {
        await unlocked;
        const cipher = createCipheriv(CIPHER, keyOf(ownPrefix), IV);
        return Buffer.concat([Buffer.from(ownPrefix), cipher.update(text, 'utf8'), cipher.final()]);
      },
      async decryptStringAsync(bytes) {
        await unlocked;
        const prefix = bytes.toString('latin1', 0, PREFIX_BYTES);
        const decipher = createDecipheriv(CIPHER, keyOf(prefix), IV);
        const text = Buffer.concat([decipher.update(bytes.subarray(PREFIX_BYTES)), decipher.final()]);
        return { shouldReEncrypt: prefix !== ownPrefix, result: text.toString('utf8') };
      },
    }),
  };
}
