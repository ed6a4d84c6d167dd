import { createCipheriv, createDecipheriv, pbkdf2Sync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DoubleOptions } from './control.ts';
import { strict } from './strict.ts';

const CIPHER = 'aes-128-cbc';
const KEY_BYTES = 16;
const PREFIX_BYTES = 3;
const IV = Buffer.alloc(KEY_BYTES, ' ');
/** The password in Chromium's source, and how it becomes a key (os_crypt_posix_key_provider). */
const KNOWN_KEY = pbkdf2Sync('peanuts', 'saltysalt', 1, KEY_BYTES, 'sha1');

/** Chromium's mark for the key of each kind of store. */
const prefixes = { keyring: 'v11', portal: 'v12', nothing: 'v10', locked: 'v11' } as const;

/**
 * safeStorage as on Linux. Available is always true; the back end is a name that Chromium reads from the desktop's,
 * whatever answers; without a store everything is encrypted all the same, with a password that everyone knows. A locked
 * store answers nothing until a person unlocks it. What an older kind of store encrypted is still read, and is to be
 * encrypted again.
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

  /** Each store has a key of its own, apart from what it encrypts; a restart finds it again. */
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
